package workload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// result is the union of the result members that the workloads look at.
type result struct {
	ResultType string `json:"resultType"`
	IsError    bool   `json:"isError"`
	Content    []struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		Data     string `json:"data"`
		MimeType string `json:"mimeType"`
	} `json:"content"`
	Tools []struct {
		Name        string `json:"name"`
		InputSchema struct {
			Type       string                     `json:"type"`
			Properties map[string]json.RawMessage `json:"properties"`
		} `json:"inputSchema"`
	} `json:"tools"`
	NextCursor string `json:"nextCursor"`
}

func (r *result) wantText(want string) error {
	if r.IsError || len(r.Content) == 0 || r.Content[0].Type != "text" || r.Content[0].Text != want {
		return errors.New("wrong text")
	}
	return nil
}

// Verify judges one answer. The fast check is a byte comparison; when it fails, or when full is set, the answer is
// decoded and judged by its values, so that a different spelling of the same JSON is not counted as an error.
func (w *Workload) Verify(msg []byte, id int64, full bool) error {
	if !full && w.check(msg, id) == nil && !bytes.Contains(msg, []byte(`"isError":true`)) {
		return nil
	}
	var m struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  *result         `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(msg, &m); err != nil {
		return fmt.Errorf("invalid JSON: %w", err)
	}
	switch {
	case m.JSONRPC != "2.0":
		return errors.New("jsonrpc is not 2.0")
	case string(m.ID) != strconv.FormatInt(id, 10):
		return fmt.Errorf("id is %s, want %d", m.ID, id)
	case m.Result == nil:
		return fmt.Errorf("error answer: %s", Clip(m.Error))
	case m.Result.ResultType != "" && m.Result.ResultType != "complete":
		return fmt.Errorf("resultType is %q", m.Result.ResultType)
	}
	if err := w.deep(m.Result, id); err != nil {
		return fmt.Errorf("%w: %s", err, Clip(msg))
	}
	return nil
}

// hasMember reports an error unless msg contains "key":"value" with exactly this JSON-encoded value.
func hasMember(msg []byte, key string, value []byte) error {
	var pattern [16]byte
	k := append(append(append(pattern[:0], '"'), key...), `":"`...)
	for rest := msg; ; {
		i := bytes.Index(rest, k)
		if i < 0 {
			return fmt.Errorf("no %q member with the expected value", key)
		}
		rest = rest[i+len(k):]
		if bytes.HasPrefix(rest, value) && len(rest) > len(value) && rest[len(value)] == '"' {
			return nil
		}
	}
}
