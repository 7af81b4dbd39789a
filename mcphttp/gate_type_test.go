package mcphttp_test

import "testing"

func TestOnlyJSONIsTaken(t *testing.T) {
	t.Parallel()
	h := newFixture(nil).handler(t, nil)
	for _, tc := range []struct {
		name  string
		lines []string
		want  int
	}{
		{"the plain type", []string{"application/json"}, 200},
		{"in capitals", []string{"Application/JSON"}, 200},
		{"with a charset", []string{"application/json; charset=UTF-8"}, 200},
		{"with another parameter", []string{"application/json;profile=x"}, 200},
		{"none", nil, 415},
		{"what a page may send without asking: text", []string{"text/plain"}, 415},
		{"what a page may send without asking: a form", []string{"application/x-www-form-urlencoded"}, 415},
		{"what a page may send without asking: parts", []string{"multipart/form-data; boundary=application/json"}, 415},
		{"a type that hides JSON behind it", []string{"text/plain; application/json"}, 415},
		{"a type that begins with JSON", []string{"application/json-seq"}, 415},
		{"a type derived from JSON", []string{"application/ld+json"}, 415},
		{"another charset", []string{"application/json; charset=utf-16"}, 415},
		{"nonsense", []string{";;"}, 415},
		{"two lines", []string{"application/json", "text/plain"}, 415},
	} {
		r := addRequest(t, "127.0.0.1")
		r.Header["Content-Type"] = tc.lines
		if got := record(h, r); got.Code != tc.want {
			t.Errorf("%s: got %d %s, want %d", tc.name, got.Code, got.Body, tc.want)
		}
	}
}

func TestACompressedBodyIsRefused(t *testing.T) {
	t.Parallel()
	h := newFixture(nil).handler(t, nil)
	for coding, want := range map[string]int{"gzip": 415, "identity": 200} {
		if got := record(h, addRequest(t, "127.0.0.1", "Content-Encoding: "+coding)); got.Code != want {
			t.Errorf("%s: got %d, want %d", coding, got.Code, want)
		}
	}
}
