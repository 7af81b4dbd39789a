package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/sampling"
)

const newestLegacy = "2025-11-25"

func TestALegacyClientIsAskedWhileTheHandlerWaits(t *testing.T) {
	passes := 0
	handler := func(ctx context.Context) (string, error) {
		passes++
		text := ""
		for i := range 20 { // more than a modern client is asked in rounds
			in, err := mcp.Ask[askName](ctx, "name", fmt.Sprintf("Name %d 世界?", i))
			if err != nil {
				return "", err
			}
			text += in.Name
		}
		return text, nil
	}
	for _, revision := range []string{"2025-06-18", newestLegacy} {
		passes = 0
		s := legacySession(t, askServer(nil, handler), revision, `{"elicitation":{}}`)
		c := beginLegacy(t.Context(), t, s, "tools/call", theTool)
		ids := map[string]bool{}
		for i := range 20 {
			q := c.question()
			want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":{"message":"Name %d 世界?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","description":"Who 世界?","minLength":1}},"required":["name"]}}}`, q.ID, i)
			if q.raw != want {
				t.Errorf("got  %s\nwant %s", q.raw, want)
			}
			if len(q.ID) < 26 || ids[string(q.ID)] {
				t.Errorf("the id %s can be guessed", q.ID)
			}
			ids[string(q.ID)] = true
			c.answer(q, `"result":`+accepted(fmt.Sprint(i)))
		}
		c.done().wantText(t, "012345678910111213141516171819")
		if passes != 1 {
			t.Errorf("%d passes", passes)
		}
	}
}

func TestOutcomesOfALegacyClient(t *testing.T) {
	var got error
	server := askServer(nil, func(ctx context.Context) (string, error) {
		in, err := mcp.Ask[askName](ctx, "q", "?")
		got = err
		return in.Name, err
	})
	s := legacySession(t, server, newestLegacy, `{"elicitation":{}}`)
	for _, test := range []struct {
		answer string
		is     error
		text   string
	}{
		{`"result":` + declined, mcp.ErrDeclined, `question "q": the user declined to answer`},
		{`"result":` + dismissed, mcp.ErrDismissed, `question "q": the user dismissed the question`},
		{`"error":{"code":-1,"message":"User rejected"}`, mcp.ErrDeclined, `question "q": the user declined to answer`},
		{`"error":{"code":-32603,"message":"no screen 世界😀","data":{"a":1}}`, nil, `question "q": the client answered: no screen 世界😀`},
		{`"error":{"code":-32601,"message":"Method not found"}`, nil, `question "q": the client answered: Method not found`},
		{`"error":{"code":-32021,"message":"m"}`, nil, `question "q": the client answered: m`},
	} {
		p := askLegacy(t, s, "tools/call", theTool, test.answer)
		p.wantFailure(t, test.text)
		if test.is != nil && !errors.Is(got, test.is) {
			t.Errorf("%s: %v", test.answer, got)
		}
		var asked *mcp.AskError
		if !errors.As(got, &asked) || asked.Key != "q" || p.code != 0 {
			t.Errorf("%s: %#v, %s", test.answer, got, p.raw)
		}
	}
	askLegacy(t, s, "tools/call", theTool, `"error":{"code":-32603,"message":"m","data":{"世":1}}`)
	var answer *mcp.Error
	if !errors.As(got, &answer) || answer.Code != -32603 || answer.Message != "m" || fmt.Sprintf("%s", answer.Data) != `{"世":1}` {
		t.Errorf("the client's error is %#v", answer)
	}
	for method, target := range map[string]string{"prompts/get": theTool, "resources/read": `"uri":"ask:it"`} {
		askLegacy(t, s, method, target, `"result":`+accepted("世界")).wantText(t, "世界")
		askLegacy(t, s, method, target, `"error":{"code":7,"message":"m"}`).wantCode(t, -32603, `question "q": the client answered: m`)
	}
}

func TestALegacyClientIsAskedAtMostThreeTimes(t *testing.T) {
	s := legacySession(t, askServer(nil, greets), newestLegacy, `{"elicitation":{}}`)
	bad := `"result":` + accept(`{"name":1}`)
	c := beginLegacy(t.Context(), t, s, "tools/call", theTool)
	q := c.question()
	c.answer(q, bad)
	again := c.question()
	if !strings.Contains(again.raw, `"message":"Who?\n\nThe last answer could not be used: `) || string(again.ID) == string(q.ID) {
		t.Errorf("asked again by %s", again.raw)
	}
	c.answer(again, `"result":{}`)
	c.answer(c.question(), `"result":`+accepted("世界"))
	c.done().wantText(t, "Hello, 世界")
	askLegacy(t, s, "tools/call", theTool, bad, bad, bad).wantFailure(t, `question "name": 3 answers could not be used, the last because: `)
}

func TestNothingIsAskedBeforeTheClientIsInitialized(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := askSession(t, askServer(nil, greets))
		legacyOpen(t, s, newestLegacy, `{"elicitation":{}}`)
		c := beginLegacy(t.Context(), t, s, "tools/call", theTool)
		synctest.Wait()
		if len(c.sink.lines) != 0 {
			t.Errorf("asked before notifications/initialized: %s", <-c.sink.lines)
		}
		tell(t, s, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		c.answer(c.question(), `"result":`+accepted("世界"))
		c.done().wantText(t, "Hello, 世界")
	})
	synctest.Test(t, func(t *testing.T) { // a client that never is does not hold the handler for ever
		s := askSession(t, askServer(&mcp.Options{StateLife: time.Minute}, greets))
		legacyOpen(t, s, newestLegacy, `{"elicitation":{}}`)
		askLegacy(t, s, "tools/call", theTool).wantFailure(t, `question "name": the client did not answer within 1m0s`)
	})
}

func TestTheBridgeGivesUp(t *testing.T) {
	for _, test := range []struct {
		rule    string
		options mcp.Options
		life    time.Duration
		takes   time.Duration
	}{
		{"after an hour", mcp.Options{}, 0, time.Hour},
		{"after Options.StateLife", mcp.Options{StateLife: time.Minute}, 0, time.Minute},
		{"after what the handler says", mcp.Options{}, time.Second, time.Second},
	} {
		t.Run(test.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var got error
				s := legacySession(t, askServer(&test.options, func(ctx context.Context) (string, error) {
					mcp.ExpireState(ctx, test.life)
					_, got = mcp.Ask[askName](ctx, "q", "?")
					return "", got
				}), newestLegacy, `{"elicitation":{}}`)
				begun := time.Now()
				c := beginLegacy(t.Context(), t, s, "tools/call", theTool)
				q := c.question()
				wantWithdrawn(t, c, q)
				c.done().wantFailure(t, "question \"q\": the client did not answer within "+test.takes.String())
				if took := time.Since(begun); took != test.takes {
					t.Errorf("it took %v", took)
				}
				if !errors.Is(got, context.DeadlineExceeded) {
					t.Error(got)
				}
				c.answer(q, `"result":`+accepted("late")) // is ignored
			})
		})
	}
	t.Run("when the tool's own time is over", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			server := mcp.NewServer("s", "1", nil)
			mcp.AddTool(server, mcp.Tool{Name: "ask", Description: "Asks", Timeout: time.Second},
				func(ctx context.Context, _ struct{}) (string, error) { return greets(ctx) })
			c := beginLegacy(t.Context(), t, legacySession(t, server, newestLegacy, `{"elicitation":{}}`), "tools/call", theTool)
			wantWithdrawn(t, c, c.question())
			c.done().wantFailure(t, "the tool did not finish within 1s")
		})
	})
}

func wantWithdrawn(t *testing.T, c *legacyCall, q legacyQuestion) {
	t.Helper()
	want := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + string(q.ID) + `,"reason":"no answer is needed any more"}}`
	if got := c.next(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestACancelledCallTakesItsQuestionBack(t *testing.T) {
	var got error
	s := legacySession(t, askServer(nil, func(ctx context.Context) (string, error) {
		_, got = mcp.Ask[askName](ctx, "q", "?")
		return "", got
	}), newestLegacy, `{"elicitation":{}}`)
	c := beginLegacy(t.Context(), t, s, "tools/call", theTool)
	q := c.question()
	tell(t, s, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	wantWithdrawn(t, c, q)
	<-c.ended
	if len(c.sink.lines) != 0 || !errors.Is(got, context.Canceled) {
		t.Errorf("%d more lines, %v", len(c.sink.lines), got)
	}
	c.answer(q, `"result":`+accepted("late"))
	askLegacy(t, s, "tools/call", theTool, `"result":`+accepted("x")).wantText(t, "")
}

func TestAClosedSessionFreesItsHandlers(t *testing.T) {
	s := legacySession(t, askServer(nil, greets), newestLegacy, `{"elicitation":{}}`)
	c := beginLegacy(t.Context(), t, s, "tools/call", theTool)
	q := c.question()
	s.Close()
	wantWithdrawn(t, c, q)
	c.done().wantFailure(t, "context canceled")
}

func TestOnlyTheClientThatWasAskedCanAnswer(t *testing.T) {
	server := askServer(nil, greets)
	asked := legacySession(t, server, newestLegacy, `{"elicitation":{}}`)
	other := legacySession(t, server, newestLegacy, `{"elicitation":{}}`)
	c := beginLegacy(t.Context(), t, asked, "tools/call", theTool)
	q := c.question()
	tell(t, other, `{"jsonrpc":"2.0","id":`+string(q.ID)+`,"result":`+accepted("Mallory")+`}`)
	for _, id := range []string{`"nobody"`, `1`, `null`, strings.ToLower(string(q.ID)), `"` + strings.Repeat("x", 5000) + `"`} {
		tell(t, asked, `{"jsonrpc":"2.0","id":`+id+`,"result":`+accepted("Mallory")+`}`)
	}
	c.answer(q, `"result":`+accepted("Alice"))
	c.answer(q, `"result":`+accepted("twice"))
	c.done().wantText(t, "Hello, Alice")
}

// deafSink cannot carry requests, as a client that accepts no event stream.
type deafSink struct{ askSink }

func (*deafSink) CanAsk() bool { return false }

func TestWithoutAStreamNothingIsAsked(t *testing.T) {
	for _, test := range []struct {
		rule, message, want string
	}{
		{"tools", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}}`, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"question \"name\": the client cannot be asked this: requests of the server do not reach it"}],"isError":true}}`},
		{"prompts", `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"ask"}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Prompt handler failed: question \"name\": the client cannot be asked this: requests of the server do not reach it"}}`},
		{"resources", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ask:it"}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error: question \"name\": the client cannot be asked this: requests of the server do not reach it"}}`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			s := legacySession(t, askServer(nil, greets), newestLegacy, `{"elicitation":{}}`)
			sink := &deafSink{askSink{lines: make(chan string, 9)}}
			if err := s.Handle(t.Context(), []byte(test.message), sink); err != nil {
				t.Fatal(err)
			}
			if got := <-sink.lines; got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
	t.Run("batches", func(t *testing.T) {
		s := legacySession(t, askServer(nil, func(ctx context.Context) (string, error) { return "", kinds["roots"](ctx) }), "2025-03-26", `{"roots":{}}`)
		sink := &deafSink{askSink{lines: make(chan string, 9)}}
		if err := s.Handle(t.Context(), []byte(`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}}]`), sink); err != nil {
			t.Fatal(err)
		}
		if got := <-sink.lines; !strings.Contains(got, "requests of the server do not reach it") {
			t.Error(got)
		}
	})
	t.Run("sessionless clients", func(t *testing.T) {
		s := askSession(t, askServer(&mcp.Options{Legacy: mcp.LegacySessionless}, greets))
		askLegacy(t, s, "tools/call", theTool).wantFailure(t, "the client cannot be asked this")
	})
}

func TestABatchCanAsk(t *testing.T) {
	s := legacySession(t, askServer(nil, func(ctx context.Context) (string, error) {
		in, err := sampling.Create(ctx, "q", sampling.Params{Messages: []sampling.Message{sampling.UserText("?")}, MaxTokens: 1})
		if err != nil {
			return "", err
		}
		return in.Text(), nil
	}), "2025-03-26", `{"sampling":{}}`)
	sink := &askSink{lines: make(chan string, 9)}
	call, err := s.Admit(t.Context(), []byte(`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}},{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask"}}]`), sink, nil)
	if err != nil {
		t.Fatal(err)
	}
	var served sync.WaitGroup
	served.Go(func() { call.Serve() })
	c := &legacyCall{t: t, s: s, sink: sink}
	for range 2 {
		c.answer(c.question(), `"result":`+sampleAnswer)
	}
	if got, want := c.next(), `[{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"世界"}],"isError":false}},{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"世界"}],"isError":false}}]`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	served.Wait()
}

func TestConcurrentAsks(t *testing.T) {
	handler := func(ctx context.Context) (string, error) {
		const n = 8
		var names [n]string
		var errs [n]error
		var asking sync.WaitGroup
		for i := range n {
			asking.Go(func() {
				in, err := mcp.Ask[askName](ctx, fmt.Sprint("name", i), "?")
				names[i], errs[i] = in.Name, err
				_, _ = mcp.Remember(ctx, fmt.Sprint("step", i), func(context.Context) (int, error) { return i, nil })
			})
		}
		asking.Wait()
		return strings.Join(names[:], ""), errors.Join(errs[:]...)
	}
	m := askSession(t, askServer(nil, handler))
	p := callAsk(t, m)
	var answers []string
	for _, key := range p.keys {
		answers = append(answers, key, accepted(strings.TrimPrefix(key, "name")))
	}
	callAsk(t, m, p.with(answers...)).wantText(t, "01234567")

	s := legacySession(t, askServer(nil, handler), newestLegacy, `{"elicitation":{}}`)
	c := beginLegacy(t.Context(), t, s, "tools/call", theTool)
	var open []legacyQuestion
	for range 8 {
		open = append(open, c.question())
	}
	for i := len(open) - 1; i >= 0; i-- {
		c.answer(open[i], `"result":`+accepted("x"))
	}
	c.done().wantText(t, "xxxxxxxx")
}

func TestModernAndLegacyCallsShareAConnection(t *testing.T) {
	s := legacySession(t, askServer(nil, greets), newestLegacy, `{"elicitation":{}}`)
	c := beginLegacy(t.Context(), t, s, "tools/call", theTool)
	q := c.question()
	p := callAsk(t, s)
	p.wantAsked(t, "name")
	callAsk(t, s, p.with("name", accepted("new"))).wantText(t, "Hello, new")
	c.answer(q, `"result":`+accepted("old"))
	c.done().wantText(t, "Hello, old")
}
