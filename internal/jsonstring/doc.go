// Package jsonstring reads and writes the strings of JSON: where one ends, what its escapes stand for, and how text is
// spelled inside quotes. It is strict where it reads (UTF-8 only, no lone surrogates, no raw controls) and repairs where it
// writes: each byte that is not UTF-8 becomes U+FFFD.
//
// It works on words of eight bytes and allocates nothing but what it returns. A text is looked at once: what is known to be
// strict, or to be UTF-8, need not be asked again ([EndOfValid], [AppendSome]).
//
// This package does not know any other JSON value, messages, schemas or blocks.
package jsonstring
