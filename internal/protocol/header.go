package protocol

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// Headers are the header lines of an HTTP request under their canonical names, as net/http has them.
type Headers map[string][]string

// Canonical names of the headers that mirror the body.
const (
	headerVersion = "Mcp-Protocol-Version"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
	headerParam   = "Mcp-Param-"
	headerSession = "Mcp-Session-Id"
)

// spelled returns a header name as the specification writes it.
func spelled(name string) string {
	if name == headerVersion {
		return "MCP-Protocol-Version"
	}
	return name
}

// MissingVersion is the answer to a request without per-request _meta when legacy clients are not
// served: the missing header, with the supported versions named, or else the missing _meta.
//
// basic/transports/streamable-http#server-validation: the missing header is refused.
func (h Headers) MissingVersion() *Fault {
	if _, fault := h.version(); fault != nil {
		fault.Message += "; supported protocol versions: " + strings.Join(SupportedNames(), ", ")
		return fault
	}
	return MissingMeta()
}

// version returns the version header of a modern request.
func (h Headers) version() (string, *Fault) {
	value, given, fault := h.single(headerVersion)
	if fault == nil && !given {
		fault = missing(headerVersion)
	}
	return value, fault
}

// Names reports whether Mcp-Method holds the name of a method.
func (h Headers) Names(id MethodID) bool {
	value, _, _ := h.only(headerMethod)
	return value == MethodOf(id).Name
}

// checkMethod compares Mcp-Method, which knows no encoding, with the method.
//
// basic/transports/streamable-http#standard-request-headers: required for all requests.
// basic/transports/streamable-http#case-sensitivity: values are case-sensitive.
func (h Headers) checkMethod(method []byte) *Fault {
	value, given, fault := h.single(headerMethod)
	switch {
	case fault != nil:
		return fault
	case !given:
		return missing(headerMethod)
	case value != string(method):
		return mismatch(headerMethod, value, string(method))
	}
	return nil
}

// checkName compares Mcp-Name with the parameter that it mirrors. A request without a usable
// parameter and without the header is left to its method.
func (h Headers) checkName(raw []byte, p Param) *Fault {
	value, given, fault := h.single(headerName)
	switch {
	case fault != nil:
		return fault
	case !isString(raw) && !given:
		return nil
	case !isString(raw):
		return headerFault("Mcp-Name is present, but the body has no ", p.String(), " to compare it with")
	case !given:
		return missing(headerName)
	}
	text, fault := decodeSentinel(headerName, value)
	if fault == nil && !stringIs(raw, text) {
		fault = differs(headerName, text, raw)
	}
	return fault
}

// single returns the value of a header that may stand there once. Lines that repeat one value are one.
func (h Headers) single(name string) (value string, given bool, fault *Fault) {
	value, given, differing := h.only(name)
	switch {
	case differing:
		return "", true, headerFault(spelled(name), " has two lines with different values; send one")
	case badHeaderByte(value) >= 0:
		return "", true, headerFault(spelled(name), " holds a character that header values may not have; ",
			"expected visible ASCII, blanks and tabs, or =?base64?…?=")
	}
	return value, given, nil
}

// only returns the value that all lines of a header have, "" when they differ.
func (h Headers) only(name string) (value string, given, differing bool) {
	lines := h[name]
	if len(lines) == 0 {
		return "", false, false
	}
	for _, line := range lines[1:] {
		if line != lines[0] {
			return "", true, true
		}
	}
	return lines[0], true, false
}

// badHeaderByte returns where the first byte is that may not stand in a header value, or -1.
//
// basic/transports/streamable-http#value-encoding: visible ASCII, space and tab.
func badHeaderByte(value string) int {
	for i := range len(value) {
		if c := value[i]; c != '\t' && (c < ' ' || c > '~') {
			return i
		}
	}
	return -1
}

const (
	sentinelStart = "=?base64?"
	sentinelEnd   = "?="
)

// decodeSentinel returns the text of a value that may be Base64 between sentinels.
//
// basic/transports/streamable-http#value-encoding: the markers are case-sensitive, and encoded
// values must be decoded before they are compared.
func decodeSentinel(name, value string) (string, *Fault) {
	if len(value) < len(sentinelStart)+len(sentinelEnd) ||
		!strings.HasPrefix(value, sentinelStart) || !strings.HasSuffix(value, sentinelEnd) {
		return value, nil
	}
	encoded := value[len(sentinelStart) : len(value)-len(sentinelEnd)]
	text, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if err != nil || !utf8.Valid(text) {
		return "", headerFault(spelled(name), " is no Base64 of UTF-8 text between =?base64? and ?=")
	}
	return string(text), nil
}

// EncodeHeader returns how a client writes a value into Mcp-Name or Mcp-Param: as it is, or Base64
// between sentinels.
//
// basic/transports/streamable-http#value-encoding: what is no plain ASCII value, has blanks at its
// ends or looks encoded must be encoded.
func EncodeHeader(value string) string {
	padded := value != strings.Trim(value, " \t")
	looksEncoded := strings.HasPrefix(value, sentinelStart) && strings.HasSuffix(value, sentinelEnd)
	if badHeaderByte(value) < 0 && !padded && !looksEncoded {
		return value
	}
	return sentinelStart + base64.StdEncoding.EncodeToString([]byte(value)) + sentinelEnd
}

const headerMismatch = "header mismatch: "

// headerFault is the answer to headers that do not agree with the body.
//
// basic/transports/streamable-http#server-validation: mismatching, missing or malformed headers are refused with this code.
func headerFault(text ...string) *Fault {
	return malformed(CodeHeaderMismatch, headerMismatch+strings.Join(text, ""))
}

func missing(name string) *Fault {
	return headerFault("required ", spelled(name), " header is missing")
}

func mismatch(name, value, body string) *Fault {
	return headerFault(spelled(name), " header value ", quoted(value), " does not match body value ", quoted(body))
}

// differs is mismatch with a body value that is still raw.
func differs(name, value string, raw []byte) *Fault {
	body, ok := stringOf(raw)
	if !ok {
		body = string(raw)
	}
	return mismatch(name, value, body)
}
