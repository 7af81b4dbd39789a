package main

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
)

// imageBytes is the size of the picture of the image tool.
const imageBytes = 1 << 20

type addIn struct {
	A int `json:"a"`
	B int `json:"b"`
}

type echoIn struct {
	Text string `json:"text"`
}

type progressIn struct {
	Steps int `json:"steps"`
}

type fillerIn struct {
	Query   string   `json:"query" doc:"what to look for"`
	Limit   int      `json:"limit" doc:"most results"`
	Offset  int      `json:"offset" doc:"results to skip"`
	Tags    []string `json:"tags" doc:"tags to match"`
	Verbose bool     `json:"verbose" doc:"more detail"`
}

// newServer has the tools that every server of the comparison has, and so many fillers for tools/list. encodes has the
// picture of the image tool encoded in every call.
func newServer(fillers int, encodes bool) *mcp.Server {
	// Like the peers, it declares that its list of tools may change: without that there is nothing to listen to.
	server := mcp.NewServer("bench", "1.0.0", &mcp.Options{Dynamic: true})
	mcp.AddTool(server, mcp.Tool{Name: "add", Description: "Add two numbers"},
		func(_ context.Context, in addIn) (string, error) { return strconv.Itoa(in.A + in.B), nil })
	mcp.AddTool(server, mcp.Tool{Name: "echo", Description: "Echo the text"},
		func(_ context.Context, in echoIn) (string, error) { return in.Text, nil })
	mcp.AddTool(server, mcp.Tool{Name: "image", Description: "Return a 1 MiB image"}, image(encodes))
	mcp.AddTool(server, mcp.Tool{Name: "progress", Description: "Report progress"}, progress)
	for i := range fillers {
		mcp.AddTool(server, mcp.Tool{
			Name:        fmt.Sprintf("filler_%03d", i),
			Description: fmt.Sprintf("Filler tool number %d for measuring tools/list", i),
		}, func(context.Context, fillerIn) (string, error) { return "", nil })
	}
	return server
}

// image returns a picture that never changes, and so is encoded once unless each call shall do it.
func image(encodes bool) func(context.Context, struct{}) (content.Block, error) {
	if encodes {
		picture := sync.OnceValue(pictureData)
		return func(context.Context, struct{}) (content.Block, error) { return content.PNG(picture()), nil }
	}
	picture := sync.OnceValues(func() (content.Prepared, error) { return content.Prepare(content.PNG(pictureData())) })
	return func(context.Context, struct{}) (content.Block, error) { return picture() }
}

func progress(ctx context.Context, in progressIn) (string, error) {
	for i := range in.Steps {
		mcp.Progress(ctx, float64(i+1), float64(in.Steps), "")
	}
	return "done", nil
}

// pictureData is what the load generator expects of the image tool: the top bytes of a linear congruential generator.
func pictureData() []byte {
	data := make([]byte, imageBytes)
	x := uint32(1)
	for i := range data {
		x = x*1664525 + 1013904223
		data[i] = byte(x >> 24)
	}
	return data
}
