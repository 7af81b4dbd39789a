package uri

import "strings"

// span is where a value stands in the canonical URI. MaxURI fits.
type span struct{ from, to uint16 }

type spans [MaxVariables]span

// match fills found with the values of the path's variables in text.
//
// Every variable ends at the first place where the literal behind it stands, and that choice is never taken back. This
// finds a match whenever there is one: to end a narrow variable later could only help if a '/' stood between the two
// places, and then the variable would hold it. A wide variable may hold anything, so ending it early costs nothing,
// except before narrow ones: what follows it holds a known number of slashes, so it must reach behind the slashes that
// are too many (skipSlashes), and from there on the first place is right again.
func (w *path) match(text string, found *spans) bool {
	n := len(w.wide)
	if n == 0 {
		return text == w.literals[0]
	}
	if len(text) < w.least || !strings.HasPrefix(text, w.literals[0]) || !strings.HasSuffix(text, w.literals[n]) {
		return false
	}
	end := len(text) - len(w.literals[n])
	pos := len(w.literals[0])
	slash := pos // the first '/' at or after slash is text's next one
	for i, wide := range w.wide[:n-1] {
		literal := w.literals[i+1]
		var at int
		if wide && i != w.lastWide {
			at = indexFrom(text[:end], literal, pos+1)
		} else {
			from, low := pos, pos+1
			if wide {
				from = max(low, w.skipSlashes(text[:end]))
				low = from
			}
			slash = nextSlash(text[:end], max(slash, from))
			at = endOfNarrow(text[:end], literal, low, slash)
		}
		if at < 0 {
			return false
		}
		found[i] = span{uint16(pos), uint16(at)}
		pos = at + len(literal)
	}
	if pos >= end || !w.wide[n-1] && strings.IndexByte(text[pos:end], '/') >= 0 {
		return false
	}
	found[n-1] = span{uint16(pos), uint16(end)}
	return true
}

// endOfNarrow returns where literal first stands at or after low, with no '/' before it: slash is the next one.
func endOfNarrow(text, literal string, low, slash int) int {
	if f := strings.IndexByte(literal, '/'); f >= 0 {
		at := slash - f // the literal's first slash must be the next one
		if at < low || !strings.HasPrefix(text[at:], literal) {
			return -1
		}
		return at
	}
	return indexFrom(text[:slash], literal, low)
}

// skipSlashes returns the place behind the last '/' that the last wide variable must hold.
func (w *path) skipSlashes(text string) int {
	end := len(text)
	for range w.tail + 1 {
		end = strings.LastIndexByte(text[:end], '/')
		if end < 0 {
			return 0
		}
	}
	return end + 1
}

func indexFrom(text, literal string, from int) int {
	if from > len(text) {
		return -1
	}
	at := strings.Index(text[from:], literal)
	if at < 0 {
		return -1
	}
	return from + at
}

// nextSlash returns the index of the first '/' at or after from, or len(text).
func nextSlash(text string, from int) int {
	if from >= len(text) {
		return len(text)
	}
	if text[from] == '/' {
		return from
	}
	if at := strings.IndexByte(text[from:], '/'); at >= 0 {
		return from + at
	}
	return len(text)
}
