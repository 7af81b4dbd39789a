package content

import "unicode/utf8"

// wholeRunes is the length of s without a rune at its end that more bytes could complete.
func wholeRunes(s []byte) int {
	for back := 1; back < utf8.UTFMax && back <= len(s); back++ {
		at := len(s) - back
		if !utf8.RuneStart(s[at]) {
			continue
		}
		if !utf8.FullRune(s[at:]) {
			return at
		}
		break
	}
	return len(s)
}

// cutRunes returns the largest cut of at most most bytes that divides no rune.
func cutRunes[S string | []byte](s S, most int) int {
	if most >= len(s) {
		return len(s)
	}
	for cut := most; cut > most-utf8.UTFMax && cut > 0; cut-- {
		if utf8.RuneStart(s[cut]) {
			return cut
		}
	}
	return most // stray continuation bytes: each is replaced by itself
}
