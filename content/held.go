package content

// heldAtMost is the size up to which a message is held encoded. Above it, memory stays flat, and the text is measured
// before it is encoded.
const heldAtMost = 4 * chunkSize

// held is a whole message, encoded in parts before it is written. That makes its length known by the one walk over its
// text that it needs anyway: to measure the text of an echo of 64 KiB first took an eighth of the CPU time of the call.
type held struct {
	parts         [][]byte
	size          int
	text, sources int // how much the body had then
}

// holds reports whether the message is held, and nothing was appended to it since.
func (b *Body) holds() bool {
	return len(b.held.parts) > 0 && b.held.text == len(b.text) && b.held.sources == len(b.sources)
}

// hold has the message held, if that is worth while. It reports whether it is.
func (b *Body) hold() bool {
	if b.holds() {
		return true
	}
	b.held.release()
	if !b.holdable() {
		return false
	}
	out := output{held: &b.held}
	_ = b.produce(&out) // no reader, no error
	if out.err != nil {
		b.held.release()
		return false
	}
	b.held.add(out.buf)
	b.held.text, b.held.sources = len(b.text), len(b.sources)
	return true
}

// holdable reports whether the message has text of which the length is not known, no reader, and perhaps a size that
// may be held.
func (b *Body) holdable() bool {
	least, unmeasured := len(b.text), false
	for i := range b.sources {
		s := &b.sources[i]
		if s.reader != nil || s.err != nil {
			return false
		}
		least += s.leastSize()
		unmeasured = unmeasured || s.form == escapedText && s.size == 0
	}
	return unmeasured && least <= heldAtMost
}

// room returns an empty chunk, or nil when the message is too large to be held.
func (h *held) room() []byte {
	if h.size+chunkSize > heldAtMost {
		return nil
	}
	return takeChunk()
}

// add takes a chunk over.
func (h *held) add(part []byte) {
	h.parts = append(h.parts, part)
	h.size += len(part)
}

// release gives the chunks back.
func (h *held) release() {
	for i, part := range h.parts {
		giveChunk(part)
		h.parts[i] = nil
	}
	*h = held{parts: h.parts[:0]}
}
