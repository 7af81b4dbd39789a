package mcphttp

import (
	"net/http"
	"strings"
)

// The media types of this transport.
const (
	typeJSON   = "application/json"
	typeEvents = "text/event-stream"
)

// accepted says which answers the client takes.
type accepted struct{ json, events bool }

// acceptGate refuses a client that takes neither kind of answer. One that names none takes both.
//
// basic/transports/streamable-http#sending-messages: clients list both; those that list one are served with that one.
func acceptGate(x *exchange) refusal {
	x.accept = parseAccept(x.r.Header["Accept"])
	if x.accept == (accepted{}) {
		return refusal{http.StatusNotAcceptable, "the Accept header must name application/json, text/event-stream or both"}
	}
	return refusal{}
}

// parseAccept reads the lines of an Accept header; none at all accepts everything.
func parseAccept(lines []string) accepted {
	switch {
	case len(lines) == 0:
		return accepted{true, true}
	case len(lines) == 1 && (lines[0] == typeJSON+", "+typeEvents || lines[0] == "*/*"):
		return accepted{true, true}
	}
	var json, events preference
	for _, line := range lines {
		for item := range strings.SplitSeq(line, ",") {
			media, params, _ := strings.Cut(item, ";")
			media = strings.TrimSpace(media)
			weighed := !isZeroQuality(params)
			json.weigh(media, typeJSON, weighed)
			events.weigh(media, typeEvents, weighed)
		}
	}
	return accepted{json.taken, events.taken}
}

// preference is what the most specific range so far says of one media type.
type preference struct {
	specific int
	taken    bool
}

func (p *preference) weigh(media, of string, taken bool) {
	specific := 0
	family := of[:strings.IndexByte(of, '/')+1]
	switch {
	case strings.EqualFold(media, of):
		specific = 3
	case strings.HasSuffix(media, "/*") && strings.EqualFold(media[:len(media)-1], family):
		specific = 2
	case media == "*/*":
		specific = 1
	}
	switch {
	case specific == 0 || specific < p.specific:
	case specific > p.specific:
		p.specific, p.taken = specific, taken
	default:
		p.taken = p.taken || taken
	}
}

// isZeroQuality reports a weight of q=0, which means not acceptable.
func isZeroQuality(params string) bool {
	for param := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(param), "=")
		if strings.EqualFold(name, "q") {
			whole, decimals, _ := strings.Cut(value, ".")
			return whole == "0" && strings.Trim(decimals, "0") == ""
		}
	}
	return false
}

// eventsGate is acceptGate for a GET, which has nothing but an event stream to offer.
//
// 2025-11-25/basic/transports#listening-for-messages-from-the-server: the client lists text/event-stream.
func eventsGate(x *exchange) refusal {
	for _, line := range x.r.Header["Accept"] {
		for item := range strings.SplitSeq(line, ",") {
			media, params, _ := strings.Cut(item, ";")
			if strings.EqualFold(strings.TrimSpace(media), typeEvents) && !isZeroQuality(params) {
				x.accept = accepted{true, true} // an error on the way is JSON
				return refusal{}
			}
		}
	}
	return refusal{http.StatusNotAcceptable, "the Accept header must name text/event-stream"}
}
