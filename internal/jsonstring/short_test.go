package jsonstring_test

import (
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

// Every byte is asked at every place of a text, whatever stands behind it.
func TestShortFindsExactlyTheShortStringsOfPlainASCII(t *testing.T) {
	tails := []string{"", ":", `,"b":1}}`, "世界世界", `\"\"\"\"\"`, `""""""""`, "\x00\x01\x7f\x80\xff\xff\xff\xff\xff"}
	for size := range 11 {
		for place := range max(size, 1) {
			for c := range 0x100 {
				text := []byte(strings.Repeat("a", size))
				if size > 0 {
					text[place] = byte(c)
				}
				for _, tail := range tails {
					src := []byte(`{"` + string(text) + `"` + tail)
					want := 0
					end, escaped, fault := jsonstring.End(src, 1)
					if found := string(src[2:max(end-1, 2)]); fault == "" && !escaped && len(found) <= 8 && isASCII(found) && len(src) >= 2+9 {
						want = end - 1
					}
					if got := jsonstring.Short(src, 2); got != want {
						t.Fatalf("%q: %d, want %d", src, got, want)
					}
				}
			}
		}
	}
}

func isASCII(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0 }
