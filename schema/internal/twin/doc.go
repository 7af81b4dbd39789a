// Package twin holds package schema to the verdicts of others: the official JSON Schema test suite, whose vectors the
// module github.com/google/jsonschema-go carries, and github.com/santhosh-tekuri/jsonschema/v6, on random schemas of the
// whole vocabulary. Run its tests in its own folder; it needs no network once its modules are downloaded.
//
// This package does not have code of its own.
package twin
