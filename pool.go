package mcp

import (
	"sync"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// pools keep what every call needs and none keeps. They belong to a server, so two servers
// never share a buffer.
type pools struct {
	messages sync.Pool // of *jsonrpc.Message
	replies  sync.Pool // of *Reply
}

// pooledBytes is the largest buffer that is kept: a rare large message does not stay in memory.
const pooledBytes = 64 << 10

func (p *pools) message() *jsonrpc.Message {
	if m, ok := p.messages.Get().(*jsonrpc.Message); ok {
		return m
	}
	return new(jsonrpc.Message)
}

// recycle takes a message back, without the bytes that it was decoded from: they may be large,
// and belong to the transport.
func (p *pools) recycle(m *jsonrpc.Message) {
	if m != nil {
		*m = jsonrpc.Message{}
		p.messages.Put(m)
	}
}

func (p *pools) borrow() *Reply {
	if r, ok := p.replies.Get().(*Reply); ok {
		return r
	}
	return new(Reply)
}

func (p *pools) give(r *Reply) {
	r.clear()
	r.Err, r.Refused, r.Status, r.SessionToken, r.RetryAfter = nil, false, 0, "", 0
	if cap(r.head) > pooledBytes {
		r.head = nil
	}
	p.replies.Put(r)
}
