package stdio

import (
	"context"
	"errors"

	"github.com/bowline-go/mcp"
)

// Dispatch serves one message and returns its answer, or nil when there is none: for a notification, for a client's answer,
// and for a call that was cancelled. It is for programs with a loop of their own, which have one message at a time:
//
//	session, err := server.Connect(mcp.ConnectOptions{Transport: "stdio"})
//	for {
//		message, err := stdio.ReadMessage(in, session.MaxMessageBytes())
//		if err != nil {
//			return err // io.EOF: the end
//		}
//		if answer := stdio.Dispatch(ctx, session, message); answer != nil {
//			if err := stdio.WriteMessage(out, answer); err != nil {
//				return err
//			}
//		}
//	}
//
// It runs the handler on the caller's goroutine. Calls may overlap; each may be cancelled by a message that is dispatched
// meanwhile, or by ctx. message must not change before Dispatch returns.
//
// There is no way from a handler to the client but the answer: progress and log messages are dropped, and a handler that
// asks a client from before 2026-07-28 gets an error. A subscription ends at once, without an answer, so the server should
// not offer any (which it does with Options.Dynamic and Options.ResourceUpdates). A streamed answer is read to its end;
// one of more than Session.MaxMessageBytes is an error.
func Dispatch(ctx context.Context, session *mcp.Session, message []byte) []byte {
	d := &dispatched{most: session.MaxMessageBytes()}
	// A malformed notification is an error without an answer, and is dropped as from any stream.
	call, _ := session.Admit(ctx, message, d, nil)
	if call != nil && call.Serve() {
		call.Cancel()
	}
	return d.answer
}

// dispatched is the sink of one message.
type dispatched struct {
	most   int
	answer []byte
}

func (d *dispatched) Notify([]byte) error { return nil }

func (d *dispatched) Reply(r *mcp.Reply) {
	b := &bounded{most: max(r.Size(), d.most)}
	if _, err := r.WriteTo(b); errors.Is(err, errTooLong) {
		b.buf = tooLongReply(b.buf, b.most)
	}
	d.answer = b.buf
}

func (d *dispatched) Wake() {}

// CanAsk says that a legacy client cannot be asked: a question has nowhere to go.
func (d *dispatched) CanAsk() bool { return false }
