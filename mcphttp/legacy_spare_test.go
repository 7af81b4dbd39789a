package mcphttp_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp/mcphttp"
)

// The stream of a call that nobody can ask for is used again, also when the client was given up in the middle of the answer:
// what it would have waited for must not end the next call.
func TestACallDoesNotEndWithTheWindowOfAnEarlierOne(t *testing.T) {
	o := &mcphttp.Options{WriteTimeout: 10 * time.Second}
	bubble(t, o, func(t *testing.T, f *fixture, network *memory) {
		client := &http.Client{Transport: &http.Transport{DialContext: network.dial, DisableKeepAlives: true}}
		session := bubbleSession(t, client)
		conn, err := network.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		large := legacyCall("1", "echo", `{"text":"`+strings.Repeat("世", 50_000)+`"}`)
		if err := request(t, http.MethodPost, memoryURL, session, large).Write(conn); err != nil {
			t.Fatal(err)
		}
		wait(11 * time.Second) // it never reads
		quiet := strings.Replace(legacyCall("1", "quiet", "{}"), `"progressToken":7`, "", 1)
		answered := make(chan string, 1)
		go func() {
			response, err := client.Do(request(t, http.MethodPost, memoryURL, session, quiet))
			if err != nil {
				answered <- err.Error()
				return
			}
			answered <- read(t, response)
		}()
		<-f.started
		synctest.Wait()
		time.AfterFunc(2*time.Minute, func() { close(f.release) })
		if got := <-answered; !strings.Contains(got, "released") || len(f.cancelled) != 0 {
			t.Errorf("got %q, %d calls were cancelled", got, len(f.cancelled))
		}
	})
}
