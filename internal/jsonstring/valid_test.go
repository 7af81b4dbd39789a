package jsonstring_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

// Pairs of runes, blocks of ASCII and the rest take ways of their own: each encoding is asked in front of and behind all.
func TestValidSaysWhatUnicodeUTF8Says(t *testing.T) {
	surroundings := [][2]string{{"", ""}, {"a", "bcdefgh"}, {"世", "界"}, {"世界", "世界世界"}, {"é", "é"}, {strings.Repeat("a", 33), "世"}}
	var text [4]byte
	for high := range 0x100 {
		for _, second := range []byte{0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff} {
			for _, third := range []byte{0x7f, 0x80, 0xbf, 0xc0} {
				for size := 1; size <= 4; size++ {
					text = [4]byte{byte(high), second, third, 0x80}
					for _, around := range surroundings {
						s := around[0] + string(text[:size]) + around[1]
						if got := jsonstring.Valid(s); got != utf8.ValidString(s) || got != jsonstring.Valid([]byte(s)) {
							t.Fatalf("%q: %v", s, got)
						}
					}
				}
			}
		}
	}
}

func TestEveryRuneIsValid(t *testing.T) {
	for r := range rune(utf8.MaxRune + 1) {
		if !utf8.ValidRune(r) {
			continue
		}
		if s := string([]rune{r, r}) + "123456"; !jsonstring.Valid(s) {
			t.Fatalf("%q is refused", s)
		}
	}
}
