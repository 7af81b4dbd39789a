// Package workload knows what the benchmark asks of a server: how each request is written and how its answer is judged.
//
// This package does not send anything, and does not know how long an answer took.
package workload

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

const (
	fillerTools   = 100 // what list100 gives the server's -tools flag
	baseTools     = 4   // add, echo, image, progress
	progressSteps = 10
	imageSize     = 1 << 20
)

// A Workload is one kind of request.
type Workload struct {
	Name       string
	Method     string   // JSON-RPC method
	Tool       string   // tool name, empty unless Method is tools/call
	ServerArgs []string // what the server must be started with
	Levels     []int    // default windows (stdio) or connection counts (http)
	Notes      int      // progress notifications expected before the answer

	args  func(dst []byte, id int64) []byte // appends the arguments object
	check func(msg []byte, id int64) error  // fast check of a whole answer
	deep  func(res *result, id int64) error // full check of a decoded answer
}

// All are the workloads of a full run, in its order.
func All() []*Workload {
	return []*Workload{
		Add(), echo("echo1k", 1<<10, 1, 16), echo("echo64k", 64<<10, 16), list(), image(), progress(),
	}
}

// Named is the workload of that name.
func Named(name string) (*Workload, error) {
	for _, w := range All() {
		if w.Name == name {
			return w, nil
		}
	}
	return nil, fmt.Errorf("unknown workload %q", name)
}

// Add is the smallest call: two integers, whose sum is the answer.
func Add() *Workload {
	sum := func(id int64) string { return strconv.FormatInt(id+1000003, 10) }
	return &Workload{
		Name: "add", Method: "tools/call", Tool: "add", Levels: []int{1, 16, 64},
		args: func(dst []byte, id int64) []byte {
			dst = append(dst, `{"a":`...)
			dst = strconv.AppendInt(dst, id, 10)
			return append(dst, `,"b":1000003}`...)
		},
		check: func(msg []byte, id int64) error { return hasMember(msg, "text", []byte(sum(id))) },
		deep:  func(r *result, id int64) error { return r.wantText(sum(id)) },
	}
}

// echo sends a text of n bytes and wants it back.
func echo(name string, n int, levels ...int) *Workload {
	text := echoText(n)
	encoded, _ := json.Marshal(text)
	encoded = encoded[1 : len(encoded)-1]
	return &Workload{
		Name: name, Method: "tools/call", Tool: "echo", Levels: levels,
		args: func(dst []byte, _ int64) []byte {
			dst = append(dst, `{"text":"`...)
			dst = append(dst, encoded...)
			return append(dst, `"}`...)
		},
		check: func(msg []byte, _ int64) error { return hasMember(msg, "text", encoded) },
		deep:  func(r *result, _ int64) error { return r.wantText(text) },
	}
}

// echoText returns n bytes of prose with the occasional quote, newline and multi-byte rune, all of which every JSON
// encoder writes the same way.
func echoText(n int) string {
	const line = "The quick brown fox jumps over the lazy dog; \"pack my box\" with five dozen jugs, caf\u00e9 \u6f22\u5b57.\n"
	s := strings.Repeat(line, n/len(line)+1)[:n]
	s = strings.ToValidUTF8(s, "")
	return s + strings.Repeat(".", n-len(s))
}

func list() *Workload {
	return &Workload{
		Name: "list100", Method: "tools/list", Levels: []int{16},
		ServerArgs: []string{"-tools", strconv.Itoa(fillerTools)},
		check: func(msg []byte, _ int64) error {
			if n := bytes.Count(msg, []byte(`"inputSchema":`)); n != fillerTools+baseTools {
				return fmt.Errorf("%d tools listed, want %d", n, fillerTools+baseTools)
			}
			return nil
		},
		deep: func(r *result, _ int64) error {
			full := 0
			for _, t := range r.Tools {
				if len(t.InputSchema.Properties) == 5 && t.InputSchema.Type == "object" {
					full++
				}
			}
			if full != fillerTools || r.NextCursor != "" {
				return fmt.Errorf("%d tools with 5 properties (cursor %q), want %d", full, r.NextCursor, fillerTools)
			}
			return nil
		},
	}
}

func image() *Workload {
	want := sync.OnceValue(imageBase64)
	return &Workload{
		Name: "image1m", Method: "tools/call", Tool: "image", Levels: []int{16},
		args:  func(dst []byte, _ int64) []byte { return append(dst, `{}`...) },
		check: func(msg []byte, _ int64) error { return hasMember(msg, "data", want()) },
		deep: func(r *result, _ int64) error {
			for _, c := range r.Content {
				if c.Type == "image" && c.MimeType == "image/png" && c.Data == string(want()) {
					return nil
				}
			}
			return errors.New("no image block with the expected data")
		},
	}
}

// imageBase64 is the answer expected from the image tool: imageSize bytes of a linear congruential generator, so that
// every server can make the same bytes.
func imageBase64() []byte {
	data := make([]byte, imageSize)
	x := uint32(1)
	for i := range data {
		x = x*1664525 + 1013904223
		data[i] = byte(x >> 24)
	}
	return []byte(base64.StdEncoding.EncodeToString(data))
}

func progress() *Workload {
	return &Workload{
		Name: "sse10", Method: "tools/call", Tool: "progress", Levels: []int{16}, Notes: progressSteps,
		args:  func(dst []byte, _ int64) []byte { return append(dst, `{"steps":10}`...) },
		check: func(msg []byte, _ int64) error { return hasMember(msg, "text", []byte("done")) },
		deep:  func(r *result, _ int64) error { return r.wantText("done") },
	}
}
