package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/bowline-go/mcp/internal/client"
	"github.com/bowline-go/mcp/internal/protocol"
)

func TestRequestsHaveTheFormOfTheirRevision(t *testing.T) {
	info := protocol.Implementation{Name: "c", Title: "世界", Version: "1"}
	modern := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","title":"世界","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}`
	cases := []struct {
		rule   string
		o      client.Options
		modern bool
		method protocol.MethodID
		params any
		want   string
	}{
		{"legacy, nothing in it", client.Options{}, false, protocol.ToolsList, nil, `{"jsonrpc":"2.0","id":ID,"method":"tools/list"}`},
		{"legacy, empty params", client.Options{}, false, protocol.ToolsList, protocol.PagedParams{}, `{"jsonrpc":"2.0","id":ID,"method":"tools/list"}`},
		{
			"legacy, arguments",
			client.Options{},
			false, protocol.ToolsCall, echo("世界😀"),
			`{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"echo","arguments":{"text":"世界😀"}}}`,
		},
		{
			"legacy, progress",
			client.Options{Progress: true},
			false, protocol.ToolsCall, echo("x"),
			`{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"_meta":{"progressToken":ID},"name":"echo","arguments":{"text":"x"}}}`,
		},
		{
			"legacy, progress alone",
			client.Options{Progress: true},
			false, protocol.Ping, nil,
			`{"jsonrpc":"2.0","id":ID,"method":"ping","params":{"_meta":{"progressToken":ID}}}`,
		},
		{"modern, nothing in it", client.Options{Info: info}, true, protocol.ToolsList, nil, `{"jsonrpc":"2.0","id":ID,"method":"tools/list","params":{` + modern + `}}}`},
		{
			"modern, level and progress",
			client.Options{Info: info, LogLevel: protocol.LevelDebug, Progress: true},
			true, protocol.ToolsCall, echo("世界😀"),
			`{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{` + modern + `,"io.modelcontextprotocol/logLevel":"debug","progressToken":ID},"name":"echo","arguments":{"text":"世界😀"}}}`,
		},
		{
			"modern, a client without a name",
			client.Options{Capabilities: json.RawMessage(`{"extensions":{"a.example/世界":{}}}`)},
			true, protocol.ServerDiscover, nil,
			`{"jsonrpc":"2.0","id":ID,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"a.example/世界":{}}}}}}`,
		},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			r, id := protocol.LatestLegacy(), "2"
			if c.modern {
				r, id = protocol.Modern(), "1"
			}
			s := connected(t, r, c.o)
			s.answer = always(`{"世界":"😀"}`)
			result, err := s.client.Call(t.Context(), c.method, c.params)
			if err != nil || string(result) != `{"世界":"😀"}` {
				t.Errorf("result %s, %v", result, err)
			}
			s.expect(strings.ReplaceAll(c.want, "ID", id))
		})
	}
}

func TestCapabilitiesAreWhatTheFunctionsAnswer(t *testing.T) {
	o := client.Options{
		Elicit: func(context.Context, protocol.ElicitParams) (r protocol.ElicitResult, err error) { return r, nil },
		Sample: func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, nil },
		Roots:  func(context.Context) ([]protocol.Root, error) { return nil, nil },
	}
	s := connected(t, protocol.Modern(), o)
	s.answer = always(`{}`)
	if _, err := s.client.Call(t.Context(), protocol.ToolsList, nil); err != nil {
		t.Fatal(err)
	}
	want := `"io.modelcontextprotocol/clientCapabilities":{"roots":{},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}}`
	if got := s.lines()[0]; !strings.Contains(got, want) {
		t.Errorf("%s has no %s", got, want)
	}
}

func TestAnErrorOfTheServerIsAnError(t *testing.T) {
	s := connected(t, protocol.Modern(), client.Options{})
	s.answer = func(s *server, m client.Outgoing) {
		s.say(`{"jsonrpc":"2.0","id":` + m.ID.Text() + `,"error":{"code":-32602,"message":"unknown tool: 世界","data":{"why":"😀"}}}`)
	}
	_, err := s.client.Call(t.Context(), protocol.ToolsCall, echo("x"))
	var e *client.Error
	if !errors.As(err, &e) || e.Code != -32602 || e.Message != "unknown tool: 世界" || string(e.Data) != `{"why":"😀"}` {
		t.Errorf("error %#v", err)
	}
	if want := "unknown tool: 世界 (-32602)"; err.Error() != want {
		t.Errorf("text %q, want %q", err, want)
	}
}

func TestAnswersFindTheirRequestsInAnyOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := connected(t, protocol.Modern(), client.Options{})
		results := make([]string, 3)
		done := make(chan struct{})
		for i := range results {
			go func() {
				raw, err := s.client.Call(t.Context(), protocol.ToolsList, nil)
				if err != nil {
					t.Error(err)
				}
				results[i] = string(raw)
				done <- struct{}{}
			}()
			synctest.Wait()
		}
		for _, line := range []string{
			`{"jsonrpc":"2.0","id":9,"result":{"for":"nobody"}}`,
			`{"jsonrpc":"2.0","id":"3","result":{"for":"another type"}}`,
			`{"jsonrpc":"2.0","id":3,"result":{"n":3}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"n":1}}`,
			`{"jsonrpc":"2.0","id":2,"result":{"n":2}}`,
			`{"jsonrpc":"2.0","id":2,"result":{"n":"twice"}}`,
		} {
			s.say(line)
		}
		for range results {
			<-done
		}
		if want := []string{`{"n":1}`, `{"n":2}`, `{"n":3}`}; !slices.Equal(results, want) {
			t.Errorf("results %q, want %q", results, want)
		}
	})
}

func TestNotificationsBeforeAnAnswerAreHandledBeforeTheCallReturns(t *testing.T) {
	var told []string
	var s *server
	s = connected(t, protocol.Modern(), client.Options{Notified: func(ctx context.Context, method string, params json.RawMessage) {
		told = append(told, method+string(params))
		if method == "notifications/tools/list_changed" { // what is told may use the client
			if _, err := s.client.Call(ctx, protocol.ToolsList, nil); err != nil {
				t.Error(err)
			}
			told = append(told, "listed")
		}
	}})
	s.answer = func(s *server, m client.Outgoing) {
		if m.Method.ID == protocol.ToolsCall {
			s.say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1,"message":"世界😀"}}`)
			s.say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			s.say(`{"jsonrpc":"2.0","method":"notifications/未知"}`)
		}
		s.result(m, `{}`)
		s.say(`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`)
	}
	if _, err := s.client.Call(t.Context(), protocol.ToolsCall, echo("x")); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`notifications/progress{"progressToken":1,"progress":1,"message":"世界😀"}`,
		`notifications/tools/list_changed`, `notifications/未知`, `notifications/message{}`, `listed`,
	}
	// The call inside handles what came before its own answer, which is all of it.
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	s.client.Flush(t.Context())
	if len(told) != len(want)+1 {
		t.Errorf("after a flush %d were told, want %d", len(told), len(want)+1)
	}
}

func TestACallThatIsGivenUpIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := connected(t, protocol.LatestLegacy(), client.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error)
		go func() {
			_, err := s.client.Call(ctx, protocol.ToolsCall, echo("x"))
			failed <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		s.expect(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"context canceled"}}`)
		s.say(`{"jsonrpc":"2.0","id":2,"result":{"too":"late"}}`)
	})
}

func TestInitializeIsNeverCancelled(t *testing.T) {
	s := &server{t: t}
	s.client = client.New(s, client.Options{Revision: protocol.LatestLegacy()})
	ctx, cancel := context.WithCancel(t.Context())
	s.answer = func(*server, client.Outgoing) { cancel() }
	if _, err := s.client.Connect(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if sent := s.lines(); len(sent) != 1 {
		t.Errorf("sent %q", sent)
	}
}

func TestATransportThatFailsFailsTheCall(t *testing.T) {
	s := connected(t, protocol.Modern(), client.Options{})
	s.down = true
	if _, err := s.client.Call(t.Context(), protocol.ToolsList, nil); err == nil || err.Error() != "send tools/list: the line is dead" {
		t.Errorf("error %v", err)
	}
}

func TestParametersThatAreNoObjectAreRefused(t *testing.T) {
	s := connected(t, protocol.Modern(), client.Options{})
	for _, params := range []any{7, []string{"x"}, json.RawMessage(`{`), make(chan int)} {
		if _, err := s.client.Call(t.Context(), protocol.ToolsList, params); err == nil {
			t.Errorf("%T was sent", params)
		}
		if err := s.client.Notify(t.Context(), protocol.Initialized, params); err == nil {
			t.Errorf("%T was sent", params)
		}
	}
	s.expect()
}

func TestCloseEndsEveryCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := connected(t, protocol.Modern(), client.Options{})
		failed := make(chan error)
		for range 2 {
			go func() {
				_, err := s.client.Call(t.Context(), protocol.ToolsList, nil)
				failed <- err
			}()
		}
		synctest.Wait()
		reason := errors.New("the process died")
		s.client.Close(reason)
		s.client.Close(nil)
		for range 2 {
			if err := <-failed; !errors.Is(err, reason) {
				t.Errorf("error %v", err)
			}
		}
		if _, err := s.client.Call(t.Context(), protocol.ToolsList, nil); !errors.Is(err, reason) {
			t.Errorf("a call after it: %v", err)
		}
		if err := s.client.Receive([]byte(`{"jsonrpc":"2.0","method":"x"}`)); !errors.Is(err, reason) {
			t.Errorf("a message after it: %v", err)
		}
	})
}
