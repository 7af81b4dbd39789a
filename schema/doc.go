// Package schema knows JSON Schema as MCP uses it: how to build one, how to infer one from a Go type, how to compile it,
// and how to check and convert a value with it.
//
// A [Schema] comes from one of three sources: the builder ([Object], [String], [Integer], …), a Go type ([For], [Of]) or
// JSON text ([Text], [Raw]). It is immutable: every method returns a changed copy, so a schema may be shared and reused.
// A mistake travels inside it until [Schema.Compile], which reports all of them together.
//
// A [Compiled] schema checks a value ([Compiled.Validate]), checks it and fills in defaults ([Compiled.Complete]), or
// checks it, fills in defaults and converts it to a Go value, in one walk over the bytes ([Compiled.Decode]). What is
// wrong with a value is a [*Violations], worded for a model that can correct itself.
//
// # Dialects
//
// JSON Schema 2020-12 is the default; draft-07 is used when $schema says so; any other dialect is refused. The whole
// vocabulary is enforced. What the builder and the Go types produce is checked by a plan of this package; a schema that
// uses more (composition, conditions, unevaluated members, dynamic references, …) is checked by the plan as far as that
// goes and then by github.com/google/jsonschema-go. That one divides in float64, so in such a schema a fractional multipleOf
// may refuse a number that it should accept: 0.3 for 0.1. References are never fetched.
//
// # Where JSON Schema leaves a choice
//
//   - An integer is a number without a fraction: 4.0 and 4e0 are integers, 2.5 is none. Numbers are compared exactly,
//     whatever their size.
//   - Lengths count Unicode code points. Enumerations are case-sensitive.
//   - format, contentEncoding and contentMediaType are annotations. A Go type that has to parse its text (time.Time, an
//     encoding.TextUnmarshaler, []byte) refuses text that it cannot parse when a value is decoded into it.
//   - Patterns are Go regular expressions: linear time, no look-around, no back-references.
//   - Defaults fill in members that are absent and optional, at any depth, inside objects that are present.
//   - The sub-schemas true and false are published as {} and {"not":{}}, because many hosts cannot read the short form;
//     additionalProperties keeps it.
//
// # Limits
//
// A schema has at most 256 KiB of text, 64 levels of sub-schemas and 4,096 of them. A value is at most 512 levels deep.
// A value that a recursive schema outside the plan could not check in reasonable time is refused.
//
// This package does not know tools, methods or revisions of the protocol, does not dispatch anything, and does no I/O.
package schema
