package protocol_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/bowline-go/mcp/internal/protocol"
)

// names of the revisions, oldest first, as the directories of the specification's schemas.
var names = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

func TestRevisionTableHasTheDatedSchemasInOrder(t *testing.T) {
	var got []string
	for r := range protocol.Revisions() {
		if r.Index != len(got) {
			t.Errorf("%s has index %d, want %d", r.Name, r.Index, len(got))
		}
		if protocol.Lookup(r.Name) != r {
			t.Errorf("Lookup(%q) is another row", r.Name)
		}
		got = append(got, r.Name)
	}
	if !slices.Equal(got, names) || len(got) != protocol.RevisionCount {
		t.Errorf("revisions are %v, want %v", got, names)
	}
	for range protocol.Revisions() {
		break // a range that ends early is no mistake
	}
}

// columns says for each column where in the schemas it begins (and ends), as one mark a revision.
var columns = map[string]string{
	"Modern":                "----x", // 2026-07-28 schema.ts RequestMetaObject; no InitializeRequest
	"Batches":               "-x---", // 2025-03-26 schema.ts JSONRPCBatchRequest
	"ResultType":            "----x", // Result.resultType
	"CacheHints":            "----x", // CacheableResult
	"ServerInfoStamp":       "----x", // ResultMetaObject
	"InputRequired":         "----x", // InputRequiredResult
	"ToolAnnotations":       "-xxxx", // ToolAnnotations
	"StructuredContent":     "--xxx", // CallToolResult.structuredContent, Tool.outputSchema
	"StructuredAnyRoot":     "----x", // structuredContent?: unknown
	"Titles":                "--xxx", // BaseMetadata.title
	"Icons":                 "---xx", // Icons
	"DefinitionMeta":        "--xxx", // Tool._meta, TextContent._meta
	"ImplementationDetails": "---xx", // Implementation.description, websiteUrl
	"Extensions":            "----x", // ServerCapabilities.extensions
	"Audio":                 "-xxxx", // AudioContent
	"Links":                 "--xxx", // ResourceLink
	"LastModified":          "--xxx", // Annotations.lastModified
	"ProgressMessage":       "-xxxx", // ProgressNotification.params.message
	"CompletionsCapability": "-xxxx", // ServerCapabilities.completions
	"CompletionContext":     "--xxx", // CompleteRequest.params.context
	"ElicitForm":            "--xxx", // ElicitRequest
	"ElicitModes":           "---xx", // ClientCapabilities.elicitation.url
	"ElicitEnums":           "---xx", // TitledSingleSelectEnumSchema, MultiSelectEnumSchema
	"ElicitDefaults":        "---xx", // StringSchema.default
	"ElicitID":              "---x-", // ElicitRequestURLParams.elicitationId
	"SamplingTools":         "---xx", // CreateMessageRequestParams.tools
	"SamplingArrayContent":  "---xx", // SamplingMessage.content list
	"MirroredHeaders":       "----x", // basic/transports/streamable-http#request-metadata
	"PrimingEvent":          "---x-", // 2025-11-25/basic/transports#sending-messages-to-the-server
}

func TestRevisionColumnsAreTheFactsOfTheSchemas(t *testing.T) {
	seen := 0
	for field := range reflect.TypeFor[protocol.Revision]().Fields() {
		if field.Type.Kind() != reflect.Bool {
			continue
		}
		seen++
		got := ""
		for r := range protocol.Revisions() {
			if reflect.ValueOf(*r).FieldByIndex(field.Index).Bool() {
				got += "x"
			} else {
				got += "-"
			}
		}
		if want := columns[field.Name]; got != want {
			t.Errorf("column %s is %s, want %q", field.Name, got, want)
		}
	}
	if seen != len(columns) {
		t.Errorf("%d columns, want %d", seen, len(columns))
	}
	for r := range protocol.Revisions() {
		want := -32002
		if r.Modern {
			want = -32602
		}
		if r.ResourceNotFound != want {
			t.Errorf("%s: resource not found is %d, want %d", r.Name, r.ResourceNotFound, want)
		}
	}
}

func TestNegotiateEchoesKnownLegacyRevisionsAndOffersTheNewestOtherwise(t *testing.T) {
	for requested, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "1999-01-01": "2025-11-25", "": "2025-11-25", "２０２５": "2025-11-25",
	} {
		if got := protocol.Negotiate(requested).Name; got != want {
			t.Errorf("Negotiate(%q) = %s, want %s", requested, got, want)
		}
	}
}

func TestNamedRevisions(t *testing.T) {
	if got := protocol.Modern().Name; got != "2026-07-28" {
		t.Errorf("Modern is %s", got)
	}
	if got := protocol.LatestLegacy().Name; got != "2025-11-25" {
		t.Errorf("LatestLegacy is %s", got)
	}
	if got := protocol.HeaderDefault().Name; got != "2025-03-26" {
		t.Errorf("HeaderDefault is %s", got)
	}
	if protocol.Lookup("") != nil || protocol.Lookup("2026-07-29") != nil {
		t.Error("Lookup finds revisions that do not exist")
	}
	if got := protocol.SupportedNames(); !slices.Equal(got, names[4:]) {
		t.Errorf("SupportedNames are %v: legacy revisions are reached by initialize", got)
	}
	if got := protocol.LegacyNames(); !slices.Equal(got, names[:4]) {
		t.Errorf("LegacyNames are %v", got)
	}
}

func TestDialectFollowsTheColumns(t *testing.T) {
	for r := range protocol.Revisions() {
		d := r.Dialect()
		got := []bool{d.Audio, d.Links, d.Meta, d.LastModified, d.Titles, d.Icons}
		want := []bool{r.Audio, r.Links, r.DefinitionMeta, r.LastModified, r.Titles, r.Icons}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %+v", r.Name, d)
		}
	}
}
