package mcp

import (
	"context"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Progress tells the client how far a request has come: done of total, with a text for
// people. A total of 0 or less is unknown; an empty message is left out. It is a no-op when
// the client did not ask for progress, when done is not above the last one, and outside a
// request. It returns when the notification has been handed to the transport.
//
// Source: basic/patterns/progress.
func Progress(ctx context.Context, done, total float64, message string) {
	c := callFrom(ctx)
	if c == nil || c.meta.ProgressToken == nil {
		return
	}
	c.notify(func(dst []byte) []byte {
		// basic/patterns/progress#progress-flow: the value must increase. A NaN never does.
		if !(done > c.lastProgress) || isInfinite(done) || isInfinite(total) {
			return nil
		}
		c.lastProgress = done
		params := protocol.ProgressParams{Token: c.meta.ProgressToken, Progress: done, Message: message}
		if total > 0 {
			known := total // a copy, so that a call which nobody listens to does not allocate
			params.Total = &known
		}
		return jsonrpc.AppendNotification(dst, protocol.MethodOf(protocol.Progress).Name, params.AppendTo(nil, c.revision))
	})
}

func isInfinite(f float64) bool { return f-f != 0 }
