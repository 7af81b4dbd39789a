package client_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/client"
	"github.com/bowline-go/mcp/internal/protocol"
)

// lines are messages of a server, with the revision of the client that they come to.
func lines() map[string]*protocol.Revision {
	return map[string]*protocol.Revision{
		`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","x":"世界😀"}}`:                                                                                    protocol.Modern(),
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"世界","data":{"a":[1]}}}`:                                                                         protocol.Modern(),
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}`:                                                          protocol.Modern(),
		`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"😀","requestedSchema":{}}}`:                                                   protocol.LatestLegacy(),
		`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{}}}`: protocol.Modern(),
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}}`:                                                                          protocol.Modern(),
		`[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"x"}]`:                                                                                    protocol.LatestLegacy(),
	}
}

func TestReceiveTakesWholeMessagesOnly(t *testing.T) {
	for line, revision := range lines() {
		s := connected(t, revision, client.Options{})
		if err := s.client.Receive([]byte(line + " \n")); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		for end := range len(line) {
			if err := s.client.Receive([]byte(line[:end])); err == nil {
				t.Errorf("%q was taken", line[:end])
			}
		}
		for _, more := range []string{"x", line, "}", "\x00"} {
			if err := s.client.Receive([]byte(line + more)); err == nil {
				t.Errorf("%q was taken", line+more)
			}
		}
	}
}

func TestReceiveSaysWhatIsWrong(t *testing.T) {
	for line, want := range map[string]string{
		`{`:    "a message of the server: parse error",
		`[1]`:  "a message of the server: invalid request",
		`[`:    "a batch of the server: parse error",
		`null`: "a message of the server: invalid request",
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"世界"}}`: "the server could not read a message: 世界 (-32700)",
		`{"jsonrpc":"2.0","error":{"code":-32700,"message":"世界"}}`:           "the server could not read a message: 世界 (-32700)",
	} {
		s := connected(t, protocol.Modern(), client.Options{})
		if err := s.client.Receive([]byte(line)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// 2025-11-25/basic/lifecycle#operation: only what was negotiated. basic/patterns/mrtr: no requests of the server.
func TestAServerIsHeldToWhatItsRevisionSends(t *testing.T) {
	const (
		question  = `{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"世界","requestedSchema":{}}}`
		completed = `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"x"}}`
		agreed    = `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{}}}`
		backwards = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
		extension = `{"jsonrpc":"2.0","method":"notifications/of/an/extension"}`
	)
	senders := map[string][]string{ // oldest revision first
		question: {"2025-06-18", "2025-11-25"}, completed: {"2025-11-25"}, agreed: {"2026-07-28"}, backwards: nil,
		extension: {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"},
	}
	for line, want := range senders {
		var taken []string
		for r := range protocol.Revisions() {
			if err := connected(t, r, client.Options{}).client.Receive([]byte(line)); err == nil {
				taken = append(taken, r.Name)
			} else if !strings.Contains(err.Error(), "which servers of "+r.Name+" do not send") {
				t.Errorf("%s from %s: %v", line, r.Name, err)
			}
		}
		if !slices.Equal(taken, want) {
			t.Errorf("%s is taken from %q, want %q", line, taken, want)
		}
	}
}

func TestReceiveKeepsNothingOfItsArgument(t *testing.T) {
	var told string
	s := connected(t, protocol.Modern(), client.Options{Notified: func(_ context.Context, _ string, params json.RawMessage) { told = string(params) }})
	for _, line := range []string{`{"jsonrpc":"2.0","method":"x","params":{"a":"世界"}}`, `[{"jsonrpc":"2.0","method":"x","params":{"a":"世界"}}]`} {
		buffer := []byte(line)
		if err := s.client.Receive(buffer); err != nil {
			t.Fatal(err)
		}
		clear(buffer)
		s.client.Flush(t.Context())
		if told != `{"a":"世界"}` {
			t.Errorf("%s became %q", line, told)
		}
	}
}

func TestWhatNobodyHandlesIsBounded(t *testing.T) {
	s := connected(t, protocol.Modern(), client.Options{})
	line := []byte(`{"jsonrpc":"2.0","method":"x","params":{"a":"` + strings.Repeat("x", 1<<20) + `"}}`)
	for range 63 {
		if err := s.client.Receive(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.client.Receive(line); err == nil || !strings.Contains(err.Error(), "wait to be handled") {
		t.Errorf("error %v", err)
	}
	s.client.Flush(t.Context())
	if err := s.client.Receive(line); err != nil {
		t.Errorf("after a flush: %v", err)
	}
}

func FuzzReceive(f *testing.F) {
	for line := range lines() {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		s := &server{t: t}
		s.client = client.New(s, answerer())
		_ = s.client.Receive(line)
		s.client.Flush(t.Context())
		for _, sent := range s.lines() {
			if !json.Valid([]byte(sent)) {
				t.Errorf("%q makes the client send %q", line, sent)
			}
		}
	})
}

func BenchmarkCall(b *testing.B) {
	loop := &loopback{result: []byte(`,"result":{"resultType":"complete","content":[{"type":"text","text":"世界"}]}}`)}
	loop.client = client.New(loop, client.Options{Info: protocol.Implementation{Name: "bench", Version: "1"}})
	params := echo("世界")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := loop.client.Call(b.Context(), protocol.ToolsCall, params); err != nil {
			b.Fatal(err)
		}
	}
}

// loopback answers everything at once.
type loopback struct {
	client *client.Client
	result []byte
}

func (l *loopback) Send(_ context.Context, m client.Outgoing) error {
	return l.client.Receive(append([]byte(`{"jsonrpc":"2.0","id":`+m.ID.Text()), l.result...))
}
