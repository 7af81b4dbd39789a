package jsonrpc

// Kind says what a message is.
type Kind uint8

// The kinds of messages. The zero Kind is that of a Message which holds none.
const (
	Request Kind = iota + 1
	Notification
	Response
)

// Message is one decoded message. It may be reused for the next one, and then allocates nothing but
// the text of the id. Every byte slice aliases the data that was decoded (Method does not when it
// was spelled with escapes): all of them are valid as long as that data is.
type Message struct {
	// Kind is the zero Kind before a Decode and after one that failed.
	Kind Kind
	// ID is zero for a notification and for a response whose id was null or could not be read.
	ID ID
	// Method is the decoded text of the method; nil for a response.
	Method []byte
	// Params is the raw object; nil when absent.
	Params []byte
	// Result is the raw result of a response; nil when it has an error instead.
	Result []byte
	// Error is the error of a response; nil when it has a result instead.
	Error *ErrorObject

	data       []byte
	metaRaw    span
	paramsSeen uint32 // bit i: params[i] belongs to this message
	metaSeen   uint32
	params     [MaxParamNames]span
	meta       [MaxMetaNames]span
}

// span is data[start:end]; the zero span is no value, because every value that is kept stands behind
// the bracket of the envelope.
type span struct{ start, end uint32 }

// Param returns the raw value of the i-th params name of the index, nil when it is absent.
func (m *Message) Param(i int) []byte {
	if i < 0 || i >= MaxParamNames || m.paramsSeen>>i&1 == 0 {
		return nil
	}
	return m.raw(m.params[i])
}

// Meta returns the raw value of the i-th _meta name of the index, nil when it is absent.
func (m *Message) Meta(i int) []byte {
	if i < 0 || i >= MaxMetaNames || m.metaSeen>>i&1 == 0 {
		return nil
	}
	return m.raw(m.meta[i])
}

// HasMeta reports whether params._meta is present and an object.
func (m *Message) HasMeta() bool {
	raw := m.MetaRaw()
	return len(raw) > 0 && raw[0] == '{'
}

// MetaRaw returns the raw value of params._meta of whatever type, nil when it is absent.
func (m *Message) MetaRaw() []byte { return m.raw(m.metaRaw) }

// raw returns the bytes of a span, without room behind them that an append could write to.
func (m *Message) raw(s span) []byte {
	if s.end == 0 {
		return nil
	}
	return m.data[s.start:s.end:s.end]
}

// reset forgets the message before. The spans need no clearing: their bits say which count.
func (m *Message) reset(data []byte) {
	m.Kind, m.ID, m.Error = 0, ID{}, nil
	m.Method, m.Params, m.Result = nil, nil, nil
	m.data, m.metaRaw, m.paramsSeen, m.metaSeen = data, span{}, 0, 0
}

// ErrorObject is the error member of a response.
type ErrorObject struct {
	Code    int
	Message string
	Data    []byte // raw JSON, nil when absent
}

// Limits bounds what is read. A field that is zero or negative stands for its default.
type Limits struct {
	// Depth is how many objects and arrays may stand inside one another, the message itself
	// included. Default 64; more than 10,000 counts as 10,000.
	Depth int
	// Bytes is the size of the longest message, in bytes. Default 4 MiB; more than 1 GiB counts as 1 GiB.
	Bytes int
}

const (
	defaultDepth = 64
	defaultBytes = 4 << 20
	mostDepth    = 10_000  // the pass is recursive: this keeps its stack below some megabytes
	mostBytes    = 1 << 30 // spans have 32 bits
)

// effective fills in the defaults and applies the upper bounds.
func (l Limits) effective() Limits {
	if l.Depth <= 0 {
		l.Depth = defaultDepth
	}
	if l.Bytes <= 0 {
		l.Bytes = defaultBytes
	}
	return Limits{Depth: min(l.Depth, mostDepth), Bytes: min(l.Bytes, mostBytes)}
}

// The codes of the faults that decoding finds.
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
)

// Fault says why bytes are not a message.
type Fault struct {
	// Code is CodeParseError (not strict JSON within the limits) or CodeInvalidRequest (JSON, but no message).
	Code int
	// Text says what was found, what was expected and where. It is safe to send.
	Text string
	// ID is the id to answer with; zero when none could be read.
	ID ID
	// Notification reports that nobody waits for an answer: the message has a method and no id, or
	// has the result or the error of a response. Such a fault is dropped on stdio and refused over HTTP.
	Notification bool
}
