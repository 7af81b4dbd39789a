package mcp_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
)

// source delivers so many bytes and then fails with err, or ends. It counts how often it is closed.
type source struct {
	left   int
	err    error
	closed int
}

func (s *source) Read(p []byte) (int, error) {
	if s.left == 0 {
		if s.err != nil {
			return 0, s.err
		}
		return 0, io.EOF
	}
	n := min(len(p), s.left)
	copy(p, bytes.Repeat([]byte("x"), n))
	s.left -= n
	return n, nil
}

func (s *source) Close() error {
	s.closed++
	return nil
}

func pictureOf(s *source) func(*mcp.Server) {
	return tool("tool", func(context.Context) ([]content.Block, error) {
		return []content.Block{content.NewText("世界"), content.Image{Reader: s, MIMEType: "image/png"}, content.NewText("behind it")}, nil
	})
}

func bytesOf(s *source) func(*mcp.Server) {
	return resource("x://r", func(context.Context) (io.Reader, error) { return s, nil })
}

var errDisk = errors.New("the disk 世界 is gone")

func TestASourceThatFailsAtItsFirstByteIsAnErrorOfItsOwn(t *testing.T) {
	for _, redacted := range []bool{false, true} {
		s := &source{err: errDisk}
		got := talkTo(t, testServer(&mcp.Options{RedactErrors: redacted}, pictureOf(s))).send(callTool("1", "tool"))
		if !strings.Contains(got.reply, `"isError":true`) || strings.Contains(got.reply, "behind it") || s.closed != 1 {
			t.Errorf("closed %d times, got %s", s.closed, got.reply)
		}
		if strings.Contains(got.reply, errDisk.Error()) == redacted {
			t.Errorf("redacted %v: %s", redacted, got.reply)
		}

		s = &source{err: errDisk}
		got = talkTo(t, testServer(&mcp.Options{RedactErrors: redacted}, bytesOf(s))).send(readURI("1", "x://r"))
		wantError(t, got, "1", -32603, "Internal error")
		if strings.Contains(got.reply, errDisk.Error()) == redacted || s.closed != 1 {
			t.Errorf("redacted %v, closed %d times: %s", redacted, s.closed, got.reply)
		}
	}
}

func TestASourceThatFailsMidwayLeavesValidJSON(t *testing.T) {
	const half = 1 << 20
	encoded := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("x"), half/3*3))
	t.Run("a tool's result is an error", func(t *testing.T) {
		s := &source{left: half, err: errDisk}
		got := talkTo(t, testServer(nil, pictureOf(s))).send(callTool("1", "tool"))
		if got.size != -1 || got.writeErr == nil || !json.Valid([]byte(got.reply)) || s.closed != 1 {
			t.Errorf("size %d, %v, closed %d times", got.size, got.writeErr, s.closed)
		}
		if !strings.HasPrefix(got.reply, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"世界"},{"type":"image","data":"`+encoded[:1000]) {
			t.Errorf("it begins with %.200s", got.reply)
		}
		end := `,{"type":"text","text":"the content above is incomplete: reading content: ` + errDisk.Error() + `"}],"isError":true,"resultType":"complete",` +
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"t","version":"1"}}}}`
		if !strings.HasSuffix(got.reply, end) || strings.Contains(got.reply, "behind it") {
			t.Errorf("it ends with %s", got.reply[len(got.reply)-300:])
		}
	})
	t.Run("the reason is redacted", func(t *testing.T) {
		s := &source{left: half, err: errDisk}
		got := talkTo(t, testServer(&mcp.Options{RedactErrors: true}, pictureOf(s))).send(callTool("1", "tool"))
		if strings.Contains(got.reply, "disk") || !strings.Contains(got.reply, "(ref mcp-err-1)") || !json.Valid([]byte(got.reply)) {
			t.Errorf("it ends with %s", got.reply[len(got.reply)-300:])
		}
	})
	t.Run("a resource says what is missing", func(t *testing.T) {
		s := &source{left: half, err: errDisk}
		got := talkTo(t, testServer(nil, bytesOf(s))).send(readURI("1", "x://r"))
		if got.size != -1 || !json.Valid([]byte(got.reply)) || s.closed != 1 || !strings.Contains(got.reply, `,{"uri":"x://r","mimeType":"text/plain","text":"the content above is incomplete: `) {
			t.Errorf("size %d, closed %d times, it ends with %s", got.size, s.closed, got.reply[len(got.reply)-300:])
		}
	})
	t.Run("over HTTP a resource breaks off, which its transport can tell", func(t *testing.T) {
		s := &source{left: half, err: errDisk}
		h := modernHeaders("resources/read", "x://r")
		got := sharedTalk(t, testServer(nil, bytesOf(s)), h).send(readURI("1", "x://r"))
		if got.writeErr == nil || json.Valid([]byte(got.reply)) || s.closed != 1 {
			t.Errorf("%v, closed %d times", got.writeErr, s.closed)
		}
	})
	t.Run("a prompt says what is missing", func(t *testing.T) {
		s := &source{left: half, err: errDisk}
		register := prompt("p", func(context.Context, struct{}) (mcp.Message, error) {
			return mcp.Message{Role: content.RoleUser, Content: content.Image{Reader: s, MIMEType: "image/png"}}, nil
		})
		got := talkTo(t, testServer(nil, register)).send(getPrompt("1", "p", ""))
		if !json.Valid([]byte(got.reply)) || !strings.Contains(got.reply, "incomplete") || s.closed != 1 {
			t.Errorf("closed %d times, it ends with %s", s.closed, got.reply[len(got.reply)-300:])
		}
	})
}

func TestASourceIsReadOnceAndClosedOnce(t *testing.T) {
	s := &source{left: 3 << 20}
	got := talkTo(t, testServer(nil, bytesOf(s))).send(readURI("1", "x://r"))
	want := holds("1", `{"uri":"x://r","mimeType":"application/octet-stream","blob":"`+base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("x"), 3<<20))+`"}`, 0)
	if got.reply != want || got.writeErr != nil || s.closed != 1 {
		t.Errorf("%d bytes of %d, %v, closed %d times", len(got.reply), len(want), got.writeErr, s.closed)
	}
}

func TestSourcesAreClosedWhateverBecomesOfTheCall(t *testing.T) {
	t.Run("a call that was cancelled", func(t *testing.T) {
		s := &source{left: 1 << 20}
		var call *mcp.Call
		k := talkTo(t, testServer(nil, tool("tool", func(context.Context) (content.Image, error) {
			call.Cancel()
			return content.Image{Reader: s, MIMEType: "image/png"}, nil
		})))
		var sink *tape
		call, sink = k.begin(callTool("1", "tool"))
		call.Serve()
		wantSilence(t, sink)
		if s.closed != 1 {
			t.Errorf("closed %d times", s.closed)
		}
	})
	t.Run("a result that does not match its schema", func(t *testing.T) {
		s := &source{left: 10}
		k := talkTo(t, testServer(nil, toolOf(mcp.Tool{}, &mcp.ToolResult{
			Content: []content.Block{content.Image{Reader: s, MIMEType: "image/png"}}, Structured: make(chan int),
		})))
		k.send(callTool("1", "tool"))
		if s.closed != 1 {
			t.Errorf("closed %d times", s.closed)
		}
	})
	t.Run("a list with a block that cannot be encoded", func(t *testing.T) {
		first, last := &source{left: 10}, &source{left: 10}
		k := talkTo(t, testServer(nil, toolOf(mcp.Tool{}, []content.Block{
			content.Image{Reader: first, MIMEType: "image/png"}, nil, content.Image{Reader: last, MIMEType: "image/png"},
		})))
		k.send(callTool("1", "tool"))
		if first.closed != 1 || last.closed != 1 {
			t.Errorf("closed %d and %d times", first.closed, last.closed)
		}
	})
	t.Run("a _meta that is wrong", func(t *testing.T) {
		s := &source{left: 10}
		k := talkTo(t, testServer(nil, toolOf(mcp.Tool{}, &mcp.ToolResult{
			Content: []content.Block{content.Image{Reader: s, MIMEType: "image/png"}}, Meta: json.RawMessage(`7`),
		})))
		k.send(callTool("1", "tool"))
		if s.closed != 1 {
			t.Errorf("closed %d times", s.closed)
		}
	})
}

func TestACallThatEndsWhileItIsReadStopsReading(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	k := talkTo(t, testServer(nil, resource("x://r", func(context.Context) (io.Reader, error) {
		return &endless{after: 100 << 10, then: cancel}, nil
	})))
	k.ctx = ctx
	got := k.send(readURI("1", "x://r"))
	if !json.Valid([]byte(got.reply)) || !strings.Contains(got.reply, "incomplete: reading content: context canceled") || len(got.reply) > 1<<20 {
		t.Errorf("%d bytes, it ends with %s", len(got.reply), got.reply[max(0, len(got.reply)-300):])
	}
}

// endless delivers for ever, and calls then once after so many bytes.
type endless struct {
	after int
	then  func()
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	if e.after -= len(p); e.after < 0 {
		e.then()
	}
	return len(p), nil
}

func TestAllPartsOfALargeAnswerAreSmall(t *testing.T) {
	big := strings.Repeat("世", 1<<20)
	k := talkTo(t, testServer(nil, fixed("x://r", big)))
	sink := &parts{}
	k.session.Handle(t.Context(), []byte(readURI("1", "x://r")), sink)
	if sink.total != sink.size || sink.largest > 64<<10 || sink.total < 3<<20 {
		t.Errorf("%d bytes of %d in parts of at most %d", sink.total, sink.size, sink.largest)
	}
}

// parts is a sink that looks at how it is written to.
type parts struct{ total, largest, size int }

func (p *parts) Notify([]byte) error { return nil }
func (p *parts) Wake()               {}
func (p *parts) Reply(r *mcp.Reply) {
	p.size = r.Size()
	_, _ = r.WriteTo(p)
}

func (p *parts) Write(b []byte) (int, error) {
	p.total += len(b)
	p.largest = max(p.largest, len(b))
	return len(b), nil
}
