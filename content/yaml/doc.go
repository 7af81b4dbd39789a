// Package yaml knows how a value is written as YAML text for a model to read. It is the only package of this module that
// needs a YAML library, so that only programs that import it link one.
//
// The text has the JSON form of the value: struct tags and methods as in encoding/json, members in their order, map keys
// sorted, integers exact, []byte as base64. It is the same in every run, and it reads the same with parsers of YAML 1.2
// and of YAML 1.1: strings that either of them would take for something else (yes, 12, 1:30, null) are quoted.
//
// This package does not read YAML, know tools or methods, or do I/O.
package yaml
