package stdio_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/stdio"
)

// addImage adds a tool that answers with what source gives, as an image.
func addImage(server *mcp.Server, name string, source func() content.Image) {
	addTool(server, name, func(context.Context, string) (content.Image, error) { return source(), nil })
}

// picture is n bytes.
func picture(n int) []byte { return bytes.Repeat([]byte("0123456789ab"), n/12+1)[:n] }

func (m message) data(t *testing.T) []byte {
	t.Helper()
	if m.Result == nil || len(m.Result.Content) == 0 {
		t.Fatalf("no content in %.200s", m.raw)
	}
	data, err := base64.StdEncoding.DecodeString(m.Result.Content[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestLargeRepliesArriveWhole(t *testing.T) {
	sources := map[string]func(n int) content.Image{
		"bytes":    func(n int) content.Image { return content.Image{Data: picture(n)} },
		"a reader": func(n int) content.Image { return content.Image{Reader: bytes.NewReader(picture(n))} },
		"a slow reader": func(n int) content.Image {
			return content.Image{Reader: iotest.HalfReader(bytes.NewReader(picture(n)))}
		},
	}
	for name, source := range sources {
		for _, n := range []int{1, 40 << 10, 48 << 10, 64 << 10, 190 << 10, 192 << 10, 300 << 10, 1 << 20} {
			t.Run(fmt.Sprintf("%s of %d bytes", name, n), func(t *testing.T) {
				server := newServer(nil)
				addImage(server, "image", func() content.Image { return source(n) })
				c := connect(t, server, nil)
				c.send(call(1, "image", "{}"))
				if got := c.next().data(t); !bytes.Equal(got, picture(n)) {
					t.Errorf("%d bytes came, or wrong ones", len(got))
				}
				c.end()
			})
		}
	}
}

func TestASlowSourceLeavesTheLineToOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil)
		r, w := io.Pipe()
		addImage(server, "slow", func() content.Image { return content.Image{Reader: r} })
		c := connect(t, server, nil)
		c.send(call(1, "slow", "{}"))
		w.Write(picture(100 << 10)) // 256 KiB may come before it takes the line
		c.send(echo(2, "a"))
		if m := c.next(); m.ID != 2 {
			t.Errorf("got %.200s, want the other answer", m.raw)
		}
		w.Close()
		if got := c.next().data(t); !bytes.Equal(got, picture(100<<10)) {
			t.Errorf("%d bytes of the picture came, or wrong ones", len(got))
		}
		c.end()
	})
}

func TestALargeSourceTakesTheLineUntilItEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil)
		r, w := io.Pipe()
		addImage(server, "slow", func() content.Image { return content.Image{Reader: r} })
		c := connect(t, server, nil)
		c.send(call(1, "slow", "{}"))
		go func() {
			w.Write(picture(1 << 20))
			for id := 2; id < 100; id++ {
				c.send(echo(id, "世界"))
			}
			synctest.Wait()
			w.Close()
			c.in.Close()
		}()
		if got := c.next().data(t); !bytes.Equal(got, picture(1<<20)) {
			t.Errorf("%d bytes of the picture came, or wrong ones", len(got))
		}
		all, err := c.rest()
		if err != nil || len(all) != 98 {
			t.Errorf("%d answers after the large one, error %v; want 98", len(all), err)
		}
	})
}

func TestAFailingSourceLeavesACompleteMessage(t *testing.T) {
	for _, n := range []int{0, 1000, 400 << 10} {
		server := newServer(nil)
		addImage(server, "failing", func() content.Image {
			return content.Image{Reader: io.MultiReader(bytes.NewReader(picture(n)), iotest.ErrReader(errors.New("broken")))}
		})
		c := connect(t, server, nil)
		c.send(call(1, "failing", "{}"), echo(2, "a"))
		ids := c.next().ID + c.next().ID // decoding them is the test
		if ids != 3 {
			t.Errorf("%d bytes before the failure: the answers' ids add up to %d", n, ids)
		}
		c.end()
	}
}

func TestAStreamedReplyWithAHeaderIsBounded(t *testing.T) {
	server := newServer(&mcp.Options{MaxMessageBytes: 1 << 20})
	for name, n := range map[string]int{"small": 100 << 10, "large": 2 << 20} {
		addImage(server, name, func() content.Image { return content.Image{Reader: bytes.NewReader(picture(n))} })
	}
	var out strings.Builder
	in := strings.NewReader(framed(call(1, "small", "{}")) + framed(call(2, "large", "{}")) + framed(echo(3, "a")))
	if err := stdio.ServeStream(context.Background(), server, in, &out, nil); err != nil {
		t.Fatal(err)
	}
	for rest := out.String(); rest != ""; {
		head, body, _ := strings.Cut(rest, "\r\n\r\n")
		n := 0
		json.Unmarshal([]byte(strings.TrimPrefix(head, "Content-Length: ")), &n)
		if n == 0 || n > len(body) {
			t.Fatalf("bad header %q", head)
		}
		m := decode(t, body[:n])
		switch {
		case m.ID == 1 && !bytes.Equal(m.data(t), picture(100<<10)):
			t.Error("the small picture is wrong")
		case m.ID == 2 && (m.Error == nil || m.Error.Code != -32603):
			t.Errorf("the large picture came as %.200s, want an error", m.raw)
		}
		rest = body[n:]
	}
}
