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
	"github.com/bowline-go/mcp/mcphttp"
)

// churner does what clients do with streams, in any order, and leaves them in the middle.
type churner struct {
	t      *testing.T
	client *http.Client
	url    string
	header http.Header
	lastID string
	n      int
	ending *atomic.Bool // the server may be gone
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
		if !c.ending.Load() {
			c.t.Error(err)
		}
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
		return c.begin()
	case code == http.StatusServiceUnavailable:
		return false
	case !slices.Contains([]int{200, 202, 400}, code):
		c.t.Errorf("got %d %s", code, text)
	}
	return true
}

func (c *churner) begin() (goesOn bool) {
	r := request(c.t, http.MethodPost, c.url, http.Header{"Content-Type": {jsonType}}, fmt.Sprintf(initializeBody, priming2025))
	response, err := c.client.Do(r)
	if err != nil {
		if !c.ending.Load() {
			c.t.Error(err)
		}
		return false
	}
	response.Body.Close()
	c.header = http.Header{"Content-Type": {jsonType}, "Accept": {"application/json, text/event-stream"}}
	c.header.Set("Mcp-Session-Id", response.Header.Get("Mcp-Session-Id"))
	return true
}

// Whatever clients are about when the server drains, it comes to its end, and nothing is left.
func TestADrainAmidComingAndGoingComesToItsEnd(t *testing.T) {
	t.Parallel()
	for _, server := range []string{"HTTP/1.1", "HTTP/2.0", "a server of ours"} {
		f := newFixture(&mcp.Options{Dynamic: true, ResourceUpdates: true})
		mcp.AddFixedResource(f.server, mcp.Resource{URI: "x://a", Name: "a"}, "a")
		var ending atomic.Bool
		var drain func() error
		c := churner{t: t, client: testClient, ending: &ending}
		if server == "a server of ours" {
			base, stop := f.listen(t, mcphttp.Options{Grace: 20 * time.Second})
			c.url, drain = base+"/mcp", func() error { ending.Store(true); return stop() }
		} else {
			h := f.handler(t, nil)
			s := serveHandler(t, h)
			if server == "HTTP/2.0" {
				s = newHTTP2(t, h)
			}
			c.url, c.client = s.URL, s.Client()
			drain = func() error {
				ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
				defer stop()
				return h.Drain(ctx)
			}
		}
		churn(t, f, c, drain, server)
	}
}

// churn lets many clients do what they do, and drains the server in the middle of it.
func churn(t *testing.T, f *fixture, as churner, drain func() error, server string) {
	var steps atomic.Int64
	warm := make(chan struct{})
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			c := as
			for goesOn := c.begin(); goesOn; goesOn = c.step() {
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
	if err := drain(); err != nil {
		t.Errorf("%s: %v", server, err)
	}
	group.Wait()
}
