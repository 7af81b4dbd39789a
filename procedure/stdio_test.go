package procedure_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/procedure"
	"github.com/bowline-go/mcp/stdio"
)

func TestALargeImageGoesOutOverStdioWithFlatMemory(t *testing.T) {
	const size = 64 << 20
	image := &source{n: size}
	var table procedure.Table
	register(t, &table, "x", func() io.Reader { return image })
	d := procedure.NewDeclaration("s", "1")
	d.AddTool(tool("x")).Render(content.ImageOf(""))
	server := procedure.NewServer(d, &table, &mcp.Options{Legacy: mcp.LegacySessionless})
	sink := &flow{head: make([]byte, 0, 128), tail: make([]byte, 0, 128)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := stdio.ServeStream(context.Background(), server, strings.NewReader(callX+"\n"), sink, &stdio.Options{Grace: time.Hour}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 2<<20 {
		t.Errorf("%d bytes were allocated, want less than 2 MiB", allocated)
	}
	if sink.size < int64(base64.StdEncoding.EncodedLen(size)) || !strings.HasSuffix(string(sink.tail), "\"isError\":false}}\n") || image.closed != 1 {
		t.Errorf("%d bytes, ending in %s, closed %d times", sink.size, sink.tail, image.closed)
	}
}

// TestUpstreamWithHeaders is the loop of a program that frames messages with a Content-Length, message by message and as
// a stream.
func TestUpstreamWithHeaders(t *testing.T) {
	const (
		call   = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":6,"b":7}}}`
		answer = `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"13"}],"isError":false}}`
	)
	session := connect(t, upstream(t)).session
	if got := string(stdio.Dispatch(context.Background(), session, []byte(call))); got != answer {
		t.Errorf("got %s", got)
	}
	if got := stdio.Dispatch(context.Background(), session, []byte(strings.Replace(call, `"id":3,`, "", 1))); got != nil {
		t.Errorf("got %s, want no answer to a notification", got)
	}
	var in, out bytes.Buffer
	other := strings.NewReplacer(`"id":3`, `"id":4`)
	want := []string{answer, other.Replace(answer)}
	for _, message := range []string{call, other.Replace(call)} {
		if err := stdio.WriteMessage(&in, []byte(message)); err != nil {
			t.Fatal(err)
		}
	}
	if err := stdio.ServeStream(context.Background(), upstream(t), oneByteReader{&in}, &out, nil); err != nil {
		t.Fatal(err)
	}
	var got []string
	for frames := bufio.NewReader(&out); ; {
		message, err := stdio.ReadMessage(frames, len(answer))
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(message))
	}
	slices.Sort(got) // the two run at the same time
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
