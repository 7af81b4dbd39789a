package mcphttp

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"
)

// Options tune a handler and its server. The zero value of every field is a safe default, and nil options are the zero
// value.
type Options struct {
	// Path is the only path that is served, such as "/mcp"; every other is 404. Empty: a handler does not look at
	// the path, and ListenAndServe serves /mcp.
	Path string

	// AllowedHosts are names that the Host header may hold, each "name" for any port or "name:port". A connection that
	// arrived on a loopback address must name one of them or a loopback name (localhost, 127.0.0.1, [::1]); with
	// AllowedHosts set, every connection must. A reverse proxy on the same machine needs its public name here.
	AllowedHosts []string
	// AllowedOrigins are values that the Origin header may hold, such as "https://app.example.com". Requests without
	// Origin, which no browser sends across origins, are served. Allowed without being named are loopback origins on
	// a connection that arrived on a loopback address, and the request's own Host if that is a loopback name or
	// in AllowedHosts.
	AllowedOrigins []string
	// CORSOrigins are origins whose web pages may use the server from a browser: they are allowed, their preflight
	// requests are answered, and answers to them carry the headers of CORS. None: CORS is off.
	CORSOrigins []string

	// MaxRequests is how many requests may be served at a time; one more is answered 503 with Retry-After. Open
	// subscriptions and standalone streams do not count. Zero or less: 4096.
	MaxRequests int
	// KeepAlive is how long a call is quiet before it gets its event stream, the time in which its message comes
	// included, and how often a comment keeps an event stream alive. Zero or less: 15 s.
	KeepAlive time.Duration
	// BodyTimeout is how long a client may take to send the body of a request. Zero or less: 30 s.
	BodyTimeout time.Duration
	// WriteTimeout is how long one write may take before the client is given up. Zero or less: 30 s.
	WriteTimeout time.Duration

	// ResumeWindow is how long a call of a legacy client goes on, and its event stream can be resumed, after the
	// connection is lost. Of standalone streams at most 1024 are held for clients that have left, the last ones. Zero or
	// less: 60 s.
	ResumeWindow time.Duration
	// ResumeBytes bounds the messages of all event streams that are kept for resumption, in bytes. Zero: 16 MiB.
	// Negative: none is kept, and legacy streams carry no event ids. Of one stream at most 1024 messages are kept and as
	// many bytes as the largest message has, of one session at most 64 streams.
	ResumeBytes int

	// SSEEndpoint is the URL that an SSE handler tells its clients to post to, without a query. Empty: the path at
	// which the stream was opened. Only NewSSEHandler looks at it.
	SSEEndpoint string
	// MaxSSESessions is how many streams an SSE handler holds; one more is answered 503. Zero or less: 1000. Only
	// NewSSEHandler looks at it.
	MaxSSESessions int

	// AllowRemote permits listening on an address that other machines can reach. Whoever reaches it may call every
	// tool, so put authentication in front with Wrap. Only ListenAndServe and Serve look at it and at what follows.
	AllowRemote bool
	// Wrap puts middleware of the program's own around the handler: authentication above all, which hands on who calls
	// with mcp.WithCaller. Nil: none, and event streams that stay open cost a quarter of the memory. The handler that
	// NewHandler makes is yours to wrap.
	Wrap func(http.Handler) http.Handler
	// OnListen is called with the address that was bound, before the first request. Nil: nothing is called.
	OnListen func(net.Addr)
	// MaxConnections is how many connections are served at a time; one more is answered 503 with Retry-After and
	// closed. Zero or less: 8192.
	MaxConnections int
	// Grace is how long running requests may go on after the context is done, before they are cancelled; half a second
	// later connections are closed. Zero: 3 s. Negative: not at all.
	Grace time.Duration
	// Logger gets what there is to say about connections, most of it by net/http. Nil: nothing is logged.
	Logger *slog.Logger
}

const (
	defaultPath           = "/mcp"
	defaultMaxRequests    = 4096
	defaultKeepAlive      = 15 * time.Second
	defaultBodyTimeout    = 30 * time.Second
	defaultWriteTimeout   = 30 * time.Second
	defaultResumeWindow   = 60 * time.Second
	defaultResumeBytes    = 16 << 20
	defaultSSESessions    = 1000
	defaultMaxConnections = 8192
	defaultGrace          = 3 * time.Second
)

// withDefaults returns a copy of o in which every field is set; o may be nil.
func (o *Options) withDefaults() Options {
	var set Options
	if o != nil {
		set = *o
	}
	orDefault(&set.MaxRequests, defaultMaxRequests)
	orDefault(&set.KeepAlive, defaultKeepAlive)
	orDefault(&set.BodyTimeout, defaultBodyTimeout)
	orDefault(&set.WriteTimeout, defaultWriteTimeout)
	orDefault(&set.ResumeWindow, defaultResumeWindow)
	orDefault(&set.MaxSSESessions, defaultSSESessions)
	orDefault(&set.MaxConnections, defaultMaxConnections)
	if set.ResumeBytes == 0 {
		set.ResumeBytes = defaultResumeBytes
	}
	if set.Grace == 0 {
		set.Grace = defaultGrace
	}
	return set
}

func orDefault[N int | time.Duration](field *N, value N) {
	if *field <= 0 {
		*field = value
	}
}

// guard is what the gates know of the options, parsed once.
type guard struct {
	path    string
	hosts   []authority
	origins []origin
	cors    []origin
}

// newGuard reports every entry that can never match, because it would leave its author locked out or in false security.
func newGuard(o *Options) (guard, error) {
	g := guard{path: o.Path}
	var errs []error
	if o.Path != "" && !strings.HasPrefix(o.Path, "/") {
		errs = append(errs, fmt.Errorf("mcphttp: Options.Path %q does not begin with a slash", o.Path))
	}
	for _, entry := range o.AllowedHosts {
		host, ok := parseAuthority(entry)
		if !ok {
			errs = append(errs, fmt.Errorf("mcphttp: Options.AllowedHosts entry %q is no host; write a name or name:port, without a scheme or wildcards", entry))
		}
		g.hosts = append(g.hosts, host)
	}
	for _, list := range []struct {
		name    string
		entries []string
		into    *[]origin
	}{{"AllowedOrigins", o.AllowedOrigins, &g.origins}, {"CORSOrigins", o.CORSOrigins, &g.cors}} {
		for _, entry := range list.entries {
			from, ok := parseOrigin(entry)
			if !ok {
				errs = append(errs, fmt.Errorf("mcphttp: Options.%s entry %q is no origin; write scheme://host or scheme://host:port, without a path or wildcards", list.name, entry))
			}
			*list.into = append(*list.into, from)
		}
	}
	return g, errors.Join(errs...)
}
