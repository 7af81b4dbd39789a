package protocol

import "github.com/bowline-go/mcp/content"

// Dialect returns what blocks may contain for a client of the revision.
func (r *Revision) Dialect() content.Dialect {
	return content.Dialect{
		Audio:        r.Audio,
		Links:        r.Links,
		Meta:         r.DefinitionMeta,
		LastModified: r.LastModified,
		Titles:       r.Titles,
		Icons:        r.Icons,
	}
}
