package jsonrpc

import (
	"bytes"
	"strconv"
)

// The Append functions write one compact line with members in a fixed order and no blanks. Raw JSON
// that is passed in must be valid; line breaks in it are dropped, so that a message is always one
// line.

const head = `{"jsonrpc":"2.0"`

// AppendResultPrefix appends a response up to its result, which the caller appends, and after it
// the closing '}': `{"jsonrpc":"2.0","id":7,"result":`.
func AppendResultPrefix(dst []byte, id ID) []byte {
	return append(appendHead(dst, id), `,"result":`...)
}

// AppendError appends a whole error response. A zero id is omitted, and so is nil data.
// basic/index#error-responses: the id is that of the request, except where it could not be read.
func AppendError(dst []byte, id ID, e *ErrorObject) []byte {
	dst = append(appendHead(dst, id), `,"error":{"code":`...)
	dst = strconv.AppendInt(dst, int64(e.Code), 10)
	dst = append(dst, `,"message":`...)
	dst = AppendString(dst, e.Message)
	if e.Data != nil {
		dst = append(dst, `,"data":`...)
		dst = AppendRaw(dst, e.Data)
	}
	return append(dst, `}}`...)
}

// AppendNotification appends a whole notification. Nil params are omitted.
func AppendNotification(dst []byte, method string, params []byte) []byte {
	return appendCall(append(dst, head...), method, params)
}

// OpenNotification appends a notification up to its params. The caller appends those, which spares
// it a buffer for them, and then the '}' that ends the notification.
func OpenNotification(dst []byte, method string) []byte {
	return append(appendMethod(append(dst, head...), method), `,"params":`...)
}

// AppendRequest appends a whole request. Nil params are omitted.
func AppendRequest(dst []byte, id ID, method string, params []byte) []byte {
	return appendCall(appendHead(dst, id), method, params)
}

// AppendRaw appends JSON that somebody else encoded, on one line: a raw line break in valid JSON is
// never more than a blank between tokens.
func AppendRaw(dst, raw []byte) []byte {
	for {
		i := bytes.IndexByte(raw, '\n')
		if j := bytes.IndexByte(raw, '\r'); j >= 0 && (i < 0 || j < i) {
			i = j
		}
		if i < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:i]...)
		raw = raw[i+1:]
	}
}

func appendHead(dst []byte, id ID) []byte {
	dst = append(dst, head...)
	if id.IsZero() {
		return dst
	}
	dst = append(dst, `,"id":`...)
	return append(dst, id.text...)
}

func appendMethod(dst []byte, method string) []byte {
	return AppendString(append(dst, `,"method":`...), method)
}

func appendCall(dst []byte, method string, params []byte) []byte {
	dst = appendMethod(dst, method)
	if params != nil {
		dst = append(dst, `,"params":`...)
		dst = AppendRaw(dst, params)
	}
	return append(dst, '}')
}
