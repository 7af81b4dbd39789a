package jsonrpc

import (
	"fmt"
	"math/bits"
)

// The most names an [Index] holds; a [Message] has room for that many spans.
const (
	MaxParamNames = 24
	MaxMetaNames  = 8
)

// Index names the members of params, and of params._meta, whose raw values [Message.Decode] keeps.
// It is immutable and may be shared. A nil *Index keeps none.
type Index struct {
	params nameTable
	meta   nameTable
}

// NewIndex returns an index of the names given; [Message.Param] and [Message.Meta] take their
// positions. It panics on more than [MaxParamNames] or [MaxMetaNames] names and on a name given
// twice: the names are constants of the program, never input.
func NewIndex(params, meta []string) *Index {
	return &Index{params: newNameTable(params, MaxParamNames), meta: newNameTable(meta, MaxMetaNames)}
}

// nameTable finds a name among few: the length of a name leaves one or two candidates to compare.
type nameTable struct {
	names    []string
	byLength [lengthSlots]uint32 // bit i of slot min(len(names[i]), lengthSlots-1)
}

// lengthSlots is one more than the length of the longest name that has a slot of its own; the names
// of MCP have at most 42 bytes.
const lengthSlots = 64

func newNameTable(names []string, most int) nameTable {
	if len(names) > most {
		panic(fmt.Sprintf("jsonrpc: an index of %d names: at most %d are possible", len(names), most))
	}
	t := nameTable{names: append([]string(nil), names...)}
	for i, name := range names {
		if t.find([]byte(name)) >= 0 {
			panic(fmt.Sprintf("jsonrpc: an index names %q twice", name))
		}
		t.byLength[min(len(name), lengthSlots-1)] |= 1 << i
	}
	return t
}

// find returns the position of name, or -1.
func (t *nameTable) find(name []byte) int {
	for candidates := t.byLength[min(len(name), lengthSlots-1)]; candidates != 0; candidates &= candidates - 1 {
		i := bits.TrailingZeros32(candidates)
		if t.names[i] == string(name) {
			return i
		}
	}
	return -1
}

// param and metaMember find a name in a possibly nil index.
func (ix *Index) param(name []byte) int {
	if ix == nil {
		return -1
	}
	return ix.params.find(name)
}

func (ix *Index) metaMember(name []byte) int {
	if ix == nil {
		return -1
	}
	return ix.meta.find(name)
}
