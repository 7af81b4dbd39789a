package mcp

import (
	"bytes"
	"context"
	"errors"

	"github.com/bowline-go/mcp/internal/hub"
	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

// A subscriptions/listen call stays open behind Serve. It holds neither a goroutine nor a
// handler's place: the hub wakes its sink, and the transport calls Flush. Everything that it
// says after its acknowledgement, its end included, is said in Flush, so that the transport
// decides on which goroutine.

// resolveListen reads what the client wants to hear of.
//
// basic/patterns/subscriptions#acknowledgment: what the server does not support is left out.
func resolveListen(c *Call) *protocol.Fault {
	filter, fault := protocol.FilterOf(c.msg)
	if fault != nil {
		return fault
	}
	c.filter = filter.Honoured(&c.view.capabilities)
	c.meta.ProgressToken = bytes.Clone(c.meta.ProgressToken) // it may be asked for as long as the call is open
	return nil
}

// listening is the result of subscriptions/listen for the middleware: when it comes through, the
// subscription is opened.
type listening struct{}

func (listening) result() {}

func mayListen(context.Context, *Call) (Result, error) { return listening{}, nil }

func (c *Call) listensFor(result Result) bool {
	_, comesThrough := result.(listening)
	return comesThrough && c.method.ID == protocol.SubscriptionsListen
}

// listen opens the subscription of a call. No event is lost between the acknowledgement and
// the first Flush: the subscription begins before, and is looked at after.
//
// basic/patterns/subscriptions#acknowledgment: it comes before every other message.
func (c *Call) listen() (open bool) {
	changes, err := c.session.server.published.Subscribe(topicsOf(&c.filter), c.sink.Wake)
	if err != nil {
		c.refuseWith(subscriptionFault(err))
		return false
	}
	c.notify(func(dst []byte) []byte {
		return jsonrpc.AppendNotification(dst, protocol.MethodOf(protocol.SubscriptionsAcknowledged).Name,
			protocol.AppendAcknowledged(nil, c.id, c.filter))
	})
	c.mu.Lock()
	if open = c.state.Load() == running; open {
		c.stayed, c.changes = true, changes
	}
	c.mu.Unlock()
	if !open {
		changes.Close()
		return false
	}
	c.shed()
	c.session.stayOpen(c)
	c.sink.Wake()
	return true
}

// subscriptionFault is the answer to a subscription that the hub refuses.
func subscriptionFault(err error) *protocol.Fault {
	if errors.Is(err, hub.ErrTopics) {
		return protocol.BadSubscription(err.Error())
	}
	return protocol.Busy(err.Error(), retryAfter)
}

func topicsOf(f *protocol.SubscriptionFilter) (topics []hub.Topic) {
	for kind, wanted := range map[hub.Kind]bool{
		hub.ToolsChanged: f.ToolsListChanged, hub.PromptsChanged: f.PromptsListChanged, hub.ResourcesChanged: f.ResourcesListChanged,
	} {
		if wanted {
			topics = append(topics, hub.Topic{Kind: kind})
		}
	}
	for _, uri := range f.ResourceSubscriptions {
		topics = append(topics, hub.Topic{Kind: hub.ResourceUpdated, Key: uri})
	}
	return topics
}

// Flush hands every pending message of an open call to emit, on the caller's goroutine, and
// its answer to the sink when the session has closed. It stops at emit's error, and returns
// [ErrCallEnded] when there is nothing to come any more. It must not run twice at the same
// time.
func (c *Call) Flush(emit func(message []byte) error) error {
	c.mu.Lock()
	open, ending, changes := c.stayed, c.ending, c.changes
	c.mu.Unlock()
	if !open {
		return ErrCallEnded
	}
	if c.standalone {
		changes = c.session.changesOf(c.client)
	}
	if err := flushChanges(changes, c.id, emit); err != nil {
		return err
	}
	if !ending {
		return nil
	}
	err := c.endOpen(emit)
	c.Cancel()
	if err == nil {
		err = ErrCallEnded
	}
	return err
}

// endOpen answers a subscription that the server ends. A standalone stream just ends.
//
// basic/patterns/subscriptions#graceful-closure: with a completion result.
// basic/patterns/cancellation#behavior-requirements: on a channel that the subscription
// shares with others, a cancellation of it follows.
func (c *Call) endOpen(emit func(message []byte) error) error {
	if c.standalone {
		return nil
	}
	c.answer(subscriptionEnd{}, nil)
	if c.headers != nil {
		return nil
	}
	params := protocol.CancelledParams{RequestID: []byte(c.id.Text())}
	return emit(jsonrpc.AppendNotification(nil, protocol.MethodOf(protocol.Cancelled).Name, params.AppendTo(nil)))
}

// subscriptionEnd is the result of a subscription that ended well.
type subscriptionEnd struct{}

func (subscriptionEnd) result() {}

// changeNotices says which notification tells of which event.
var changeNotices = [...]protocol.MethodID{
	hub.ToolsChanged:     protocol.ToolsListChanged,
	hub.PromptsChanged:   protocol.PromptsListChanged,
	hub.ResourcesChanged: protocol.ResourcesListChanged,
	hub.ResourceUpdated:  protocol.ResourceUpdated,
}

// appendChange appends the notification of an event; a zero subscription is legacy.
func appendChange(dst []byte, subscription jsonrpc.ID, event hub.Event) []byte {
	var params []byte
	if event.Kind == hub.ResourceUpdated {
		params = protocol.AppendUpdated(nil, subscription, event.Key)
	} else {
		params = protocol.AppendListChanged(nil, subscription)
	}
	return jsonrpc.AppendNotification(dst, protocol.MethodOf(changeNotices[event.Kind]).Name, params)
}

// flushChanges emits what a subscription has heard of; a zero id is that of a legacy client.
func flushChanges(changes *hub.Subscription, subscription jsonrpc.ID, emit func(message []byte) error) error {
	if changes == nil {
		return nil
	}
	for _, event := range changes.Take(nil) {
		if err := emit(appendChange(nil, subscription, event)); err != nil {
			return err
		}
	}
	return nil
}
