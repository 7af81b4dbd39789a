// A module of its own, so that users of the library do not inherit the validator that it is compared with.
module github.com/bowline-go/mcp/schema/internal/twin

go 1.26

require (
	github.com/bowline-go/mcp v0.0.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
)

require (
	github.com/go-json-experiment/json v1.27.2 // indirect
	github.com/google/jsonschema-go v0.4.3 // indirect
	golang.org/x/text v0.14.0 // indirect
)

replace github.com/bowline-go/mcp => ../../..
