package mcp

import "github.com/bowline-go/mcp/content"

// Icon is a picture that a client may show beside a name.
//
// Source: basic/index#icons.
type Icon = content.Icon
