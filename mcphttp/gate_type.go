package mcphttp

import (
	"mime"
	"net/http"
	"strings"
)

// typeGate lets only JSON pass. It also keeps out what a web page may send without asking first, such as text/plain.
func typeGate(x *exchange) refusal {
	lines := x.r.Header["Content-Type"]
	if len(lines) != 1 || !isJSON(lines[0]) {
		return refusal{http.StatusUnsupportedMediaType, "the Content-Type must be application/json"}
	}
	for _, coding := range x.r.Header["Content-Encoding"] {
		if !strings.EqualFold(coding, "identity") {
			return refusal{http.StatusUnsupportedMediaType, "the body has a Content-Encoding; send it as it is"}
		}
	}
	return refusal{}
}

func isJSON(contentType string) bool {
	if contentType == typeJSON {
		return true
	}
	media, params, err := mime.ParseMediaType(contentType)
	if err != nil || media != typeJSON {
		return false
	}
	charset, given := params["charset"]
	return !given || strings.EqualFold(charset, "utf-8")
}
