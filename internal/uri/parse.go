package uri

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/yosida95/uritemplate/v3"
)

// reach says how far a parser has come in the order narrow…, wide…, narrow….
type reach uint8

const (
	beforeWide reach = iota
	inWide
	behindWide
)

// parser splits a template into pieces. It finds the structure and says where it is broken; which characters a literal
// may hold is decided by uritemplate.
type parser struct {
	text      string
	pos       int // in bytes
	pieces    []piece
	variables int
	question  bool // a literal held '?'
	continued bool // the query is a {&…}
	wide      reach
}

func (p *parser) run() error {
	if p.text == "" {
		return p.fail(0, "the template is empty; write a URI such as mcp://docs/{name}")
	}
	if len(p.text) > MaxURI {
		return fmt.Errorf("uri template %.40q…: it has %d bytes, at most %d are allowed; shorten it", p.text, len(p.text), MaxURI)
	}
	for p.pos < len(p.text) {
		if p.ended() {
			return p.fail(p.pos, "text after a query expression; a query must be the end of the template, with all its names in one expression: {?a,b}")
		}
		var err error
		if p.text[p.pos] == '{' {
			err = p.expression()
		} else {
			err = p.literal()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) ended() bool {
	return len(p.pieces) > 0 && p.pieces[len(p.pieces)-1].op.query
}

func (p *parser) fail(at int, format string, args ...any) error {
	character := utf8.RuneCountInString(p.text[:at]) + 1
	return fmt.Errorf("uri template %q: character %d: %s", p.text, character, fmt.Sprintf(format, args...))
}

func (p *parser) literal() error {
	start, end := p.pos, len(p.text)
	if n := strings.IndexAny(p.text[start:], "{}"); n >= 0 {
		end = start + n
	}
	literal := p.text[start:end]
	if _, err := uritemplate.New(literal); err != nil {
		return p.badLiteral(start, end)
	}
	if end < len(p.text) && p.text[end] == '}' {
		return p.fail(end, `stray "}"; write %%7D for a literal brace`)
	}
	p.question = p.question || strings.Contains(literal, "?")
	p.pieces = append(p.pieces, piece{literal: literal})
	p.pos = end
	return nil
}

// badLiteral finds the first character that a literal must not hold; uritemplate does not say where it stands.
func (p *parser) badLiteral(start, end int) error {
	for at := start; at < end; {
		r, size := utf8.DecodeRuneInString(p.text[at:end])
		switch {
		case r == utf8.RuneError && size == 1:
			return p.fail(at, "the byte %#02x is not UTF-8; write the template in UTF-8", p.text[at])
		case r == '%' && !isTriplet(p.text[:end], at):
			return p.fail(at, `"%%" without two hexadecimal digits; write %%25 for a percent sign`)
		case r == '%':
			size = 3
		default:
			if _, err := uritemplate.New(string(r)); err != nil {
				return p.fail(at, "%q cannot stand in a URI; write it as %s", r, appendEscaped(nil, string(r), ""))
			}
		}
		at += size
	}
	return p.fail(start, "the text is no valid literal; percent-encode what is not a URI character")
}
