package mcp

import (
	"context"
	"crypto/rand"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// elicitationID gives a URL question the id that its revision wants, by which it can be
// reported complete; it is "" for other questions.
//
// 2025-11-25/client/elicitation#url-mode-elicitation-requests: elicitationId is required and unique.
func (b bridge) elicitationID(q *question) string {
	if q.needs != protocol.CanElicitURL || !b.call.revision.ElicitID {
		return ""
	}
	id := rand.Text()
	a := b.call.asking()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.urls == nil {
		a.urls = map[string]string{}
	}
	a.urls[q.path] = id
	return id
}

// CompleteURL tells the client that what the user was sent to do with the question of that
// key, the last one if there were several, is done, where the revision has such a
// notification; elsewhere it is a no-op. Only the client that was asked hears of it, and only
// while the handler runs: ctx is the handler's.
//
// Source: 2025-11-25/client/elicitation#completion-notifications-for-url-mode-elicitation.
func CompleteURL(ctx context.Context, key string) {
	c := callFrom(ctx)
	if c == nil {
		return
	}
	a := c.asking()
	a.mu.Lock()
	id := a.urls[pathOf(ctx, key)]
	a.mu.Unlock()
	if id == "" {
		return
	}
	c.notify(func(dst []byte) []byte {
		params, err := protocol.Append(nil, protocol.ElicitationCompleteParams{ElicitationID: id})
		if err != nil {
			return nil
		}
		return jsonrpc.AppendNotification(dst, protocol.MethodOf(protocol.ElicitationComplete).Name, params)
	})
}
