package mcphttp

import (
	"errors"
	"io"
	"net/http"
	"slices"
)

// A client must not make the server hold what it only announces: a body gets memory as it comes. Its length is believed, up
// to trusted bytes, once the first part is there.
const (
	firstPart = 16 << 10
	trusted   = 256 << 10
)

// read takes the whole body into the exchange's buffer. One whose length is known is a single read, if it is small or there is
// a buffer for it from earlier.
func (x *exchange) read() refusal {
	x.startReading()
	var err error
	if size := x.r.ContentLength; 0 <= size && size <= int64(max(firstPart, cap(x.message))) {
		x.message = slices.Grow(x.message[:0], int(size))[:size]
		_, err = io.ReadFull(x.r.Body, x.message)
	} else {
		err = x.readGrowing()
	}
	if err == nil {
		return refusal{}
	}
	return x.unread(err)
}

var errTooLarge = errors.New("the body is too large")

func (x *exchange) readGrowing() error {
	x.message = x.message[:0]
	for {
		if len(x.message) == cap(x.message) {
			x.message = slices.Grow(x.message, x.nextPart())
		}
		n, err := x.r.Body.Read(x.message[len(x.message):cap(x.message)])
		x.message = x.message[:len(x.message)+n]
		switch {
		case len(x.message) > x.front.maxBytes:
			return errTooLarge
		case err == io.EOF && x.r.ContentLength > int64(len(x.message)):
			return io.ErrUnexpectedEOF
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// nextPart is how much memory a body gets that has filled what it had.
func (x *exchange) nextPart() int {
	have, announced := len(x.message), x.r.ContentLength
	switch {
	case have < firstPart && announced > firstPart:
		return firstPart - have
	case have >= firstPart && int64(have) < announced && announced <= trusted:
		return int(announced) - have + 1 // so that the end is found without more
	}
	return max(4<<10, min(have, x.front.maxBytes+1-have))
}

// unread says what became of a body that could not be read.
func (x *exchange) unread(err error) refusal {
	var limited *http.MaxBytesError
	var timed interface{ Timeout() bool }
	switch {
	case errors.Is(err, errTooLarge):
		return x.front.tooLarge()
	case errors.As(err, &limited):
		return refusal{http.StatusRequestEntityTooLarge, "the body is larger than this server takes"}
	case errors.As(err, &timed) && timed.Timeout():
		return refusal{http.StatusRequestTimeout, "the body did not arrive in time"}
	}
	x.hangUp()
	return refusal{http.StatusBadRequest, "the body ended early or could not be read"}
}

// hangUp has the connection closed behind the answer, because the rest of a body may be on its way on it. HTTP/2 ends the
// stream by itself, and the connection may be a proxy's, with requests of others on it.
func (x *exchange) hangUp() {
	if x.r.ProtoMajor < 2 {
		x.w.Header().Set("Connection", "close")
	}
}
