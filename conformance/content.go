package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
)

// addContentTools are one tool for each kind of content block, and one that fails.
func addContentTools(r mcp.Registrar) {
	mcp.AddTool(r, mcp.Tool{Name: "test_simple_text", Description: "Returns a text"},
		func(context.Context, none) (string, error) {
			return "This is a simple text response for testing.", nil
		})
	mcp.AddTool(r, mcp.Tool{Name: "test_image_content", Description: "Returns a picture"},
		func(context.Context, none) (content.Image, error) { return content.PNG(pixel()), nil })
	mcp.AddTool(r, mcp.Tool{Name: "test_audio_content", Description: "Returns a recording"},
		func(context.Context, none) (content.Audio, error) {
			return content.Audio{Data: silence(), MIMEType: "audio/wav"}, nil
		})
	mcp.AddTool(r, mcp.Tool{Name: "test_embedded_resource", Description: "Returns a resource inside the result"},
		func(context.Context, none) (content.Embedded, error) {
			return content.Embed(content.TextContents("test://embedded-resource", "text/plain", "This is an embedded resource content.")), nil
		})
	mcp.AddTool(r, mcp.Tool{Name: "test_multiple_content_types", Description: "Returns a text, a picture and a resource"},
		func(context.Context, none) ([]content.Block, error) {
			return []content.Block{
				content.NewText("Multiple content types test:"),
				content.PNG(pixel()),
				content.Embed(content.TextContents("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`)),
			}, nil
		})
	mcp.AddTool(r, mcp.Tool{Name: "test_error_handling", Description: "Always fails"},
		func(context.Context, none) (none, error) {
			return none{}, mcp.UserErrorf("This tool intentionally returns an error for testing")
		})
}

// pixel is a picture of one red pixel.
func pixel() []byte {
	picture := image.NewRGBA(image.Rect(0, 0, 1, 1))
	picture.Set(0, 0, color.RGBA{R: 255, A: 255})
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		panic(err) // writing to memory does not fail
	}
	return b.Bytes()
}

// silence is a WAV file of no samples: mono, 8 kHz, 16 bits.
func silence() []byte {
	const rate, bits = 8000, 16
	b := []byte("RIFF")
	b = binary.LittleEndian.AppendUint32(b, 36)
	b = append(b, "WAVEfmt "...)
	b = binary.LittleEndian.AppendUint32(b, 16)
	b = binary.LittleEndian.AppendUint16(b, 1) // PCM
	b = binary.LittleEndian.AppendUint16(b, 1)
	b = binary.LittleEndian.AppendUint32(b, rate)
	b = binary.LittleEndian.AppendUint32(b, rate*bits/8)
	b = binary.LittleEndian.AppendUint16(b, bits/8)
	b = binary.LittleEndian.AppendUint16(b, bits)
	b = append(b, "data"...)
	return binary.LittleEndian.AppendUint32(b, 0)
}
