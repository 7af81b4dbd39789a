package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/bowline-go/mcp/internal/client"
	"github.com/bowline-go/mcp/internal/protocol"
)

func TestAModernSubscription(t *testing.T) {
	var told []string
	s := connected(t, protocol.Modern(), client.Options{Notified: func(_ context.Context, method string, params json.RawMessage) {
		told = append(told, method+string(params))
	}})
	s.answer = func(s *server, m client.Outgoing) {
		if m.Method.ID == protocol.SubscriptionsListen {
			s.say(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":99},"notifications":{}}}`)
			s.say(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + m.ID.Text() + `},"notifications":{"toolsListChanged":true}}}`)
		}
	}
	wanted := protocol.SubscriptionFilter{ToolsListChanged: true, ResourceSubscriptions: []string{"x:世界"}}
	subscription, err := s.client.Listen(t.Context(), wanted)
	if err != nil {
		t.Fatal(err)
	}
	if f := subscription.Honoured(); !f.ToolsListChanged || f.ResourceSubscriptions != nil {
		t.Errorf("honoured %+v", f)
	}
	s.expect(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{` + meta + `,"notifications":{"toolsListChanged":true,"resourceSubscriptions":["x:世界"]}}}`)
	s.say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}`)
	s.client.Flush(t.Context())
	if want := []string{`notifications/tools/list_changed{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}`}; !slices.Equal(told, want) {
		t.Errorf("told %q", told)
	}
	for range 2 {
		if err := subscription.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	s.expect(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)

	t.Run("that the server ends", func(t *testing.T) {
		subscription, err := s.client.Listen(t.Context(), wanted)
		if err != nil || subscription.Ended() {
			t.Fatal("ended at once", err)
		}
		s.lines()
		s.say(`{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}`)
		s.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
		if !subscription.Ended() {
			t.Error("goes on")
		}
		if err := subscription.Close(t.Context()); err != nil {
			t.Error(err)
		}
		s.expect()
	})
}

func TestASubscriptionThatIsRefusedOrGivenUp(t *testing.T) {
	s := connected(t, protocol.Modern(), client.Options{})
	s.answer = func(s *server, m client.Outgoing) {
		s.say(`{"jsonrpc":"2.0","id":` + m.ID.Text() + `,"error":{"code":-32601,"message":"no"}}`)
	}
	var e *client.Error
	if _, err := s.client.Listen(t.Context(), protocol.SubscriptionFilter{}); !errors.As(err, &e) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s.answer = func(*server, client.Outgoing) { cancel() }
	s.lines()
	if _, err := s.client.Listen(ctx, protocol.SubscriptionFilter{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if sent := s.lines(); len(sent) != 2 || sent[1] != `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"context canceled"}}` {
		t.Errorf("sent %q", sent)
	}
}

func TestALegacySubscriptionIsOneOfEachResource(t *testing.T) {
	s := connected(t, protocol.LatestLegacy(), client.Options{})
	s.answer = always(`{}`)
	subscription, err := s.client.Listen(t.Context(), protocol.SubscriptionFilter{ToolsListChanged: true, ResourceSubscriptions: []string{"x:世界", "x:😀"}})
	if err != nil {
		t.Fatal(err)
	}
	if subscription.Ended() {
		t.Error("ended at once")
	}
	for range 2 {
		if err := subscription.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	s.expect(
		`{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"x:世界"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"uri":"x:😀"}}`,
		`{"jsonrpc":"2.0","id":4,"method":"resources/unsubscribe","params":{"uri":"x:世界"}}`,
		`{"jsonrpc":"2.0","id":5,"method":"resources/unsubscribe","params":{"uri":"x:😀"}}`,
	)
	s.client.Close(nil)
	if !subscription.Ended() {
		t.Error("goes on after the end of the session")
	}
}

func TestALegacySubscriptionThatFailsHalfwayIsTakenBack(t *testing.T) {
	s := connected(t, protocol.LatestLegacy(), client.Options{})
	s.answer = func(s *server, m client.Outgoing) {
		if m.Method.ID == protocol.ResourcesSubscribe && m.ID.Text() == "3" {
			s.say(`{"jsonrpc":"2.0","id":3,"error":{"code":-32002,"message":"resource not found"}}`)
			return
		}
		s.result(m, `{}`)
	}
	if _, err := s.client.Listen(t.Context(), protocol.SubscriptionFilter{ResourceSubscriptions: []string{"x:a", "x:b"}}); err == nil {
		t.Error("no error")
	}
	if sent := s.lines(); len(sent) != 3 || sent[2] != `{"jsonrpc":"2.0","id":4,"method":"resources/unsubscribe","params":{"uri":"x:a"}}` {
		t.Errorf("sent %q", sent)
	}
}
