package content

import (
	"fmt"
	"strconv"
)

// annotations appends the member "annotations" unless a client would see none.
func (b *Body) annotations(a *Annotations, d Dialect) error {
	if a == nil {
		return nil
	}
	start := len(b.text)
	b.AppendString(`,"annotations":{`)
	empty := len(b.text)
	if len(a.Audience) > 0 {
		b.AppendString(`"audience":`)
		quoteList(b, a.Audience)
	}
	if a.Priority != nil {
		// The negation refuses NaN, too.
		if p := *a.Priority; !(p >= 0 && p <= 1) {
			return fmt.Errorf("annotations have the priority %v; it runs from 0 to 1", p)
		}
		b.separate(empty)
		b.AppendString(`"priority":`)
		b.text = strconv.AppendFloat(b.text, *a.Priority, 'g', -1, 64)
	}
	if d.LastModified && a.LastModified != "" {
		b.separate(empty)
		b.AppendString(`"lastModified":`)
		b.quote(a.LastModified)
	}
	if len(b.text) == empty {
		b.text = b.text[:start]
		return nil
	}
	b.AppendString("}")
	return nil
}

func (b *Body) icons(icons []Icon) {
	if len(icons) == 0 {
		return
	}
	b.AppendString(`,"icons":[`)
	first := len(b.text)
	for _, icon := range icons {
		b.separate(first)
		b.AppendString(`{"src":`)
		b.quote(icon.Source)
		b.optional("mimeType", icon.MIMEType)
		if len(icon.Sizes) > 0 {
			b.AppendString(`,"sizes":`)
			quoteList(b, icon.Sizes)
		}
		b.optional("theme", icon.Theme)
		b.AppendString("}")
	}
	b.AppendString("]")
}

// separate appends a comma unless nothing was appended since first.
func (b *Body) separate(first int) {
	if len(b.text) > first {
		b.text = append(b.text, ',')
	}
}

func quoteList[S ~string](b *Body, list []S) {
	b.AppendString("[")
	first := len(b.text)
	for _, s := range list {
		b.separate(first)
		b.quote(string(s))
	}
	b.AppendString("]")
}
