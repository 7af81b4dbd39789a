package content

// Dialect says which parts of blocks and contents a client understands. The
// zero value is the oldest revision: no audio, no links, no _meta.
type Dialect struct {
	// Audio: audio blocks. Without it, audio travels as an embedded blob resource.
	Audio bool
	// Links: resource_link blocks. Without it, a link travels as the text "name: uri".
	Links bool
	// Meta: the _meta member of blocks and contents.
	Meta bool
	// LastModified: the lastModified annotation.
	LastModified bool
	// Titles: the title of a link.
	Titles bool
	// Icons: the icons of a link.
	Icons bool
}

// FullDialect understands everything that this package can write.
func FullDialect() Dialect {
	return Dialect{Audio: true, Links: true, Meta: true, LastModified: true, Titles: true, Icons: true}
}
