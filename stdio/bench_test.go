package stdio_test

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/stdio"
)

// A requests is an input that gives the same bytes once a turn of a benchmark.
type requests struct {
	b    *testing.B
	data []byte
}

func (r *requests) Read(p []byte) (int, error) {
	if !r.b.Loop() {
		return 0, io.EOF
	}
	return copy(p, r.data), nil
}

func BenchmarkServeStream(b *testing.B) {
	for name, n := range map[string]int{"1 call a read": 1, "64 calls a read": 64} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			in := &requests{b, []byte(strings.Repeat(echo(1, "世界")+"\n", n))}
			if err := stdio.ServeStream(context.Background(), newServer(nil), in, io.Discard, nil); err != nil {
				b.Fatal(err)
			}
		})
	}
}

func BenchmarkReadMessage(b *testing.B) {
	b.ReportAllocs()
	msg := framed(echo(1, "世界"))
	r := bufio.NewReader(nil)
	for b.Loop() {
		r.Reset(strings.NewReader(msg))
		if _, err := stdio.ReadMessage(r, 1000); err != nil {
			b.Fatal(err)
		}
	}
}

// nowhere is a sink that encodes replies, as a transport does.
type nowhere struct{ buf []byte }

func (*nowhere) Notify([]byte) error { return nil }
func (*nowhere) Wake()               {}
func (n *nowhere) Reply(r *mcp.Reply) {
	n.buf, _ = r.AppendTo(n.buf[:0])
}

func TestServingAllocatesNothingOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // no time passes, so no call counts as slow
		const calls = 2000
		server, line := newServer(nil), echo(1, "世界")
		session, err := server.Connect(mcp.ConnectOptions{Transport: "stdio"})
		if err != nil {
			t.Fatal(err)
		}
		sink := new(nowhere)
		// As many calls a run as below: AllocsPerRun rounds down, and the pools of the core are not always full.
		core := testing.AllocsPerRun(3, func() {
			for range calls {
				session.Handle(t.Context(), []byte(line), sink)
			}
		})
		input := strings.Repeat(line+"\n", calls)
		all := testing.AllocsPerRun(3, func() {
			stdio.ServeStream(t.Context(), server, strings.NewReader(input), io.Discard, nil)
		})
		if own := (all - core) / calls; own > 0.1 {
			t.Errorf("%.2f allocations a call beside the %.2f of the core", own, core/calls)
		}
	})
}
