package protocol

import "github.com/bowline-go/mcp/content"

// Implementation names a client or a server.
type Implementation struct {
	// Name is for programs.
	Name string `json:"name"`
	// Title is for people.
	Title string `json:"title,omitzero"`
	// Version is the version of the software.
	Version string `json:"version"`
	// Description says what it is.
	Description string `json:"description,omitzero"`
	// WebsiteURL leads to more.
	WebsiteURL string `json:"websiteUrl,omitzero"`
	// Icons stand for it.
	Icons []content.Icon `json:"icons,omitzero"`
}

// For returns the implementation without what revision r does not know.
func (i Implementation) For(r *Revision) Implementation {
	if !r.Titles {
		i.Title = ""
	}
	if !r.ImplementationDetails {
		i.Description, i.WebsiteURL, i.Icons = "", "", nil
	}
	return i
}

// Brief returns what identifies the implementation: name, title and version.
func (i Implementation) Brief() Implementation {
	return Implementation{Name: i.Name, Title: i.Title, Version: i.Version}
}

// AppendTo appends the implementation as JSON.
func (i Implementation) AppendTo(dst []byte) []byte {
	o := object{dst: append(dst, '{')}
	o.text("name", i.Name)
	o.optional("title", i.Title)
	o.text("version", i.Version)
	o.optional("description", i.Description)
	o.optional("websiteUrl", i.WebsiteURL)
	if len(i.Icons) > 0 {
		// Icons hold only strings, so that encoding them cannot fail.
		icons, _ := Append(nil, i.Icons)
		o.raw("icons", icons)
	}
	return append(o.dst, '}')
}

// DecodeImplementation reads who a peer says it is. It never fails: identity is for display, so a
// member of the wrong type counts as absent.
func DecodeImplementation(raw []byte) (i Implementation) {
	if isObject(raw) && Decode(raw, &i) == nil {
		return i
	}
	i = Implementation{}
	i.Name, _ = stringOf(memberOf(raw, "name"))
	i.Title, _ = stringOf(memberOf(raw, "title"))
	i.Version, _ = stringOf(memberOf(raw, "version"))
	return i
}
