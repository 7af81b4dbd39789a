package schema

// wrap makes a schema whose only member "result" has the schema doc.
//
// server/tools#output-schema: before 2026-07-28 the root of an output schema is an object.
func wrap(doc *node, d dialect) *node {
	inner := doc.clone()
	wrapper := objectNode()
	var keep []string
	hoisted := objectNode()
	if inner.get("$id") == nil {
		if dialect := inner.remove("$schema"); dialect != nil {
			wrapper.set("$schema", dialect)
		}
		for _, name := range []string{"$defs", "definitions"} {
			if defs := inner.remove(name); defs != nil {
				keep = append(keep, "#/"+name)
				hoisted.set(name, defs)
			}
		}
		const result = "#/properties/result"
		rewriteRefs(inner, result, keep)
		rewriteRefs(hoisted, result, keep)
	}
	wrapper.set("type", textNode("object"))
	wrapper.set("properties", objectNode().set("result", inner))
	wrapper.set("required", listNode(textNode("result")))
	for i, name := range hoisted.names {
		wrapper.set(name, hoisted.items[i])
	}
	return wrapper
}
