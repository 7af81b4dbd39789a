package protocol

import "iter"

// RevisionCount is the number of dated revisions in the table; Revision.Index is below it.
const RevisionCount = 5

// Revision is one dated revision of the protocol: one column a behaviour. Code asks a column and
// never compares versions. Rows are shared and read-only.
type Revision struct {
	// Name is the dated string that travels on the wire.
	Name string
	// Index is the row, oldest first.
	Index int
	// Modern: no handshake; version, client and capabilities ride in the _meta of each request.
	Modern bool

	// Batches: a message may be an array of messages.
	Batches bool
	// ResultType: every result says whether it is complete.
	ResultType bool
	// CacheHints: results of cacheable methods carry ttlMs and cacheScope.
	CacheHints bool
	// ServerInfoStamp: every result names the server in its _meta.
	ServerInfoStamp bool
	// InputRequired: a server asks by a result that the client answers on a retry, not by a request of its own.
	InputRequired bool

	// ToolAnnotations: tools carry behaviour hints.
	ToolAnnotations bool
	// StructuredContent: tools have an output schema and results a structured value.
	StructuredContent bool
	// StructuredAnyRoot: the structured value may be anything, not only an object.
	StructuredAnyRoot bool
	// Titles: definitions and implementations have a display name beside the programmatic one.
	Titles bool
	// Icons: definitions have icons.
	Icons bool
	// DefinitionMeta: definitions, contents and blocks have a _meta.
	DefinitionMeta bool
	// ImplementationDetails: an implementation has icons, a description and a website.
	ImplementationDetails bool
	// Extensions: capabilities have a map of extensions.
	Extensions bool

	// Audio: audio blocks exist.
	Audio bool
	// Links: resource_link blocks exist.
	Links bool
	// LastModified: annotations say when something changed.
	LastModified bool

	// ProgressMessage: progress notifications have a text.
	ProgressMessage bool
	// CompletionsCapability: a server declares that it completes arguments.
	CompletionsCapability bool
	// CompletionContext: a completion request carries the arguments settled so far.
	CompletionContext bool

	// ElicitForm: a server may ask the user to fill in a form.
	ElicitForm bool
	// ElicitModes: form and url are declared apart, and a server may send the user to a URL.
	ElicitModes bool
	// ElicitEnums: form fields may be titled (oneOf) and multi-select enums.
	ElicitEnums bool
	// ElicitDefaults: form fields of every type may have a default, not only booleans.
	ElicitDefaults bool
	// ElicitID: a URL elicitation has an id and may be reported complete later.
	ElicitID bool
	// SamplingTools: sampling requests may offer tools; sampling.tools and sampling.context exist.
	SamplingTools bool
	// SamplingArrayContent: the content of a sampling message may be a list.
	SamplingArrayContent bool

	// MirroredHeaders: HTTP clients send Mcp-Method, Mcp-Name and Mcp-Param-*, and servers compare them.
	MirroredHeaders bool
	// PrimingEvent: an event stream begins with an id, empty data and a retry time.
	PrimingEvent bool

	// ResourceNotFound is the error code for an unknown resource.
	ResourceNotFound int
}

// Rows of the table, oldest first.
const (
	row20241105 = iota
	row20250326
	row20250618
	row20251125
	row20260728
)

var revisions = [RevisionCount]Revision{
	{
		Name: "2024-11-05", Index: row20241105,
		ResourceNotFound: CodeResourceNotFoundLegacy,
	},
	{
		Name: "2025-03-26", Index: row20250326,
		Batches:         true,
		ToolAnnotations: true,
		Audio:           true,
		ProgressMessage: true, CompletionsCapability: true,
		ResourceNotFound: CodeResourceNotFoundLegacy,
	},
	{
		Name: "2025-06-18", Index: row20250618,
		ToolAnnotations: true, StructuredContent: true, Titles: true, DefinitionMeta: true,
		Audio: true, Links: true, LastModified: true,
		ProgressMessage: true, CompletionsCapability: true, CompletionContext: true,
		ElicitForm:       true,
		ResourceNotFound: CodeResourceNotFoundLegacy,
	},
	{
		Name: "2025-11-25", Index: row20251125,
		ToolAnnotations: true, StructuredContent: true, Titles: true, Icons: true, DefinitionMeta: true,
		ImplementationDetails: true,
		Audio:                 true, Links: true, LastModified: true,
		ProgressMessage: true, CompletionsCapability: true, CompletionContext: true,
		ElicitForm: true, ElicitModes: true, ElicitEnums: true, ElicitDefaults: true, ElicitID: true,
		SamplingTools: true, SamplingArrayContent: true,
		PrimingEvent:     true,
		ResourceNotFound: CodeResourceNotFoundLegacy,
	},
	{
		Name: "2026-07-28", Index: row20260728, Modern: true,
		ResultType: true, CacheHints: true, ServerInfoStamp: true, InputRequired: true,
		ToolAnnotations: true, StructuredContent: true, StructuredAnyRoot: true, Titles: true, Icons: true,
		DefinitionMeta: true, ImplementationDetails: true, Extensions: true,
		Audio: true, Links: true, LastModified: true,
		ProgressMessage: true, CompletionsCapability: true, CompletionContext: true,
		ElicitForm: true, ElicitModes: true, ElicitEnums: true, ElicitDefaults: true,
		SamplingTools: true, SamplingArrayContent: true,
		MirroredHeaders:  true,
		ResourceNotFound: CodeInvalidParams,
	},
}

// Modern returns the revision whose requests stand alone.
func Modern() *Revision { return &revisions[row20260728] }

// LatestLegacy returns the newest revision that begins with a handshake.
func LatestLegacy() *Revision { return &revisions[row20251125] }

// HeaderDefault returns what a legacy HTTP request without a session and without an
// MCP-Protocol-Version header is taken for.
//
// 2025-11-25/basic/transports#protocol-version-header: without header and session assume this one.
func HeaderDefault() *Revision { return &revisions[row20250326] }

// Lookup returns the revision of that exact name, or nil.
func Lookup(name string) *Revision {
	for i := range revisions {
		if revisions[i].Name == name {
			return &revisions[i]
		}
	}
	return nil
}

// Negotiate returns the revision that a server answers an initialize request with.
//
// 2025-11-25/basic/lifecycle#version-negotiation: a supported version is echoed, otherwise the server offers another.
func Negotiate(requested string) *Revision {
	if r := Lookup(requested); r != nil && !r.Modern {
		return r
	}
	return LatestLegacy()
}

// SupportedNames returns what a client may send as the protocolVersion of a _meta. Legacy revisions
// are not among them: they are reached by initialize. The caller owns the slice.
func SupportedNames() []string { return []string{Modern().Name} }

// LegacyNames returns what initialize can negotiate, oldest first. The caller owns the slice.
func LegacyNames() []string {
	var names []string
	for r := range Revisions() {
		if !r.Modern {
			names = append(names, r.Name)
		}
	}
	return names
}

// Revisions ranges over the table, oldest first.
func Revisions() iter.Seq[*Revision] {
	return func(yield func(*Revision) bool) {
		for i := range revisions {
			if !yield(&revisions[i]) {
				return
			}
		}
	}
}
