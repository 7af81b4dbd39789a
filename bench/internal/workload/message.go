package workload

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// A Message is what the load generator needs to know about a line or an event.
type Message struct {
	IsAnswer bool
	Progress bool  // a progress notification
	ID       int64 // of an answer; of a progress notification its token
}

// Classify finds out what msg is. Both usual member orders are recognized without decoding; anything else goes through
// encoding/json.
func Classify(msg []byte) (Message, error) {
	if rest, ok := bytes.CutPrefix(msg, []byte(`{"jsonrpc":"2.0","id":`)); ok {
		if id, n := leadingInt(rest); n > 0 {
			return Message{IsAnswer: true, ID: id}, nil
		}
	}
	if id, ok := trailingID(msg); ok {
		return Message{IsAnswer: true, ID: id}, nil
	}
	var m struct {
		ID     *int64 `json:"id"`
		Method string `json:"method"`
		Params struct {
			ProgressToken int64 `json:"progressToken"`
		} `json:"params"`
	}
	if err := json.Unmarshal(msg, &m); err != nil {
		return Message{}, fmt.Errorf("%w: %s", err, Clip(msg))
	}
	if m.Method != "" {
		return Message{Progress: m.Method == "notifications/progress", ID: m.Params.ProgressToken}, nil
	}
	if m.ID == nil {
		return Message{}, fmt.Errorf("answer without id: %s", Clip(msg))
	}
	return Message{IsAnswer: true, ID: *m.ID}, nil
}

// trailingID reads an id that is the last member of the message.
func trailingID(msg []byte) (id int64, ok bool) {
	n := len(msg)
	if n <= 24 || msg[n-1] != '}' {
		return 0, false
	}
	tail := msg[n-24 : n-1]
	i := bytes.LastIndex(tail, []byte(`,"id":`))
	if i < 0 {
		return 0, false
	}
	id, k := leadingInt(tail[i+6:])
	return id, k > 0 && i+6+k == len(tail)
}

func leadingInt(b []byte) (v int64, n int) {
	for n < len(b) && b[n] >= '0' && b[n] <= '9' {
		v = v*10 + int64(b[n]-'0')
		n++
	}
	return v, n
}

// Clip returns the start of b on one line, for error messages.
func Clip(b []byte) string {
	s := strings.Join(strings.Fields(string(b[:min(len(b), 200)])), " ")
	if len(b) > 200 {
		s += "..."
	}
	return s
}
