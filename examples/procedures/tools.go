package main

import (
	"cmp"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"slices"
	"strings"
	"time"
)

// divide has several results: they become an object with the names of the declaration.
func divide(dividend, divisor int) (quotient, remainder int, err error) {
	if divisor == 0 {
		return 0, 0, errors.New("the divisor is 0; use another one")
	}
	return dividend / divisor, dividend % divisor, nil
}

type word struct {
	Word  string `json:"word"`
	Count int    `json:"count"`
}

// countWords has an optional parameter: most is nil when a call leaves it out.
func countWords(text string, most *int) []word {
	counts := map[string]int{}
	for _, w := range strings.Fields(text) {
		counts[w]++
	}
	words := make([]word, 0, len(counts))
	for w, n := range counts {
		words = append(words, word{w, n})
	}
	slices.SortFunc(words, func(a, b word) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Word, b.Word))
	})
	if most != nil && *most < len(words) {
		words = words[:*most]
	}
	return words
}

// drawGradient returns a reader, so that the picture goes out while it is drawn. Closing the reader, which happens also when
// the client is gone, ends the drawing.
func drawGradient(size int) io.Reader {
	r, w := io.Pipe()
	go func() { w.CloseWithError(png.Encode(w, gradient{size})) }()
	return r
}

// gradient is a picture that needs no memory.
type gradient struct{ size int }

func (g gradient) ColorModel() color.Model { return color.RGBAModel }
func (g gradient) Bounds() image.Rectangle { return image.Rect(0, 0, g.size, g.size) }

func (g gradient) At(x, y int) color.Color {
	return color.RGBA{R: uint8(255 * x / g.size), G: uint8(255 * y / g.size), B: 128, A: 255}
}

// remind is asynchronous: it returns at once, and the result comes through done. When the call is cancelled, nobody waits for
// the result any more, and the timer is stopped.
func remind(ctx context.Context, message string, seconds int, done func(string)) {
	timer := time.AfterFunc(time.Duration(seconds)*time.Second, func() { done(message) })
	context.AfterFunc(ctx, func() { timer.Stop() })
}
