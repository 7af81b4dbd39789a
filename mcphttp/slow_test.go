package mcphttp_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bowline-go/mcp/mcphttp"
)

// One timer serves the body and the quiet call behind it, whichever of the two limits is the longer one.
func TestTheTimesOfABodyAndOfAQuietCallAreTheirOwn(t *testing.T) {
	for _, tc := range []struct {
		name       string
		options    *mcphttp.Options
		bodyAfter  time.Duration
		wantStatus int
		wantAfter  time.Duration
	}{
		{"a body may take longer than a call may be quiet", nil, 20 * time.Second, 200, 35 * time.Second},
		{"a body that takes longer than both is given up", nil, time.Minute, 408, 30 * time.Second},
		{"a call may be quiet for longer than a body may take", &mcphttp.Options{BodyTimeout: 5 * time.Second}, time.Second, 200, 16 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, tc.options, func(t *testing.T, f *fixture, network *memory) {
				var sent sync.WaitGroup
				defer sent.Wait()
				defer close(f.release)
				conn, err := network.dial(t.Context(), "", "")
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				body := call("1", "quiet", "{}", "")
				head := "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Protocol-Version: " + modernRevision +
					"\r\nMcp-Method: tools/call\r\nMcp-Name: quiet\r\n"
				begun := time.Now()
				sent.Go(func() {
					fmt.Fprintf(conn, "%sContent-Length: %d\r\n\r\n%s", head, len(body), body[:10])
					wait(tc.bodyAfter)
					_, _ = io.WriteString(conn, body[10:]) // fails where the connection is closed by then
				})
				response, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					t.Fatal(err)
				}
				if waited := time.Since(begun); response.StatusCode != tc.wantStatus || waited != tc.wantAfter {
					t.Errorf("got %d after %v, want %d after %v", response.StatusCode, waited, tc.wantStatus, tc.wantAfter)
				}
			})
		})
	}
}

// The time of a write is that of one part, however long the whole takes.
func TestALargeAnswerMayTakeItsTime(t *testing.T) {
	const size = 300_000
	for _, accept := range []string{jsonType, eventType} {
		t.Run(accept, func(t *testing.T) {
			o := &mcphttp.Options{WriteTimeout: 10 * time.Second, KeepAlive: time.Hour}
			bubble(t, o, func(t *testing.T, _ *fixture, network *memory) {
				r := toolCall(t, memoryURL, "1", "huge", fmt.Sprintf(`{"steps":%d}`, size), "", "Accept: "+accept)
				response := open(t, network.client(t), r)
				defer response.Body.Close()
				begun := time.Now()
				var text strings.Builder
				for {
					if _, err := io.CopyN(&text, response.Body, 16<<10); err != nil {
						if err != io.EOF {
							t.Errorf("broken off after %v and %d bytes: %v", time.Since(begun), text.Len(), err)
						}
						break
					}
					wait(time.Second)
				}
				if waited := time.Since(begun); waited < 2*o.WriteTimeout {
					t.Errorf("the answer took %v, too little for this test", waited)
				}
				if encoded := size / 3 * 4; strings.Count(text.String(), "eHh4") != encoded/4 {
					t.Errorf("got %d bytes, want a picture of %d", text.Len(), encoded)
				}
			})
		})
	}
}
