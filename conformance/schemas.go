package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/schema"
)

// fullSchema uses keywords of JSON Schema 2020-12 that must survive tools/list.
const fullSchema = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {
		"address": {
			"$anchor": "addressDef",
			"type": "object",
			"properties": {"street": {"type": "string"}, "city": {"type": "string"}}
		}
	},
	"properties": {
		"name": {"type": "string"},
		"address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]},
		"phone": {"type": "string"},
		"email": {"type": "string"}
	},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]},
	"else": {"required": ["email"]},
	"additionalProperties": false
}`

type regional struct {
	Region string `json:"region" doc:"Travels in a header, too" header:"Region"`
	Level  int    `json:"level,omitempty" doc:"Travels in a header, too" header:"Level"`
}

// addSchemaTools are the tools whose definitions matter more than their results.
func addSchemaTools(r mcp.Registrar) {
	mcp.AddRawTool(r, mcp.Tool{
		Name: "json_schema_2020_12_tool", Description: "Has an input schema with composition, conditions and anchors",
		InputSchema: schema.Text(fullSchema),
	}, func(_ context.Context, args json.RawMessage) (string, error) {
		return fmt.Sprintf("JSON Schema 2020-12 tool called with: %s", args), nil
	})
	mcp.AddTool(r, mcp.Tool{Name: "test_x_mcp_header", Description: "Has arguments that travel in headers, too"},
		func(_ context.Context, in regional) (string, error) { return "Region: " + in.Region, nil })
	mcp.AddTool(r, mcp.Tool{
		Name: "test_missing_capability", Description: "Needs a client that samples",
		Needs: []mcp.Capability{mcp.CapabilitySampling},
	}, func(context.Context, none) (string, error) { return "the client can sample", nil })
}
