package mcphttp_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
)

// churner does what clients do with streams, in any order, and leaves them in the middle.
type churner struct {
	t      *testing.T
	client *http.Client
	url    string
	header http.Header
	lastID string
	n      int
}

// step sends one request, takes some of the answer and leaves. It reports false once the server takes no more.
func (c *churner) step() (goesOn bool) {
	c.n++
	id := fmt.Sprint(c.n)
	post := func(body string) *http.Request { return request(c.t, http.MethodPost, c.url, c.header, body) }
	var r *http.Request
	switch rand.IntN(8) {
	case 0:
		r = request(c.t, http.MethodDelete, c.url, c.header, "")
	case 1:
		r = request(c.t, http.MethodGet, c.url, c.header, "", "Accept: text/event-stream")
	case 2:
		r = request(c.t, http.MethodGet, c.url, c.header, "", "Accept: text/event-stream", "Last-Event-ID: "+c.lastID)
	case 3:
		r = post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"logging/setLevel","params":{"level":"error"}}`, id))
	case 4:
		r = post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"resources/subscribe","params":{"uri":"x://a"}}`, id))
	case 5:
		r = request(c.t, http.MethodPost, c.url, modernHeaders("subscriptions/listen", ""), listenBody(id))
	case 6:
		r = toolCall(c.t, c.url, id, "steps", `{"steps":20}`, token)
	default:
		r = post(legacyCall(id, "steps", `{"steps":20}`))
	}
	ctx, leave := context.WithCancel(c.t.Context())
	defer leave()
	response, err := c.client.Do(r.WithContext(ctx))
	if err != nil {
		c.t.Error(err)
		return false
	}
	defer response.Body.Close()
	return c.take(response)
}

func (c *churner) take(response *http.Response) (goesOn bool) {
	text := make([]byte, 1+rand.IntN(3000))
	n, _ := response.Body.Read(text) // every stream says something at once
	text = text[:n]
	if at := strings.LastIndex(string(text), "id: "); at >= 0 {
		c.lastID, _, _ = strings.Cut(string(text)[at+len("id: "):], "\n")
	}
	switch code := response.StatusCode; {
	case code == http.StatusNotFound: // ended: as a client has to, it begins a new session
		c.begin()
	case code == http.StatusServiceUnavailable:
		return false
	case !slices.Contains([]int{200, 202, 400}, code):
		c.t.Errorf("got %d %s", code, text)
	}
	return true
}

func (c *churner) begin() {
	r := request(c.t, http.MethodPost, c.url, http.Header{"Content-Type": {jsonType}}, fmt.Sprintf(initializeBody, priming2025))
	response := open(c.t, c.client, r)
	response.Body.Close()
	c.header = http.Header{"Content-Type": {jsonType}, "Accept": {"application/json, text/event-stream"}}
	c.header.Set("Mcp-Session-Id", response.Header.Get("Mcp-Session-Id"))
}

// Whatever clients are about when the server drains, it comes to its end, and nothing is left.
func TestADrainAmidComingAndGoingComesToItsEnd(t *testing.T) {
	t.Parallel()
	for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		f := newFixture(&mcp.Options{Dynamic: true, ResourceUpdates: true})
		mcp.AddFixedResource(f.server, mcp.Resource{URI: "x://a", Name: "a"}, "a")
		h := f.handler(t, nil)
		s := serveHandler(t, h)
		if proto == "HTTP/2.0" {
			s = newHTTP2(t, h)
		}
		var steps atomic.Int64
		warm := make(chan struct{})
		var group sync.WaitGroup
		for range 16 {
			group.Go(func() {
				c := &churner{t: t, client: s.Client(), url: s.URL}
				for c.begin(); c.step(); {
					if steps.Add(1) == 500 {
						close(warm)
					}
				}
			})
		}
		group.Go(func() {
			for i := range 20 {
				f.addTool(t, fmt.Sprint("more-", i))
				_ = f.server.ResourceUpdated(t.Context(), "x://a")
			}
		})
		<-warm
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		if err := h.Drain(ctx); err != nil {
			t.Errorf("%s: %v", proto, err)
		}
		stop()
		group.Wait()
	}
}
