package jsonstring

import (
	"encoding/binary"
	"math/bits"
)

const (
	// escapeRoom is what one step of escapeInto may write: eight bytes as they are, and an escape after the seventh.
	escapeRoom = 16
	// pairRoom and blockRoom are the same for two and for four words.
	pairRoom  = 16 + escapeRoom
	blockRoom = 32 + escapeRoom
	// sizeAt is where an entry of escapes has its length: above the six bytes of the longest.
	sizeAt = 56
)

// Entries of escapes, less the character or the last digit.
const (
	brief = '\\' | 2<<sizeAt
	low   = '\\' | 'u'<<8 | '0'<<16 | '0'<<24 | '0'<<32 | 6<<sizeAt
	high  = '\\' | 'u'<<8 | '0'<<16 | '0'<<24 | '1'<<32 | 6<<sizeAt
)

// escapes holds the shortest escape of each quote, backslash and control, its first byte lowest, and its length; 0 for
// what stands for itself.
var escapes = [128]uint64{
	'"': brief | '"'<<8, '\\': brief | '\\'<<8, '\b': brief | 'b'<<8, '\f': brief | 'f'<<8,
	'\n': brief | 'n'<<8, '\r': brief | 'r'<<8, '\t': brief | 't'<<8,
	0x00: low | '0'<<40, 0x01: low | '1'<<40, 0x02: low | '2'<<40, 0x03: low | '3'<<40,
	0x04: low | '4'<<40, 0x05: low | '5'<<40, 0x06: low | '6'<<40, 0x07: low | '7'<<40,
	0x0b: low | 'b'<<40, 0x0e: low | 'e'<<40, 0x0f: low | 'f'<<40, 0x10: high | '0'<<40,
	0x11: high | '1'<<40, 0x12: high | '2'<<40, 0x13: high | '3'<<40, 0x14: high | '4'<<40,
	0x15: high | '5'<<40, 0x16: high | '6'<<40, 0x17: high | '7'<<40, 0x18: high | '8'<<40,
	0x19: high | '9'<<40, 0x1a: high | 'a'<<40, 0x1b: high | 'b'<<40, 0x1c: high | 'c'<<40,
	0x1d: high | 'd'<<40, 0x1e: high | 'e'<<40, 0x1f: high | 'f'<<40,
}

// escapeInto escapes s into room until all of s is used or fewer than escapeRoom bytes are left. It does not look at
// UTF-8: bytes above ASCII are copied.
//
// The longer text has gone without an escape, the more words are taken at a time. Two at a time take a fifth off prose,
// and cost a tenth where every sixth byte is escaped.
func escapeInto[T string | []byte](room []byte, s T) (written, used int) {
	i, j := 0, 0
	for clean := 0; len(s)-i >= 8 && len(room)-j >= escapeRoom; { // clean counts the words since the last escape
		if clean >= 6 && len(s)-i >= 32 && len(room)-j >= blockRoom {
			from, to := s[i:i+32], room[j:j+32]
			a, b, c, d := word(from[:8]), word(from[8:16]), word(from[16:24]), word(from[24:32])
			if hits(a)|hits(b)|hits(c)|hits(d) == 0 {
				binary.LittleEndian.PutUint64(to[:8], a)
				binary.LittleEndian.PutUint64(to[8:16], b)
				binary.LittleEndian.PutUint64(to[16:24], c)
				binary.LittleEndian.PutUint64(to[24:32], d)
				i, j = i+32, j+32
				continue
			}
			clean = 0
		}
		if clean > 0 && len(s)-i >= 16 && len(room)-j >= pairRoom {
			from, to := s[i:i+16], room[j:j+pairRoom]
			a, b := word(from[:8]), word(from[8:16])
			ha, hb := hits(a), hits(b)
			binary.LittleEndian.PutUint64(to[:8], a)
			binary.LittleEndian.PutUint64(to[8:16], b)
			if ha|hb == 0 {
				i, j, clean = i+16, j+16, clean+2
				continue
			}
			at := firstOfTwo(ha, hb)
			e := escapes[from[at&15]&0x7f]
			binary.LittleEndian.PutUint64(to[at&15:], e)
			i, j, clean = i+at+1, j+at+int(e>>sizeAt), 0
			continue
		}
		w, to := word(s[i:i+8]), room[j:j+escapeRoom]
		binary.LittleEndian.PutUint64(to, w)
		h := hits(w)
		if h == 0 {
			i, j, clean = i+8, j+8, clean+1
			continue
		}
		at := bits.TrailingZeros64(h) / 8
		e := escapes[w>>(8*at)&0x7f]
		binary.LittleEndian.PutUint64(to[at&7:], e)
		i, j, clean = i+at+1, j+at+int(e>>sizeAt), 0
	}
	return escapeBytes(room, s, i, j)
}

// escapeBytes goes on from s[i] to room[j], byte by byte.
func escapeBytes[T string | []byte](room []byte, s T, i, j int) (written, used int) {
	for ; i < len(s) && len(room)-j >= escapeRoom; i++ {
		e := uint64(1)<<sizeAt | uint64(s[i])
		if s[i] < 0x80 && escapes[s[i]] != 0 {
			e = escapes[s[i]]
		}
		binary.LittleEndian.PutUint64(room[j:], e)
		j += int(e >> sizeAt)
	}
	return j, i
}
