package stdio_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/stdio"
)

const handshake = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{"elicitation":{}},"clientInfo":{"name":"old","version":"1"}}}`

func TestAHandshakeThatIsStuckDoesNotKeepTheProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil)
		release := make(chan struct{})
		server.Use(func(next mcp.Handler) mcp.Handler {
			return func(ctx context.Context, req *mcp.Request) (mcp.Result, error) {
				if req.Method() == "initialize" {
					<-release
				}
				return next(ctx, req)
			}
		})
		c := connect(t, server, nil)
		c.send(handshake, echo(1, "世界"))
		begun := time.Now()
		c.in.Close()
		all, err := c.rest()
		if err == nil || len(all) != 1 || all[0].text() != "世界" || time.Since(begun) > 5*time.Second {
			t.Errorf("after %v: %v, %v", time.Since(begun), all, err)
		}
		close(release)
	})
}

func TestAClientThatReadsSlowlyAfterItsEndGetsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil)
		big := strings.Repeat("世", 100<<10)
		addTool(server, "big", func(context.Context, string) (string, error) { return big, nil })
		c := connect(t, server, nil)
		for i := range 20 {
			c.send(call(i, "big", "{}"))
		}
		c.in.Close()
		n, buf := 0, make([]byte, 64<<10)
		for {
			got, err := c.back.Read(buf)
			n += strings.Count(string(buf[:got]), "\n")
			if err != nil {
				break
			}
			<-time.After(200 * time.Millisecond)
		}
		if err := <-c.done; n != 20 || err != nil {
			t.Errorf("%d replies and %v, want 20 and no error", n, err)
		}
	})
}

func TestAHandlerThatDoesNotStopTellingIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil)
		release := make(chan struct{})
		addTool(server, "tell", func(ctx context.Context, _ string) (string, error) {
			tick := time.NewTicker(time.Millisecond)
			defer tick.Stop()
			for i := 1; ; i++ {
				mcp.Progress(ctx, float64(i), 0, "")
				select {
				case <-release:
					return "", nil
				case <-tick.C:
				}
			}
		})
		c := connect(t, server, nil)
		c.send(call(1, "tell", "{}"))
		begun := time.Now()
		c.in.Close()
		if _, err := c.rest(); err == nil || !strings.Contains(err.Error(), "1 calls did not end") || time.Since(begun) > 5*time.Second {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
		close(release)
	})
}

func TestAReaderThatEndsItsGoroutineLeavesTheLineInOrder(t *testing.T) {
	server := newServer(nil)
	addTool(server, "exit", func(context.Context, string) (content.Block, error) {
		reads := 0
		return content.Image{Reader: reader(func(p []byte) (int, error) {
			if reads++; reads > 64 {
				runtime.Goexit()
			}
			return len(p), nil
		})}, nil
	})
	c := connect(t, server, nil)
	for i := range 3 {
		c.send(call(i, "exit", "{}"))
		if m := c.next(); m.ID != i || m.Result == nil || !m.Result.IsError {
			t.Errorf("%.200s", m.raw)
		}
	}
	c.send(echo(9, "😀"))
	if m := c.next(); m.text() != "😀" {
		t.Errorf("%s", m.raw)
	}
	c.end()
}

type reader func(p []byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

func TestAnswersThatNobodyWaitsForChangeNothing(t *testing.T) {
	server := newServer(nil)
	addTool(server, "ask", func(ctx context.Context, _ string) (string, error) {
		in, err := mcp.Ask[textIn](ctx, "k", "Which?")
		return in.Text, err
	})
	c := connect(t, server, nil)
	c.send(handshake, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	c.next()
	answer := func(id, text string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"accept","content":{"text":"` + text + `"}}}`
	}
	for i, right := range []string{"世界", strings.Repeat("😀", 1<<18)} {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"ask"}}`, i+1))
		line, err := c.out.ReadString('\n')
		var question struct{ ID json.RawMessage }
		if err != nil || json.Unmarshal([]byte(line), &question) != nil || !strings.Contains(line, "elicitation/create") {
			t.Fatalf("%v: %s", err, line)
		}
		id := string(question.ID)
		c.send(answer(fmt.Sprint(i+1), "own id"), answer(`"ask-unknown"`, "unknown"), answer(id, right), answer(id, "twice"))
		if m := c.next(); m.ID != i+1 || m.text() != right {
			t.Errorf("%.200s", m.raw)
		}
	}
	c.end()
}

// Each subscription is acknowledged before anything is sent for it, and nothing follows its end.
func TestSubscriptionsKeepTheirOrderWhileTheRegistryChanges(t *testing.T) {
	server := newServer(&mcp.Options{Dynamic: true})
	c := connect(t, server, nil)
	const most = 300
	changed := make(chan struct{})
	go func() {
		defer close(changed)
		for i := range most {
			name := fmt.Sprint("t", i)
			_ = server.Change(context.Background(), func(change *mcp.Change) {
				mcp.AddTool(change, mcp.Tool{Name: name, Description: "x"}, func(context.Context, textIn) (string, error) { return "", nil })
			})
		}
	}()
	go func() {
		for i := range most {
			line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{"_meta":{%s},"notifications":{"toolsListChanged":true}}}`, i+1, meta)
			if i%3 == 2 {
				line += "\n" + cancelled(i+1)
			}
			if _, err := io.WriteString(c.in, line+"\n"); err != nil {
				return
			}
		}
		<-changed
		c.in.Close()
	}()
	acknowledged, ended := map[string]bool{}, map[string]bool{}
	for {
		line, err := c.out.ReadString('\n')
		if err != nil {
			break
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				RequestID json.RawMessage
				Meta      map[string]json.RawMessage `json:"_meta"`
			}
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(line)
		}
		id := string(m.Params.Meta["io.modelcontextprotocol/subscriptionId"])
		switch m.Method {
		case "":
			ended[string(m.ID)] = true
		case "notifications/subscriptions/acknowledged":
			acknowledged[id] = true
		case "notifications/cancelled":
			if !ended[string(m.Params.RequestID)] {
				t.Errorf("cancelled before its result: %s", line)
			}
		default:
			if !acknowledged[id] || ended[id] {
				t.Errorf("out of order: %s", line)
			}
		}
	}
	if err := <-c.done; err != nil || len(ended) != most-most/3 {
		t.Errorf("%d subscriptions ended, want %d; error %v", len(ended), most-most/3, err)
	}
}

// FuzzConversation sends anything, in either framing, and wants the last call answered and nothing but messages.
func FuzzConversation(f *testing.F) {
	for _, line := range []string{
		echo(1, "世界😀"), handshake, `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "\ufeff{}", "{\"id\":1,\"\\u0069d\":2}", `{"jsonrpc":"2.0","id":1.0,"method":"x"}`,
		handshake + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n" + cancelled(1),
		`{"jsonrpc":"2.0","id":"` + "\xed\xa0\x80" + `","method":"x"}`, `{"jsonrpc":"2.0","id":1,"method":"\ud800"}`, "{\x00}", strings.Repeat("[", 100), strings.Repeat(`{"a":`, 100), "null\r\r\n",
	} {
		f.Add(line, false)
		f.Add(line, true)
	}
	server := newServer(&mcp.Options{Dynamic: true, MaxMessageBytes: 64 << 10})
	f.Fuzz(func(t *testing.T, text string, framed bool) {
		in, last := strings.NewReader(""), echo(987654321, "last")
		if framed {
			var b strings.Builder
			for _, message := range append(strings.Split(text, "\n"), last) {
				fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(message), message)
			}
			in.Reset(b.String())
		} else {
			in.Reset("\n{}\n" + text + "\n" + last)
		}
		var out strings.Builder
		if err := stdio.ServeStream(context.Background(), server, in, &out, nil); err != nil {
			t.Fatal(err)
		}
		answered := 0
		for _, line := range strings.Split(out.String(), "\n") {
			if line = strings.TrimSuffix(line, "\r"); framed {
				line, _, _ = strings.Cut(line, "Content-Length: ")
			}
			if line != "" && !json.Valid([]byte(line)) {
				t.Errorf("no message: %q", line)
			}
			answered += strings.Count(line, `"id":987654321,"result"`)
		}
		if answered != 1 {
			t.Errorf("the last call was answered %d times: %q", answered, out.String())
		}
	})
}
