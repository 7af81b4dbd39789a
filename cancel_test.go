package mcp_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/bowline-go/mcp"
)

// held is a tool that runs until its context ends or it is let go.
type held struct {
	started chan string
	release chan struct{}
}

func newHeld() *held { return &held{make(chan string, 16), make(chan struct{})} }

func (h *held) register(s *mcp.Server) {
	mcp.AddTool(s, mcp.Tool{Name: "hold", Description: "Waits"}, func(ctx context.Context, _ struct{}) (string, error) {
		h.started <- mcp.RequestFrom(ctx).ID()
		select {
		case <-ctx.Done():
			mcp.Progress(ctx, 1, 0, "after the end")
			mcp.Logger(ctx).Info("after the end")
			return "too late", nil
		case <-h.release:
			return "held", nil
		}
	})
}

// running serves a call on a goroutine of its own.
func (k *talk) running(message string) (wait func() *tape) {
	k.t.Helper()
	call, sink := k.begin(message)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		call.Serve()
	}()
	return func() *tape {
		<-ended
		return sink
	}
}

func cancelOf(id string) string { return notification("notifications/cancelled", `"requestId":`+id) }

func TestACancelledCallSendsNothingMore(t *testing.T) {
	for _, c := range []struct{ rule, id, params string }{
		{"a number", "7", `"requestId":7`},
		{"a string, with a reason", `"世界😀"`, `"requestId":"世界😀","reason":"changed my mind"`},
		{"a large integer is exact", "9007199254740993", `"requestId":9007199254740993`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := newHeld()
			k := talkTo(t, testServer(nil, h.register))
			wait := k.running(request(c.id, "tools/call", `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},`+
				`"io.modelcontextprotocol/logLevel":"debug","progressToken":1},"name":"hold"`))
			<-h.started
			k.tell(notification("notifications/cancelled", c.params))
			wantSilence(t, wait())
			k.tell(notification("notifications/cancelled", c.params)) // late, and repeated
		})
	}
}

func TestCancellationsThatMeanNothingAreIgnored(t *testing.T) {
	h := newHeld()
	server := testServer(nil, h.register)
	k, other := talkTo(t, server), talkTo(t, server)
	wait := k.running(modern(`7`, "tools/call", `"name":"hold"`))
	<-h.started
	for rule, params := range map[string]string{
		"an unknown id": `"requestId":8`, "a string is not a number": `"requestId":"7"`, "a fraction": `"requestId":7.0`,
		"null": `"requestId":null`, "no id": `"reason":"x"`, "an object": `"requestId":{"id":7}`, "another spelling of the number": `"requestId":7e0`,
	} {
		t.Log(rule)
		k.tell(notification("notifications/cancelled", params))
	}
	k.tell(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)
	other.tell(cancelOf("7")) // another connection
	close(h.release)
	wantReply(t, wait(), said("7", "held"))
	k.tell(cancelOf("7")) // finished
	wantReply(t, k.send(callTool("7", "hold")), said("7", "held"))
}

func TestACancellationBeforeItsRequestDoesNotPoisonTheID(t *testing.T) {
	k := talkTo(t, testServer(nil, echo))
	k.tell(cancelOf("1"))
	wantReply(t, k.send(callEcho("1", "x")), said("1", "x"))
}

func TestACallThatIsCancelledWhileItWaitsDoesNotRun(t *testing.T) {
	ran := false
	k := talkTo(t, testServer(nil, tool("run", func(context.Context) (string, error) { ran = true; return "", nil })))
	call, sink := k.begin(callTool("1", "run"))
	k.tell(cancelOf("1"))
	call.Serve()
	wantSilence(t, sink)
	if ran {
		t.Error("the handler ran for nobody")
	}
	wantReply(t, k.send(callTool("1", "run")), said("1", ""))
}

func TestInitializeCannotBeCancelled(t *testing.T) {
	k := talkTo(t, testServer(nil))
	call, sink := k.begin(hello("2025-11-25"))
	k.tell(cancelOf("0"))
	call.Serve()
	if sink.replies != 1 || sink.err != nil {
		t.Errorf("%d replies, %v", sink.replies, sink.err)
	}
}

func TestEveryKindOfCallEndsWithItsCancellation(t *testing.T) {
	started := make(chan struct{})
	wait := func(ctx context.Context) (string, error) {
		started <- struct{}{}
		<-ctx.Done()
		return "", ctx.Err()
	}
	server := testServer(nil, tool("t", wait), resource("x://r", wait), prompt("p", func(ctx context.Context, _ struct{}) (string, error) { return wait(ctx) }), func(s *mcp.Server) {
		mcp.AddPrompt(s, mcp.Prompt{Name: "c", Description: "A prompt", Complete: map[string]mcp.Completer{
			"name": func(ctx context.Context, _ string, _ map[string]string) ([]string, error) {
				_, err := wait(ctx)
				return nil, err
			},
		}}, greetTo)
	})
	for _, message := range []string{
		callTool("1", "t"), readURI("1", "x://r"), getPrompt("1", "p", ""),
		modern("1", "completion/complete", `"ref":{"type":"ref/prompt","name":"c"},"argument":{"name":"name","value":""}`),
	} {
		k := talkTo(t, server)
		ended := k.running(message)
		<-started
		k.tell(cancelOf("1"))
		wantSilence(t, ended())
	}
}

func TestThePeerThatIsGoneEndsTheCall(t *testing.T) {
	h := newHeld()
	k := talkTo(t, testServer(nil, h.register))
	call, sink := k.begin(callTool("1", "hold"))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		call.Serve()
	}()
	<-h.started
	call.Cancel()
	call.Cancel()
	<-ended
	wantSilence(t, sink)
}

func TestCloseEndsHandlersAndSendsWhatTheyReturn(t *testing.T) {
	h := newHeld()
	k := talkTo(t, testServer(nil, h.register))
	wait := k.running(callTool("1", "hold"))
	<-h.started
	k.session.Close()
	k.session.Close()
	got := wait()
	wantReply(t, got, said("1", "too late"))
	refused := k.send(callTool("2", "hold"))
	wantError(t, refused, "2", -32603, "shutting down", `"retryAfterMs"`)
}

func TestAReasonIsForTheOperator(t *testing.T) {
	var log lockedBuffer
	h := newHeld()
	k := talkTo(t, testServer(&mcp.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}, h.register))
	wait := k.running(callTool("1", "hold"))
	<-h.started
	k.tell(notification("notifications/cancelled", `"requestId":1,"reason":"no\nlonger 世界"`))
	wait()
	if text := log.String(); !strings.Contains(text, `reason="no\nlonger 世界"`) || strings.Count(text, "\n") != 1 {
		t.Errorf("logged %q", text)
	}
}

// lockedBuffer is a buffer that several goroutines write to.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
