package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
)

func addTools(r mcp.Registrar) {
	mcp.AddTool(r, mcp.Tool{
		Name: "echo", Description: "Repeat a message; reports progress and logs when asked", ReadOnly: new(true),
	}, echo)
	mcp.AddTool(r, mcp.Tool{
		Name: "add", Title: "Adder", Description: "Add two numbers", ReadOnly: new(true), Idempotent: new(true),
	}, add)
	mcp.AddTool(r, mcp.Tool{
		Name: "picture", Description: "Draw a small picture", ReadOnly: new(true),
	}, picture)
	mcp.AddTool(r, mcp.Tool{
		Name: "fail", Description: "Fail with a message, to show how errors reach a model",
	}, func(_ context.Context, in failIn) (struct{}, error) { return struct{}{}, errors.New(in.Message) })
	mcp.AddTool(r, mcp.Tool{
		Name: "slow", Description: "Take some seconds; can be cancelled", ReadOnly: new(true),
	}, slow)
}

type echoIn struct {
	Message string `json:"message" doc:"What to repeat"`
}

func echo(ctx context.Context, in echoIn) (string, error) {
	mcp.Progress(ctx, 0.5, 1, "echoing")
	mcp.Logger(ctx).InfoContext(ctx, "echo invoked", "length", len(in.Message))
	mcp.Progress(ctx, 1, 1, "echoing")
	return in.Message, nil
}

type addIn struct {
	A float64 `json:"a" doc:"First summand"`
	B float64 `json:"b" doc:"Second summand"`
}

type addOut struct {
	Sum float64 `json:"sum" doc:"a plus b"`
}

func add(_ context.Context, in addIn) (mcp.Output[addOut], error) {
	sum := in.A + in.B
	return mcp.Output[addOut]{
		Value:   addOut{sum},
		Content: []content.Block{content.Textf("The sum is %v", sum)},
	}, nil
}

type pictureIn struct {
	Size int `json:"size" doc:"Width and height in pixels" default:"64" min:"1" max:"512"`
}

func picture(_ context.Context, in pictureIn) (content.Image, error) {
	img := image.NewRGBA(image.Rect(0, 0, in.Size, in.Size))
	for y := range in.Size {
		for x := range in.Size {
			img.Set(x, y, color.RGBA{R: uint8(255 * x / in.Size), G: uint8(255 * y / in.Size), B: 128, A: 255})
		}
	}
	var buf bytes.Buffer
	if err := png.Encode(&buf, img); err != nil {
		return content.Image{}, err
	}
	return content.PNG(buf.Bytes()), nil
}

type failIn struct {
	Message string `json:"message" doc:"What goes wrong" default:"something went wrong"`
}

type slowIn struct {
	Seconds int `json:"seconds" doc:"How long to take" default:"5" min:"0" max:"60"`
}

func slow(ctx context.Context, in slowIn) (string, error) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for done := range in.Seconds {
		mcp.Progress(ctx, float64(done), float64(in.Seconds), "working")
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-tick.C:
		}
	}
	return fmt.Sprintf("took %d s", in.Seconds), nil
}
