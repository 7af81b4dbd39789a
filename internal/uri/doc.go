// Package uri parses, expands, indexes and matches URI templates (RFC 6570), in time linear in the URI.
//
// What a template takes:
//
//	{var}      one or more characters, never a raw '/'
//	{+var}     one or more characters of any kind, '/' too
//	{/var}     '/' and then {var}; {/var*} is '/' and then a path of one or more segments
//	{.var}     '.' and then {var}
//	{#var}     '#' and then {+var}
//	{a,b}      {a} ',' {b}; likewise {+a,b}, {/a,b}, {.a,b} and {#a,b} with their own separators
//	{?a,b}     a query: each name at most once, in any order, each of them optional
//	{&a,b}     the rest of a query that a literal has begun: "?v=2{&a,b}"
//
// Every variable before the query is required. A variable takes as little as it can, the first one first:
// "{name}.json" on "a.b.json" gives "a.b", and "{a}-{b}" on "x-y-z" gives "x" and "y-z".
// A query matches as a whole: an unknown, repeated or bare name ("?a" without '=') is no match, '+' is a plus, and a
// '#' ends nothing but the match. When a template has a query, the URI is cut at its first raw '?', so that no variable
// before it holds one.
//
// Escapes: a triplet of any character that is not reserved by RFC 3986 (and is not '%' itself) equals that character, in
// literals and in values, so that 世 and %E4%B8%96 are the same; a triplet of a reserved character is data and never
// delimits. Values arrive decoded: a {var} that was sent as "a%2Fb" is "a/b", so a value is no safe file name. A malformed
// triplet, or text that is not UTF-8 after decoding, is no match. Scheme and host are compared exactly, case included.
//
// Refused by Parse, because a URI could not be decided (or not in linear time): repeated names, two variables without
// text between them, ":n" prefixes, "*" outside {/var*}, {;var}, a query that is not at the end, and a {var} between two
// variables that may hold '/'.
//
// Templates and indexes are immutable and safe for concurrent use.
//
// This package does not know resources, exact URIs or handlers, does not resolve or normalise URIs, and does not check
// that one is absolute.
package uri
