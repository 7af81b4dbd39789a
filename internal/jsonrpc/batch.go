package jsonrpc

import "fmt"

// IsBatch reports whether the first byte of data that is no blank opens an array.
func IsBatch(data []byte) bool {
	s := scanner{data: data}
	p := s.blanks(0)
	return p < len(data) && data[p] == '['
}

// defaultBatch is how many elements a batch may have when Split is given no number.
const defaultBatch = 64

// Split reads data as a batch and returns its elements raw, in order, each to be decoded by itself
// with the same limits: the array's own bracket does not count towards their depth. A batch with
// more than most elements is refused; zero or less stands for 64. The elements alias data.
func Split(data []byte, lim Limits, most int) ([][]byte, *Fault) {
	lim = lim.effective()
	if most <= 0 {
		most = defaultBatch
	}
	if len(data) > lim.Bytes {
		return nil, tooLong(len(data), lim)
	}
	s := scanner{data: data, deepest: lim.Depth}
	spans, count, ok := s.elements(most)
	switch {
	case !ok:
		return nil, s.parseFault()
	case count == 0:
		// 2025-03-26/basic/index#batching, by JSON-RPC 2.0: an empty array is one invalid request.
		return nil, &Fault{Code: CodeInvalidRequest, Text: "invalid request: the batch is empty; send at least one message"}
	case count > most:
		return nil, &Fault{Code: CodeInvalidRequest, Text: fmt.Sprintf("invalid request: a batch of %d messages; at most %d are accepted", count, most)}
	}
	elements := make([][]byte, len(spans))
	for i, e := range spans {
		elements[i] = data[e.start:e.end:e.end]
	}
	return elements, nil
}

// elements reads a whole batch; it keeps the spans of at most so many elements and counts all.
func (s *scanner) elements(most int) (kept []span, count int, ok bool) {
	p := s.blanks(0)
	if p >= len(s.data) || s.data[p] != '[' {
		s.fail(p, "expected '[' at the start of a batch")
		return nil, 0, false
	}
	if p = s.blanks(p + 1); p < len(s.data) && s.data[p] == ']' {
		return nil, 0, s.ends(p + 1)
	}
	for {
		end := s.value(p, 0)
		if end < 0 {
			return nil, 0, false
		}
		if count++; count <= most {
			kept = append(kept, span{uint32(p), uint32(end)})
		}
		if p = s.blanks(end); p < len(s.data) && s.data[p] == ',' {
			p = s.blanks(p + 1)
			continue
		}
		if p >= len(s.data) || s.data[p] != ']' {
			s.fail(p, "expected ',' or ']' after an element")
			return nil, 0, false
		}
		return kept, count, s.ends(p + 1)
	}
}

// ends reports whether only blanks follow.
func (s *scanner) ends(p int) bool {
	if p = s.blanks(p); p < len(s.data) {
		s.fail(p, "expected nothing more after the message")
		return false
	}
	return true
}
