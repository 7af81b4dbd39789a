package mcphttp

import (
	"errors"
	"io"
	"net/http"
	"slices"
)

// trusted is the most memory that a body gets because it is announced.
const trusted = 256 << 10

// read takes the whole body into the exchange's buffer. A body whose length is known is one read, unless it is large: that one
// gets memory as it comes, so that a client cannot make the server hold what it only announces.
func (x *exchange) read() refusal {
	x.enter(reading, x.front.options.BodyTimeout)
	var err error
	if size := x.r.ContentLength; 0 <= size && size <= trusted {
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
			x.message = slices.Grow(x.message, max(4<<10, min(len(x.message), x.front.maxBytes+1-len(x.message))))
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
