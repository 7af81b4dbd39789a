package mcp_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
)

// leased is a sink that a transport takes back once the call has been served, to give it to somebody else's.
type leased struct {
	t      testing.TB
	given  atomic.Bool
	notes  chan string
	served chan struct{}
}

func (l *leased) use(what string) {
	if l.given.Load() {
		l.t.Errorf("%s on the sink of another call", what)
	}
}

func (l *leased) Notify(message []byte) error {
	l.use("Notify")
	l.notes <- string(message)
	return nil
}

func (l *leased) Reply(*mcp.Reply)        { l.use("Reply") }
func (l *leased) Wake()                   { l.use("Wake") }
func (l *leased) CanAsk() bool            { l.use("CanAsk"); return true }
func (l *leased) Reconnect(time.Duration) { l.use("Reconnect") }

// A goroutine that outlives its handler must not reach the next call on the sink, which may be another client's.
func TestWhatComesAfterACallWasServedReachesNobody(t *testing.T) {
	for name, void := range map[string]bool{"answered": false, "cancelled": true} {
		t.Run(name, func(t *testing.T) {
			proceed := make(chan struct{})
			asked := make(chan error, 1)
			var stray context.Context
			var giveUp context.CancelFunc
			server := askServer(nil, func(ctx context.Context) (string, error) {
				stray, giveUp = context.WithCancel(context.WithoutCancel(ctx))
				go func() {
					_, err := mcp.Ask[askName](stray, "q", "?")
					asked <- err
				}()
				<-proceed
				return "done", nil
			})
			s := legacySession(t, server, newestLegacy, everyCapability)
			sink := &leased{t: t, notes: make(chan string, 10), served: make(chan struct{})}
			call, err := s.Admit(t.Context(), fmt.Appendf(nil, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{%s,"_meta":{"progressToken":1}}}`, theTool), sink, nil)
			if err != nil {
				t.Fatal(err)
			}
			go func() { call.Serve(); sink.given.Store(true); close(sink.served) }()
			<-sink.notes // the question
			if void {
				call.Cancel()
			}
			close(proceed)
			<-sink.served
			mcp.Reconnect(stray, time.Second)
			mcp.Progress(stray, 1, 2, "")
			mcp.Logger(stray).Error("late")
			if _, err := mcp.Ask[askName](stray, "late", "?"); err == nil {
				t.Error("a question was asked")
			}
			giveUp()
			if err := <-asked; err == nil {
				t.Error("a question was answered")
			}
		})
	}
}
