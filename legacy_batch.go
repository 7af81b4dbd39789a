package mcp

import (
	"context"
	"sync"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// maxBatch is the most messages in one array.
const maxBatch = 64

// batch is an array of calls that are answered together.
//
// 2025-03-26/basic/index#batching: receivers must support batches.
type batch struct {
	whole *Call
	calls []*Call

	mu      sync.Mutex
	answers []byte // the array so far
}

// admitBatch admits an array of messages. Its requests are one call.
func (s *Session) admitBatch(ctx context.Context, message []byte, sink Sink, headers Headers) (*Call, *Error) {
	whole := s.newCall(ctx, sink)
	whole.headers = protocol.Headers(headers)
	elements, fault := s.splitBatch(whole, message)
	if fault != nil {
		whole.fault = fault
		return whole, nil
	}
	b := &batch{whole: whole}
	for _, element := range elements {
		part := s.newCall(ctx, b)
		part.inBatch = true
		// A malformed notification among them has no answer, and does not void the others.
		if c, _ := s.admitOne(part, element, headers); c != nil {
			b.calls = append(b.calls, c)
		}
	}
	if len(b.calls) == 0 {
		whole.release()
		return nil, nil
	}
	whole.batch = b
	return whole, nil
}

// mayBeInBatch tells a request that can be part of an array.
//
// 2025-03-26/basic/lifecycle#initialization: initialize must not be part of a batch.
func (c *Call) mayBeInBatch() bool {
	method := protocol.MethodNamed(c.msg.Method)
	return !protocol.IsModern(c.msg) && (method == nil || method.ID != protocol.Initialize)
}

// splitBatch takes an array apart, where the client's revision has arrays.
func (s *Session) splitBatch(whole *Call, message []byte) ([][]byte, *protocol.Fault) {
	if _, ended := s.clientOf(whole, whole.headers); ended != nil {
		return nil, ended
	}
	if fault := s.identify(whole, nil); fault != nil || !whole.revision.Batches {
		return nil, protocol.NoBatches()
	}
	elements, fault := jsonrpc.Split(message, s.server.limits(), maxBatch)
	if fault != nil {
		return nil, protocol.BadMessage(fault)
	}
	return elements, nil
}

// serve runs the calls one after the other, because the core starts no goroutines, and sends
// the answers as one array. When a handler ends the goroutine, the calls behind it are answered
// with an error, so that their clients do not wait and their ids are free again.
func (b *batch) serve() {
	served := 0
	defer func() {
		for _, c := range b.calls[served:] {
			c.Refuse(&Error{Code: CodeInternalError, Message: "internal error: an earlier request of the batch ended without a result"})
		}
		b.deliver()
	}()
	for _, c := range b.calls {
		served++
		c.Serve()
	}
}

// cancel voids all calls of a batch whose client is gone.
func (b *batch) cancel() {
	for _, c := range b.calls {
		c.Cancel()
	}
}

// release gives up the calls of a batch that is not served.
func (b *batch) release() {
	for _, c := range b.calls {
		c.release()
	}
}

// deliver sends the array of answers.
func (b *batch) deliver() {
	if len(b.answers) == 0 {
		return // every request was cancelled
	}
	r := b.whole.session.server.borrow()
	defer b.whole.session.server.give(r)
	r.body.Append(append(b.answers, ']'))
	r.Status = protocol.Status(protocol.HeaderDefault(), nil)
	b.whole.deliver(r)
}

// Notify passes on a notification of one of the calls.
func (b *batch) Notify(message []byte) error { return b.whole.sink.Notify(message) }

// CanAsk reports whether the array came on a stream that carries requests of the server.
func (b *batch) CanAsk() bool { return carriesRequests(b.whole.sink) }

// Reply gathers the answer of one of the calls.
func (b *batch) Reply(r *Reply) {
	b.mu.Lock()
	defer b.mu.Unlock()
	separator := byte(',')
	if len(b.answers) == 0 {
		separator = '['
	}
	// A source that fails says so in its message, which is complete all the same.
	b.answers, _ = r.AppendTo(append(b.answers, separator))
}

// room is how long the answer of the next call may get by what it streams: the array is held
// in memory until its last element is there, so a reader without an end must not fill it.
func (b *batch) room() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(b.whole.session.MaxMessageBytes()-len(b.answers), 1)
}

// Wake is never called: nothing in a batch stays open.
func (b *batch) Wake() {}
