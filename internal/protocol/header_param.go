package protocol

import "strings"

// ParamType is the type of an argument that a header mirrors.
type ParamType uint8

// The types. Numbers that are no integers are not mirrored.
const (
	StringParamType ParamType = iota
	IntegerParamType
	BooleanParamType
)

// MirroredParam is an argument of a tool that HTTP clients mirror into a header.
type MirroredParam struct {
	// Header is the canonical name of the header; see ParamHeader.
	Header string
	// Path is the chain of property names that leads to the argument.
	Path []string
	// Type is the declared type of the argument.
	Type ParamType
}

// ParamHeader returns the canonical header name for the value of an x-mcp-header annotation:
// "Mcp-Param-Region" for "region".
func ParamHeader(name string) string {
	canonical := []byte(headerParam)
	upper := true
	for i := range len(name) {
		c := name[i]
		switch {
		case upper && 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		case !upper && 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		canonical = append(canonical, c)
		upper = c == '-'
	}
	return string(canonical)
}

// CheckParams compares the headers that mirror arguments with the raw arguments of a call, as they
// came. An argument of the wrong type is left to the validation of the arguments. Headers of
// arguments that no parameter names are passed over.
//
// basic/transports/streamable-http#server-behavior-for-custom-headers: a header must match its
// argument, must be there when the argument is, and is not expected for null or no argument.
func (h Headers) CheckParams(params []MirroredParam, arguments []byte) *Fault {
	for i := range params {
		if fault := h.checkParam(&params[i], arguments); fault != nil {
			return fault
		}
	}
	return nil
}

func (h Headers) checkParam(p *MirroredParam, arguments []byte) *Fault {
	raw := arguments
	for _, name := range p.Path {
		raw = memberOf(raw, name)
	}
	value, given, fault := h.single(p.Header)
	switch {
	case fault != nil:
		return fault
	case absent(raw) && !given:
		return nil
	case absent(raw):
		return headerFault(p.Header, " is present, but the body has no argument ", strings.Join(p.Path, "."))
	}
	if fault := p.ranged(raw); fault != nil {
		return fault
	}
	if !p.fits(raw) {
		return nil
	}
	if !given {
		return missing(p.Header)
	}
	text, fault := decodeSentinel(p.Header, value)
	if fault == nil && !p.equal(text, raw) {
		fault = differs(p.Header, text, raw)
	}
	return fault
}

// fits says whether the argument has the declared type.
func (p *MirroredParam) fits(raw []byte) bool {
	switch p.Type {
	case IntegerParamType:
		_, kind := parseInteger(string(raw))
		return kind == exactInteger
	case BooleanParamType:
		return string(raw) == "true" || string(raw) == "false"
	default:
		return isString(raw)
	}
}

// ranged refuses integers that a double cannot hold exactly.
//
// basic/transports/streamable-http#schema-extension: integers must be within ±(2^53−1).
func (p *MirroredParam) ranged(raw []byte) *Fault {
	if p.Type != IntegerParamType {
		return nil
	}
	if _, kind := parseInteger(string(raw)); kind != hugeInteger {
		return nil
	}
	return headerFault("argument ", strings.Join(p.Path, "."), " is outside -9007199254740991 to 9007199254740991, ",
		"so it cannot be mirrored into ", p.Header)
}

// equal compares a decoded header value with an argument that fits.
//
// basic/transports/streamable-http#server-validation: integers are compared numerically.
func (p *MirroredParam) equal(text string, raw []byte) bool {
	switch p.Type {
	case IntegerParamType:
		want, _ := parseInteger(string(raw))
		got, kind := parseInteger(text)
		return kind == exactInteger && got == want
	case BooleanParamType:
		return text == string(raw)
	default:
		return stringIs(raw, text)
	}
}
