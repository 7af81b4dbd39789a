package mcphttp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp"
)

func TestTheCallOfAClientThatHasLeftEndsWithTheWindow(t *testing.T) {
	bubble(t, nil, func(t *testing.T, f *fixture, network *memory) {
		client := &http.Client{Transport: &http.Transport{DialContext: network.dial, DisableKeepAlives: true}}
		for _, tool := range []string{"wait", "quiet"} {
			session := bubbleSession(t, client)
			ctx, leave := context.WithCancel(t.Context())
			body := strings.Replace(legacyCall("1", tool, "{}"), `"progressToken":7`, "", 1)
			if tool == "wait" {
				body = legacyCall("1", tool, "{}")
			}
			go func() {
				response, err := client.Do(request(t, http.MethodPost, memoryURL, session, body).WithContext(ctx))
				if err == nil {
					_, _ = readEvents(t, response.Body).read()
					<-ctx.Done()
					response.Body.Close()
				}
			}()
			<-f.started
			synctest.Wait()
			leave()
			left := time.Now()
			<-f.cancelled
			// That a client has left is noticed with the next write or look, every 15 s.
			if waited := time.Since(left); waited < time.Minute || waited > 75*time.Second {
				t.Errorf("%s: cancelled after %v, want some 60 s", tool, waited)
			}
		}
	})
}

func TestACallWithoutASessionOrAStreamEndsWithTheWindowToo(t *testing.T) {
	bubbleOf(t, &mcp.Options{Legacy: mcp.LegacySessionless}, nil, func(t *testing.T, f *fixture, network *memory) {
		client := &http.Client{Transport: &http.Transport{DialContext: network.dial, DisableKeepAlives: true}}
		for _, accept := range []string{"application/json", "application/json, text/event-stream"} {
			for _, stayed := range []time.Duration{0, 50 * time.Second} {
				ctx, leave := context.WithCancel(t.Context())
				go func() {
					header := http.Header{"Content-Type": {jsonType}, "Accept": {accept}}
					body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"quiet","arguments":{}}}`
					response, err := client.Do(request(t, http.MethodPost, memoryURL, header, body).WithContext(ctx))
					if err == nil {
						_, _ = io.Copy(io.Discard, response.Body)
						response.Body.Close()
					}
				}()
				<-f.started
				wait(stayed)
				synctest.Wait()
				leave()
				left := time.Now()
				<-f.cancelled
				if waited := time.Since(left); waited < time.Minute || waited > 75*time.Second {
					t.Errorf("%s: cancelled %v after a client left that had stayed for %v, want some 60 s", accept, waited, stayed)
				}
			}
		}
	})
}

// bubbleSession opens a session inside a bubble.
func bubbleSession(t *testing.T, client *http.Client) http.Header {
	t.Helper()
	header := http.Header{"Content-Type": {jsonType}, "Accept": {"application/json, text/event-stream"}}
	response := open(t, client, request(t, http.MethodPost, memoryURL, header, fmt.Sprintf(initializeBody, older2025)))
	response.Body.Close()
	header.Set("Mcp-Session-Id", response.Header.Get("Mcp-Session-Id"))
	return header
}
