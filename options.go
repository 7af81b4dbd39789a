package mcp

import (
	"context"
	"log/slog"
	"time"

	"github.com/bowline-go/mcp/content"
)

// Options configures a [Server]. The zero value of every field is a safe default, and a nil
// *Options is the zero value.
type Options struct {
	// Title is a name for people; the one that is given to NewServer is for programs. Empty: it
	// is left out, as are the three below.
	Title string
	// Description says in a sentence what the server does.
	Description string
	// WebsiteURL is where to read more.
	WebsiteURL string
	// Icons are pictures that a client may show beside the name. Their sources are https: or
	// data: URIs.
	Icons []Icon
	// Instructions tell a model how to use the server as a whole. They should not repeat
	// what the tools' descriptions say.
	Instructions string

	// Legacy says how clients of revisions before 2026-07-28 are served. Zero: in sessions.
	Legacy LegacyMode

	// Dynamic allows [Server.Change] while the server is running, and declares the
	// listChanged capabilities. Without it the registry is fixed once a session exists.
	Dynamic bool

	// ResourceUpdates lets clients subscribe to resources, and allows
	// [Server.ResourceUpdated].
	ResourceUpdates bool

	// PageSize is the most entries in one page of a list. Zero or less: lists are not paged.
	PageSize int

	// Cache is the caching hint for lists, discovery and fixed resources. A zero TTL is five
	// minutes. What handlers read is stale at once unless Resource.Cache says otherwise.
	Cache Cache

	// MaxMessageBytes is the largest message that is accepted, in bytes. Zero or less: 4 MiB.
	MaxMessageBytes int
	// MaxDepth is how deep the JSON of a message may nest. Zero or less: 64. Above 1000: 1000.
	MaxDepth int
	// MaxInFlight is how many requests of all sessions together may be in middleware and
	// handlers; one more is refused with CodeInternalError and data.retryAfterMs. Zero or
	// less: 4096.
	MaxInFlight int

	// RedactErrors replaces the text of errors and of failures by a reference that is also
	// logged. Errors that were made for the client, by [UserErrorf] or as an [Error], and
	// what is wrong with the arguments of a call, are sent as they are.
	RedactErrors bool

	// DisableLogging makes [Logger] a no-op and leaves the logging capability undeclared.
	DisableLogging bool

	// Logger gets what a server's operator should know: panics, redacted errors, refused
	// codes, cancellations with a reason. Nil: nothing is logged but what [ConnectOptions].Logger
	// of a connection takes, so nobody can look up what the reference of a panic stands for.
	Logger *slog.Logger

	// Keys seal the tokens that clients carry (sessions, the state of questions, cursors): the
	// first seals, all open. At most 16, each of at least 16 random bytes.
	// Replicas that serve the same clients need the same keys. None: a random key, so tokens end
	// with the process.
	Keys [][]byte

	// StateLife is how long a client may take to answer questions, in both eras. Zero or
	// less: an hour.
	StateLife time.Duration
	// Spent, if it is set, makes the state that travels with questions good for one use: it is
	// told the id of a state that has come back, and reports whether that is the first time.
	// It must remember ids until they expire, across replicas. An error refuses the request.
	Spent func(ctx context.Context, id string, expires time.Time) (first bool, err error)
	// PlainState sends the state of [InputRequired] as it is instead of sealing it. A client
	// can then read and change it. [Ask] does not work with it.
	PlainState bool

	// Clock is read for the expiry of tokens. Nil: time.Now.
	Clock func() time.Time
}

// LegacyMode says how clients are served that open with an initialize handshake, as all
// revisions before 2026-07-28 do.
type LegacyMode uint8

const (
	// LegacySessions serves the handshake and everything that builds on it.
	LegacySessions LegacyMode = iota
	// LegacySessionless serves legacy requests with or without a handshake and remembers
	// nothing: no log level, no questions to the client, no word of changes. Over HTTP nothing
	// is cancelled. Each request is served in the revision that its header names, or as of
	// 2025-03-26 without one, as on stdio.
	LegacySessionless
	// LegacyOff refuses the handshake with an error that names the supported revisions.
	LegacyOff
)

// Icon is a picture that a client may show beside a name.
//
// Source: basic/index#icons.
type Icon = content.Icon

// Cache is a hint how long a client may keep a result. It is sent to clients of 2026-07-28.
//
// Source: server/utilities/caching.
type Cache struct {
	// TTL is cut to whole milliseconds. Zero: the default of the place where Cache stands.
	// Negative: 0, the result is stale at once.
	TTL time.Duration
	// Public says that the result holds nothing user-specific, so that anybody may share it.
	// Otherwise it is reused only for the same authorization.
	Public bool
}

const (
	defaultTTL          = 5 * time.Minute
	defaultMessageBytes = 4 << 20
	defaultDepth        = 64
	maxDepth            = 1000
	defaultInFlight     = 4096
	defaultStateLife    = time.Hour // a human answers
)

func (o *Options) withDefaults() Options {
	var set Options
	if o != nil {
		set = *o
	}
	set.MaxMessageBytes = positive(set.MaxMessageBytes, defaultMessageBytes)
	set.MaxDepth = min(positive(set.MaxDepth, defaultDepth), maxDepth)
	set.MaxInFlight = positive(set.MaxInFlight, defaultInFlight)
	set.PageSize = max(set.PageSize, 0)
	set.Cache = set.Cache.or(defaultTTL)
	if set.StateLife <= 0 {
		set.StateLife = defaultStateLife
	}
	if set.Clock == nil {
		set.Clock = time.Now
	}
	return set
}

func positive(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

// within is the hint of an entry where the server's own is the default.
func (c Cache) within(whole Cache) Cache {
	if c == (Cache{}) {
		return whole
	}
	return c.or(whole.TTL)
}

// or settles the time to live: what is set, or otherwise.
func (c Cache) or(otherwise time.Duration) Cache {
	switch {
	case c.TTL < 0:
		c.TTL = 0
	case c.TTL == 0:
		c.TTL = otherwise
	}
	return c
}
