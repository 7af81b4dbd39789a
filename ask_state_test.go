package mcp_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
)

const badState = "requestState is invalid, expired or belongs to another request"

func greets(ctx context.Context) (string, error) {
	in, err := mcp.Ask[askName](ctx, "name", "Who?")
	return "Hello, " + in.Name, err
}

var stateKey = []byte("0123456789abcdef")

// clock is a time that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func TestStateOpensForTheRequestThatItWasMadeForOnly(t *testing.T) {
	ran := 0
	handler := func(ctx context.Context) (string, error) {
		ran++
		return greets(ctx)
	}
	options := &mcp.Options{Keys: [][]byte{stateKey}}
	server := askServer(options, handler)
	mcp.AddTool(server, mcp.Tool{Name: "other", Description: "Another tool"},
		func(ctx context.Context, _ map[string]any) (string, error) { return handler(ctx) })
	s := askSession(t, server)
	alice := mcp.WithCaller(t.Context(), mcp.Caller{ID: "alice"})
	arguments := `"arguments":{"b":[1,{"世":"界","a":0.10}],"a":9007199254740993}`
	call := func(ctx context.Context, s *mcp.Session, method, target, arguments, retry string) *pass {
		return askOnce(ctx, t, s, everyCapability, method, target, arguments, retry)
	}
	p := call(alice, s, "tools/call", theTool, arguments, "")
	p.wantAsked(t, "name")
	retry := p.with("name", accepted("世界"))
	renamed := mcp.NewServer("renamed", "1", options)
	mcp.AddTool(renamed, mcp.Tool{Name: "ask", Description: "Asks"},
		func(ctx context.Context, _ map[string]any) (string, error) { return handler(ctx) })
	for _, test := range []struct {
		rule                      string
		ctx                       context.Context
		session                   *mcp.Session
		method, target, arguments string
		opens                     bool
	}{
		{"the same again", alice, s, "tools/call", theTool, arguments, true},
		{"the same twice: single use is Options.Spent's", alice, s, "tools/call", theTool, arguments, true},
		{"another order and other spacing of the arguments", alice, s, "tools/call", theTool, `"arguments": {"a" : 9007199254740993,"b":[1,{"a":0.10, "\u4e16":"界"}]}`, true},
		{"another caller", mcp.WithCaller(t.Context(), mcp.Caller{ID: "bob"}), s, "tools/call", theTool, arguments, false},
		{"nobody", t.Context(), s, "tools/call", theTool, arguments, false},
		{"another tool", alice, s, "tools/call", `"name":"other"`, arguments, false},
		{"a prompt of the same name", alice, s, "prompts/get", theTool, "", false},
		{"a resource", alice, s, "resources/read", `"uri":"ask:it"`, "", false},
		{"no arguments", alice, s, "tools/call", theTool, "", false},
		{"an argument more", alice, s, "tools/call", theTool, `"arguments":{"b":[1,{"世":"界","a":0.10}],"a":9007199254740993,"c":null}`, false},
		{"a large integer that is one less", alice, s, "tools/call", theTool, `"arguments":{"b":[1,{"世":"界","a":0.10}],"a":9007199254740992}`, false},
		{"the same text as a float", alice, s, "tools/call", theTool, `"arguments":{"b":[1,{"世":"界","a":0.10}],"a":9007199254740993.0}`, false},
		{"another order of a list", alice, s, "tools/call", theTool, `"arguments":{"b":[{"世":"界","a":0.10},1],"a":9007199254740993}`, false},
		{"another server", alice, askSession(t, renamed), "tools/call", theTool, arguments, false},
		{"a replica with the same keys", alice, askSession(t, askServer(options, handler)), "tools/call", theTool, arguments, true},
		{"a replica with a new key in front", alice, askSession(t, askServer(&mcp.Options{Keys: [][]byte{[]byte("another key, 16+ bytes"), stateKey}}, handler)), "tools/call", theTool, arguments, true},
		{"a replica with other keys", alice, askSession(t, askServer(&mcp.Options{Keys: [][]byte{[]byte("another key, 16+ bytes")}}, handler)), "tools/call", theTool, arguments, false},
		{"a server with keys of its own", alice, askSession(t, askServer(nil, handler)), "tools/call", theTool, arguments, false},
	} {
		t.Run(test.rule, func(t *testing.T) {
			before := ran
			got := call(test.ctx, test.session, test.method, test.target, test.arguments, retry)
			if test.opens {
				got.wantText(t, "Hello, 世界")
				return
			}
			got.wantCode(t, -32602, badState)
			if ran != before || got.http != 200 {
				t.Errorf("the handler ran, or status %d", got.http)
			}
		})
	}
}

func TestStateThatWasTamperedWithIsRefused(t *testing.T) {
	ran := false
	s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
		ran = true
		return greets(ctx)
	}))
	p := callAsk(t, s)
	raw, err := base64.RawURLEncoding.DecodeString(p.state)
	if err != nil {
		t.Fatal(err)
	}
	ran = false
	refused := func(rule, state string) {
		t.Helper()
		q := &pass{state: state}
		if got := callAsk(t, s, q.with("name", accepted("x"))); got.code != -32602 || !strings.Contains(got.text, badState) || ran {
			t.Fatalf("%s: the handler ran: %v: %s", rule, ran, got.raw)
		}
	}
	for bit := range 8 * len(raw) {
		raw[bit/8] ^= 1 << (bit % 8)
		refused(fmt.Sprintf("bit %d", bit), base64.RawURLEncoding.EncodeToString(raw))
		raw[bit/8] ^= 1 << (bit % 8)
	}
	for end := range len(p.state) {
		refused(fmt.Sprintf("cut after %d", end), p.state[:end])
	}
	refused("one more", p.state+"A")
	refused("padded", p.state+"=")
	refused("twice", p.state+p.state)
	refused("long", strings.Repeat("A", 1<<20))
	refused("no base64", "世界😀")
	for _, member := range []string{`"requestState":1`, `"requestState":null`, `"requestState":{}`} {
		callAsk(t, s, member).wantCode(t, -32602, "requestState must be a string")
	}
	for _, member := range []string{`"inputResponses":1`, `"inputResponses":[]`, `"inputResponses":"a"`} {
		callAsk(t, s, member).wantCode(t, -32602, "inputResponses must be an object")
	}
	if ran {
		t.Error("the handler ran")
	}
}

func TestWithoutStateTheAnswersAreThoseOfAFirstRound(t *testing.T) {
	s := askSession(t, askServer(nil, func(ctx context.Context) (string, error) {
		a, err := mcp.Ask[askName](ctx, "a", "A?")
		if err != nil {
			return "", err
		}
		b, err := mcp.Ask[askName](ctx, "b", "B?")
		return a.Name + b.Name, err
	}))
	second := callAsk(t, s, `"inputResponses":{`+responses([]string{"a", accepted("x")})+`}`)
	second.wantAsked(t, "b")
	callAsk(t, s, second.with("b", accepted("y"))).wantText(t, "xy")
	callAsk(t, s, `"inputResponses":{`+responses([]string{"b", accepted("y")})+`}`).wantAsked(t, "a")
	callAsk(t, s, `"inputResponses":{}`).wantAsked(t, "a")
}

func TestStateExpires(t *testing.T) {
	for _, test := range []struct {
		rule    string
		options mcp.Options
		life    time.Duration // of the call; 0: unset
		lives   time.Duration
	}{
		{"after an hour by default", mcp.Options{}, 0, time.Hour},
		{"after Options.StateLife", mcp.Options{StateLife: time.Minute}, 0, time.Minute},
		{"after what the handler says", mcp.Options{StateLife: time.Minute}, 48 * time.Hour, 48 * time.Hour},
		{"not after nonsense", mcp.Options{StateLife: time.Minute}, -1, time.Minute},
	} {
		t.Run(test.rule, func(t *testing.T) {
			now := &clock{now: time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)}
			test.options.Clock = now.read
			s := askSession(t, askServer(&test.options, func(ctx context.Context) (string, error) {
				if test.life != 0 {
					mcp.ExpireState(ctx, test.life)
				}
				return greets(ctx)
			}))
			p := callAsk(t, s)
			now.move(test.lives - time.Millisecond)
			callAsk(t, s, p.with("name", accepted("x"))).wantText(t, "Hello, x")
			now.move(time.Millisecond)
			callAsk(t, s, p.with("name", accepted("x"))).wantCode(t, -32602, badState)
		})
	}
}

// store remembers ids, as a database would.
type store struct {
	used map[string]time.Time
	err  error
}

func (s *store) spent(_ context.Context, id string, expires time.Time) (bool, error) {
	if s.err != nil {
		return false, s.err
	}
	_, again := s.used[id]
	s.used[id] = expires
	return !again, nil
}

func TestSpentMakesStateGoodForOneUse(t *testing.T) {
	now := &clock{now: time.Date(2026, 7, 28, 12, 0, 0, 5e8, time.UTC)}
	db := &store{used: map[string]time.Time{}}
	options := &mcp.Options{Spent: db.spent, Clock: now.read, Keys: [][]byte{stateKey}}
	ran := 0
	handler := func(ctx context.Context) (string, error) {
		ran++
		return greets(ctx)
	}
	first, second := askSession(t, askServer(options, handler)), askSession(t, askServer(options, handler))
	p := callAsk(t, first)
	if len(db.used) != 0 {
		t.Error("a first round used something up")
	}
	callAsk(t, second, p.with("name", accepted("x"))).wantText(t, "Hello, x")
	ran = 0
	for _, s := range []*mcp.Session{first, second} {
		callAsk(t, s, p.with("name", accepted("x"))).wantCode(t, -32602, badState)
	}
	callAsk(t, first, p.with()).wantCode(t, -32602, badState)
	if ran != 0 {
		t.Error("the handler ran with a used state")
	}
	for id, expires := range db.used {
		if len(id) < 16 || expires.Before(now.read().Add(time.Hour)) {
			t.Errorf("id %q is to be remembered until %v, before the state expires", id, expires)
		}
	}
	again := callAsk(t, first)
	if p.state == again.state {
		t.Error("two states are the same")
	}
	callAsk(t, first, again.with("name", accepted("y"))).wantText(t, "Hello, y")

	last := callAsk(t, first)
	db.err = errors.New("the database 世界 is away")
	callAsk(t, first, last.with("name", accepted("x"))).wantCode(t, -32603, "looking up whether the state was used: the database 世界 is away")
	db.err = nil
	callAsk(t, first, last.with("name", accepted("x"))).wantText(t, "Hello, x")
}

func TestAPanicInSpentIsOneOfTheRequest(t *testing.T) {
	s := askSession(t, askServer(&mcp.Options{Spent: func(context.Context, string, time.Time) (bool, error) { panic("secret") }}, greets))
	got := callAsk(t, s, callAsk(t, s).with("name", accepted("x")))
	got.wantCode(t, -32603, "mcp-err-1")
	if strings.Contains(got.raw, "secret") {
		t.Error(got.raw)
	}
}

func TestARequestThatFindsNoRoomDoesNotUseUpItsState(t *testing.T) {
	db := &store{used: map[string]time.Time{}}
	started, release := make(chan struct{}), make(chan struct{})
	server := askServer(&mcp.Options{Spent: db.spent, MaxInFlight: 1}, greets)
	mcp.AddTool(server, mcp.Tool{Name: "block", Description: "Blocks"}, func(context.Context, struct{}) (string, error) {
		close(started)
		<-release
		return "", nil
	})
	s := askSession(t, server)
	p := callAsk(t, s)
	var blocked sync.WaitGroup
	blocked.Go(func() { askOnce(t.Context(), t, askSession(t, server), `{}`, "tools/call", `"name":"block"`) })
	<-started
	callAsk(t, s, p.with("name", accepted("x"))).wantCode(t, -32603, "too many requests in flight")
	close(release)
	blocked.Wait()
	callAsk(t, s, p.with("name", accepted("x"))).wantText(t, "Hello, x")
}

// TestPlainStateCannotCarryAnswers: nobody could tell whether a client changed them.
func TestPlainStateCannotCarryAnswers(t *testing.T) {
	s := askSession(t, askServer(&mcp.Options{PlainState: true}, greets))
	callAsk(t, s).wantFailure(t, "Ask needs sealed state; unset Options.PlainState, or use InputRequired")
	old := legacySession(t, askServer(&mcp.Options{PlainState: true}, greets), "2025-11-25", `{"elicitation":{}}`)
	askLegacy(t, old, "tools/call", theTool, `"result":`+accepted("x")).wantText(t, "Hello, x")
}

// FuzzMutatedState: no text but the one that the server made opens, whatever else the request says.
func FuzzMutatedState(f *testing.F) {
	ran := false
	s := askSession(f, askServer(nil, func(ctx context.Context) (string, error) {
		ran = true
		return greets(ctx)
	}))
	p := callAsk(f, s)
	f.Add(uint(0), byte(0), uint(0), "", accepted("x"))
	f.Add(uint(3), byte(1), uint(0), "", accepted("世界"))
	f.Add(uint(60), byte(3), uint(1), "A", declined)
	f.Add(uint(0), byte(0), uint(1000), "AYphFdivVeuz1VpSCgd75NdheUBTtxxcavSJSS4S3-sfd3HSvY_z4i9_xJZbxtU", `null`)
	f.Fuzz(func(t *testing.T, at uint, mask byte, cut uint, tail, answer string) {
		state := []byte(p.state)
		state[at%uint(len(state))] ^= mask
		state = append(state[:uint(len(state))-cut%uint(len(state)+1)], tail...)
		quoted, _ := json.Marshal(string(state))
		ran = false
		sink := &askSink{lines: make(chan string, 9)}
		_ = s.Handle(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol/clientCapabilities":`+everyCapability+`},"name":"ask","requestState":`+string(quoted)+`,"inputResponses":{"name":`+answer+`}}}`), sink)
		if string(state) != p.state && ran {
			t.Fatalf("the handler ran with the state %q", state)
		}
		if len(sink.lines) > 1 {
			t.Fatalf("%d lines came", len(sink.lines))
		}
	})
}
