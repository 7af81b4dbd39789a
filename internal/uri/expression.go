package uri

import "strings"

// operator is one row of RFC 6570's table of expression types, as far as it can be matched.
type operator struct {
	first, separator string
	wide             bool // values may hold '/'
	query            bool
}

// piece is a literal or one variable of a template; the separators of an expression are literals.
type piece struct {
	literal  string
	name     string // empty: a literal
	op       operator
	exploded bool
}

func (p *parser) expression() error {
	open := p.pos
	n := strings.IndexAny(p.text[open+1:], "{}")
	if n < 0 || p.text[open+1+n] == '{' {
		return p.fail(open, `unclosed variable; close it with "}"`)
	}
	end := open + 1 + n
	body := p.text[open+1 : end]
	if body == "" {
		return p.fail(open, "variable name must not be empty; write {name}")
	}
	op, known := operatorOf(body[0])
	if !known {
		return p.fail(open+1, "operator %q is not supported; write {var}, {+var}, {/var}, {.var}, {#var}, {?var} or {&var}", body[0])
	}
	if strings.IndexByte("+/.#?&", body[0]) >= 0 {
		body = body[1:]
	}
	if err := p.place(open, op); err != nil {
		return err
	}
	if !op.query && op.first != "" {
		p.pieces = append(p.pieces, piece{literal: op.first})
	}
	at := end - len(body)
	for i, spec := range strings.Split(body, ",") {
		if i > 0 && !op.query {
			p.pieces = append(p.pieces, piece{literal: op.separator})
		}
		if err := p.variable(at, spec, op); err != nil {
			return err
		}
		at += len(spec) + 1
	}
	p.pos = end + 1
	return nil
}

// operatorOf returns the operator that the first byte of an expression selects. Any byte that RFC 6570 does not set apart
// begins a name and selects simple expansion.
func operatorOf(c byte) (operator, bool) {
	switch c {
	case '+':
		return operator{separator: ",", wide: true}, true
	case '#':
		return operator{first: "#", separator: ",", wide: true}, true
	case '/':
		return operator{first: "/", separator: "/"}, true
	case '.':
		return operator{first: ".", separator: "."}, true
	case '?':
		return operator{first: "?", query: true}, true
	case '&':
		return operator{first: "&", query: true}, true
	case ';', '=', '!', '@', '|':
		return operator{}, false
	default:
		return operator{separator: ","}, true
	}
}

// place refuses an expression where it would make matching ambiguous.
func (p *parser) place(open int, op operator) error {
	afterVariable := len(p.pieces) > 0 && p.pieces[len(p.pieces)-1].name != ""
	switch {
	case op.first == "" && afterVariable:
		return p.fail(open, "adjacent variables require separating literal text; put some between them")
	case op.first == "?" && p.question:
		return p.fail(open, `a query that a literal "?" has begun cannot begin again; write {&…}`)
	case op.first == "&" && !p.continues():
		return p.fail(open, `{&…} must follow a literal that begins a query, the first "?" of the template; write {?…}, or "?fixed=value{&…}"`)
	}
	p.continued = op.first == "&"
	return nil
}

// continues reports whether the last piece is the first literal that holds '?'.
func (p *parser) continues() bool {
	for i := range p.pieces {
		if strings.Contains(p.pieces[i].literal, "?") {
			return i == len(p.pieces)-1
		}
	}
	return false
}

func (p *parser) variable(at int, spec string, op operator) error {
	name, exploded, err := p.modifier(at, spec, op)
	if err != nil {
		return err
	}
	if err := p.name(at, name); err != nil {
		return err
	}
	for i := range p.pieces {
		if p.pieces[i].name == name {
			return p.fail(at, "variable %q is named twice; give each variable a name of its own", name)
		}
	}
	p.variables++
	if p.variables > MaxVariables {
		return p.fail(at, "more than %d variables; split the template", MaxVariables)
	}
	if !op.query {
		if err := p.order(at, op.wide || exploded); err != nil {
			return err
		}
	}
	p.pieces = append(p.pieces, piece{name: name, op: op, exploded: exploded})
	return nil
}

// order refuses a narrow variable between two wide ones: where the first wide one ends could not be found in linear time.
func (p *parser) order(at int, wide bool) error {
	switch {
	case wide && p.wide == behindWide:
		return p.fail(at, `a variable without "/" stands between two that may hold "/"; make them one {+var}, or all of them wide`)
	case wide:
		p.wide = inWide
	case p.wide == inWide:
		p.wide = behindWide
	}
	return nil
}

// modifier splits a variable into its name and whether it is exploded.
func (p *parser) modifier(at int, spec string, op operator) (name string, exploded bool, err error) {
	if name, _, found := strings.Cut(spec, ":"); found {
		return "", false, p.fail(at+len(name), `a ":n" prefix loses the rest of the value, so a URI cannot be matched; write {%s}`, name)
	}
	name, exploded = strings.CutSuffix(spec, "*")
	if exploded && op.first != "/" {
		return "", false, p.fail(at+len(name), `"*" makes lists of unknown length; it is supported as {/%s*} only`, name)
	}
	return name, exploded, nil
}

func (p *parser) name(at int, name string) error {
	if name == "" {
		return p.fail(at, "variable name must not be empty; write {name}")
	}
	for i := range len(name) {
		inner := 0 < i && i < len(name)-1
		dot := name[i] == '.' && inner && name[i-1] != '.'
		if !dot && !isNameByte(name[i]) {
			return p.fail(at+i, "variable name must contain only A-Z, a-z, 0-9, and _ (and single dots inside); rename %q", name)
		}
	}
	return nil
}
