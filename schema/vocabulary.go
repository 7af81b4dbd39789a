package schema

// A dialect is a version of JSON Schema that this package enforces.
type dialect uint8

const (
	draft2020 dialect = iota
	draft07
)

// A shape says what the value of a keyword must look like.
type shape uint8

const (
	shapeFree        shape = iota // anything: an annotation, or a keyword that nobody knows
	shapeSchema                   // a schema
	shapeSchemas                  // a non-empty array of schemas
	shapeNamed                    // an object from names to schemas
	shapePatterns                 // an object from regular expressions to schemas
	shapeItems                    // draft-07: a schema or an array of schemas
	shapeDependency               // draft-07: an object from names to schemas or name lists
	shapeType                     // a type name or several
	shapeList                     // an array
	shapeNumber                   // a number
	shapeFactor                   // a number above zero
	shapeCount                    // an integer of 0 or more
	shapeText                     // a string
	shapePattern                  // a regular expression
	shapeFlag                     // true or false
	shapeNames                    // an array of different strings
	shapeNamesByName              // an object from names to arrays of different strings
)

// An applicator says which values the sub-schemas of a keyword apply to.
type applicator uint8

const (
	appliesNowhere   applicator = iota // they are only referred to, or describe
	appliesHere                        // to the value itself
	appliesToMember                    // to the member of the same name
	appliesToMembers                   // to members that are chosen otherwise
	appliesToElement                   // to the element of the same position
	appliesToItems                     // to elements that are chosen otherwise
)

// A keyword is what is known about one.
type keyword struct {
	shape   shape
	applies applicator
	outside bool // the plan does not enforce it
}

// keywordOf describes a keyword of a dialect; the zero keyword is an annotation.
func keywordOf(name string, d dialect) keyword {
	if d == draft07 {
		switch name {
		case "items":
			return keyword{shapeItems, appliesToItems, false}
		case "additionalItems":
			return keyword{shapeSchema, appliesToItems, true}
		case "dependencies":
			return keyword{shapeDependency, appliesHere, true}
		case "$defs", "$anchor", "$dynamicRef", "$dynamicAnchor", "prefixItems", "minContains", "maxContains",
			"dependentSchemas", "dependentRequired", "unevaluatedItems", "unevaluatedProperties", "contentSchema":
			return keyword{}
		}
	}
	if k, ok := applicatorOf(name); ok {
		return k
	}
	return assertionOf(name)
}

func applicatorOf(name string) (keyword, bool) {
	switch name {
	case "$defs", "definitions":
		return keyword{shapeNamed, appliesNowhere, false}, true
	case "contentSchema":
		return keyword{shapeSchema, appliesNowhere, false}, true
	case "properties":
		return keyword{shapeNamed, appliesToMember, false}, true
	case "additionalProperties":
		return keyword{shapeSchema, appliesToMembers, false}, true
	case "patternProperties":
		return keyword{shapePatterns, appliesToMembers, true}, true
	case "unevaluatedProperties":
		return keyword{shapeSchema, appliesToMembers, true}, true
	case "propertyNames":
		return keyword{shapeSchema, appliesNowhere, true}, true
	case "items":
		return keyword{shapeSchema, appliesToItems, false}, true
	case "contains", "unevaluatedItems":
		return keyword{shapeSchema, appliesToItems, true}, true
	case "prefixItems":
		return keyword{shapeSchemas, appliesToElement, true}, true
	case "allOf", "anyOf", "oneOf":
		return keyword{shapeSchemas, appliesHere, true}, true
	case "not", "if", "then", "else":
		return keyword{shapeSchema, appliesHere, true}, true
	case "dependentSchemas":
		return keyword{shapeNamed, appliesHere, true}, true
	}
	return keyword{}, false
}

func assertionOf(name string) keyword {
	switch name {
	case "type":
		return keyword{shape: shapeType}
	case "enum":
		return keyword{shape: shapeList}
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return keyword{shape: shapeNumber}
	case "multipleOf":
		return keyword{shape: shapeFactor}
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return keyword{shape: shapeCount}
	case "minContains", "maxContains":
		return keyword{shape: shapeCount, outside: true}
	case "pattern":
		return keyword{shape: shapePattern}
	case "uniqueItems", "deprecated", "readOnly", "writeOnly":
		return keyword{shape: shapeFlag}
	case "required":
		return keyword{shape: shapeNames}
	case "dependentRequired":
		return keyword{shape: shapeNamesByName, outside: true}
	case "$dynamicRef":
		return keyword{shape: shapeText, outside: true}
	case "title", "description", "format", "contentEncoding", "contentMediaType", "$comment", "$schema", "$id", "$ref",
		"$anchor", "$dynamicAnchor", headerWord:
		return keyword{shape: shapeText}
	}
	return keyword{}
}

// annotates reports whether a keyword beside a reference leaves the verdict to the reference.
func annotates(name string, d dialect) bool {
	switch name {
	case "$ref", "$schema", "$id", "$anchor", "$dynamicAnchor", "title", "description", "format", "contentEncoding",
		"contentMediaType", "$comment", "deprecated", "readOnly", "writeOnly", headerWord:
		return true
	}
	k := keywordOf(name, d)
	switch k.shape {
	case shapeFree:
		return name != "const"
	case shapeNamed, shapeSchema:
		return k.applies == appliesNowhere && !k.outside
	}
	return false
}
