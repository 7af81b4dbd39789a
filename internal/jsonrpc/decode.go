package jsonrpc

import (
	"bytes"
	"fmt"
	"strconv"
)

// field is a member of the envelope, of params or of the error that decoding itself looks at.
type field uint8

const (
	noField field = iota
	fieldVersion
	fieldID
	fieldMethod
	fieldParams
	fieldResult
	fieldError
	fieldMeta
	fieldErrorCode
	fieldErrorMessage
	fieldErrorData
	fieldCount
)

// Decode reads data as one message. ix names the members of params and _meta to keep; lim bounds
// what is read. A fault leaves m empty. data must stay as it is for as long as m is used.
func (m *Message) Decode(data []byte, ix *Index, lim Limits) *Fault {
	m.reset(data)
	lim = lim.effective()
	if len(data) > lim.Bytes {
		return tooLong(len(data), lim)
	}
	var s scanner // a literal would be made apart and then copied, with its stack of names: 0.02 µs
	s.data, s.deepest, s.message, s.index = data, lim.Depth, m, ix
	start, ok := s.envelope()
	var fault *Fault
	switch {
	case !ok:
		fault = s.parseFault()
	case start == len(data):
		// Nothing is not a syntax error: no JSON text was begun that could be wrong.
		fault = m.invalid(false, "the message is empty; expected a JSON object")
	case data[start] == '[':
		fault = m.invalid(false, "a batch is not accepted here; send each message as an object of its own")
	case data[start] != '{':
		fault = m.invalid(false, "expected a JSON object")
	default:
		fault = m.judge(&s.fields)
	}
	if fault != nil {
		m.reset(nil)
	}
	return fault
}

// envelope makes the pass over the whole text and returns where its value begins.
func (s *scanner) envelope() (start int, ok bool) {
	start = s.blanks(0)
	if start == len(s.data) {
		return start, true
	}
	var end int
	if s.data[start] == '{' {
		end = s.object(start, 1, inEnvelope)
	} else {
		end = s.value(start, 0)
	}
	return start, end >= 0 && s.ends(end)
}

// member reads the value of a member in a place where some are wanted, and keeps its span if it is.
func (s *scanner) member(p, depth int, in place, name []byte) int {
	f, inner := noField, elsewhere
	var kept *span
	switch in {
	case inEnvelope:
		f, inner = envelopeField(name)
	case inError:
		f = errorField(name)
	case inParams:
		if string(name) == "_meta" {
			f, inner = fieldMeta, inMeta
		}
		if i := s.index.param(name); i >= 0 {
			s.message.paramsSeen |= 1 << i
			kept = &s.message.params[i]
		}
	case inMeta:
		if i := s.index.metaMember(name); i >= 0 {
			s.message.metaSeen |= 1 << i
			kept = &s.message.meta[i]
		}
	}
	var end int
	if inner != elsewhere && p < len(s.data) && s.data[p] == '{' {
		end = s.object(p, depth+1, inner)
	} else {
		end = s.value(p, depth)
	}
	if end < 0 {
		return -1
	}
	if kept != nil {
		*kept = span{uint32(p), uint32(end)}
	}
	s.fields[f] = span{uint32(p), uint32(end)}
	return end
}

func envelopeField(name []byte) (f field, inner place) {
	switch string(name) {
	case "jsonrpc":
		return fieldVersion, elsewhere
	case "id":
		return fieldID, elsewhere
	case "method":
		return fieldMethod, elsewhere
	case "params":
		return fieldParams, inParams
	case "result":
		return fieldResult, elsewhere
	case "error":
		return fieldError, inError
	}
	return noField, elsewhere
}

func errorField(name []byte) field {
	switch string(name) {
	case "code":
		return fieldErrorCode
	case "message":
		return fieldErrorMessage
	case "data":
		return fieldErrorData
	}
	return noField
}

// judge checks the members of the envelope in a fixed order; the first that is wrong decides.
func (m *Message) judge(fields *[fieldCount]span) *Fault {
	id, method := m.raw(fields[fieldID]), m.raw(fields[fieldMethod])
	result, failure := m.raw(fields[fieldResult]), m.raw(fields[fieldError])
	readable := id == nil || id[0] == '"' || isIntegerLiteral(id)
	if id != nil && readable {
		m.ID = ID{string(id)}
	}
	unanswerable := method != nil && id == nil || method == nil && (result != nil || failure != nil)

	version, _ := stringText(m.raw(fields[fieldVersion]))
	if string(version) != "2.0" {
		return m.invalid(unanswerable, `jsonrpc must be the string "2.0"`)
	}
	// basic/index#responses: a response has no method, and either a result or an error.
	if method == nil && (result == nil) != (failure == nil) {
		m.Kind, m.Result, m.Error = Response, result, m.errorObject(fields)
		m.paramsSeen, m.metaSeen = 0, 0 // params mean nothing here
		return nil
	}
	if method == nil && result != nil {
		return m.invalid(unanswerable, "a response has a result or an error, not both")
	}
	if method == nil {
		return m.invalid(unanswerable, "expected a method, or the result or error of a response")
	}
	text, isString := stringText(method)
	if !isString {
		return m.invalid(unanswerable, "method must be a string")
	}
	// basic/index#requests: an id is a string or an integer and must not be null.
	if !readable {
		return m.invalid(unanswerable, "id must be a string or an integer without fraction or exponent; null is not allowed")
	}
	params := m.raw(fields[fieldParams])
	if params != nil && params[0] != '{' {
		return m.invalid(unanswerable, "params must be an object; leave it out when there are none")
	}
	// basic/index#notifications: a notification is a request without an id.
	m.Kind, m.Method, m.Params, m.metaRaw = Request, text, params, fields[fieldMeta]
	if id == nil {
		m.Kind = Notification
	}
	return nil
}

// isIntegerLiteral reports whether raw, a valid JSON value, is a number without fraction or exponent.
func isIntegerLiteral(raw []byte) bool {
	if raw[0] != '-' && raw[0]-'0' > 9 {
		return false
	}
	for _, c := range raw {
		if c == '.' || c|0x20 == 'e' {
			return false
		}
	}
	return true
}

// errorObject reads the error of a response tolerantly: the peer reports a failure, and its report
// must not be lost because its shape is wrong. What cannot be read is zero, and an error that is no
// object becomes the message or the data. It returns nil when there is no error.
func (m *Message) errorObject(fields *[fieldCount]span) *ErrorObject {
	raw := m.raw(fields[fieldError])
	if raw == nil {
		return nil
	}
	if raw[0] != '{' {
		if text, ok := stringText(raw); ok {
			return &ErrorObject{Message: string(text)}
		}
		return &ErrorObject{Data: raw}
	}
	message, _ := stringText(m.raw(fields[fieldErrorMessage]))
	code, err := strconv.Atoi(string(m.raw(fields[fieldErrorCode])))
	if err != nil {
		code = 0
	}
	return &ErrorObject{Code: code, Message: string(message), Data: m.raw(fields[fieldErrorData])}
}

// invalid makes the fault of an envelope that is JSON and no message.
// basic/index#error-responses: an id that could not be read is omitted.
func (m *Message) invalid(unanswerable bool, rule string) *Fault {
	return &Fault{Code: CodeInvalidRequest, Text: "invalid request: " + rule, ID: m.ID, Notification: unanswerable}
}

func tooLong(size int, lim Limits) *Fault {
	return &Fault{Code: CodeParseError, Text: fmt.Sprintf("parse error: a message of %d bytes; at most %d are read", size, lim.Bytes)}
}

// parseFault makes the fault of a pass that failed. It carries no id: a text that is not JSON has none.
func (s *scanner) parseFault() *Fault {
	reason := s.reason
	if bytes.HasPrefix(s.data, []byte("\uFEFF")) {
		reason = "a byte order mark; send UTF-8 without one"
	}
	return &Fault{Code: CodeParseError, Text: "parse error at byte " + strconv.Itoa(s.at) + ": " + reason}
}
