package protocol

// CapabilitySet is what a client can be asked for, as bits.
type CapabilitySet uint16

// The bits. A client that elicits without naming a mode elicits forms.
const (
	CanElicitForm CapabilitySet = 1 << iota
	CanElicitURL
	CanSample
	CanSampleTools
	CanSampleContext
	CanListRoots
	CanReportRoots
)

// Has says whether every capability of want is declared.
func (s CapabilitySet) Has(want CapabilitySet) bool { return s&want == want }

// Missing returns what of want is not declared.
func (s CapabilitySet) Missing(want CapabilitySet) CapabilitySet { return want &^ s }

// Within returns what of the set a client of revision r can be asked: what the revision does not know
// counts as not declared. Where elicitation has no modes, declaring it at all means forms.
//
// 2025-06-18/client/elicitation#capabilities: the capability is declared as a whole.
func (s CapabilitySet) Within(r *Revision) CapabilitySet {
	modes := s & (CanElicitForm | CanElicitURL)
	switch {
	case !r.ElicitForm:
		s &^= modes
	case !r.ElicitModes && modes != 0:
		s = s&^modes | CanElicitForm
	}
	if !r.SamplingTools {
		s &^= CanSampleTools | CanSampleContext
	}
	return s
}

// DecodeCapabilities reads the capabilities that a client declared, a JSON object. A capability
// whose value is no object is not declared; unknown ones are passed over. It does not allocate for
// names without escapes.
func DecodeCapabilities(raw []byte) (set CapabilitySet) {
	for walk := membersOf(raw); ; {
		name, value, ok := walk.next()
		if !ok {
			return set
		}
		if !isObject(value) {
			continue
		}
		switch {
		case stringIs(name, "elicitation"):
			set |= elicitationModes(value)
		case stringIs(name, "sampling"):
			set |= CanSample | samplingParts(value)
		case stringIs(name, "roots"):
			set |= CanListRoots
			if isTrue(value, "listChanged") {
				set |= CanReportRoots
			}
		}
	}
}

// elicitationModes reads the modes of an elicitation capability.
//
// client/elicitation#capabilities: an empty object is equivalent to declaring form mode only.
func elicitationModes(value []byte) (set CapabilitySet) {
	named := false
	for walk := membersOf(value); ; {
		name, mode, ok := walk.next()
		switch {
		case !ok && !named:
			return CanElicitForm
		case !ok:
			return set
		case stringIs(name, "form"):
			named = true
			set |= declared(mode, CanElicitForm)
		case stringIs(name, "url"):
			named = true
			set |= declared(mode, CanElicitURL)
		}
	}
}

// samplingParts reads the parts of a sampling capability.
func samplingParts(value []byte) (set CapabilitySet) {
	for walk := membersOf(value); ; {
		name, part, ok := walk.next()
		switch {
		case !ok:
			return set
		case stringIs(name, "tools"):
			set |= declared(part, CanSampleTools)
		case stringIs(name, "context"):
			set |= declared(part, CanSampleContext)
		}
	}
}

// declared returns the bit of a capability whose value is an object.
func declared(value []byte, bit CapabilitySet) CapabilitySet {
	if isObject(value) {
		return bit
	}
	return 0
}

// AppendTo appends the JSON object that declares the set to a server of revision r; what the revision
// does not know is left out.
func (s CapabilitySet) AppendTo(dst []byte, r *Revision) []byte {
	o := object{dst: append(dst, '{')}
	o.flags("roots", s.Has(CanListRoots), flag{"listChanged", s.Has(CanReportRoots) && !r.Modern})
	o.empties("sampling", s.Has(CanSample),
		flag{"context", s.Has(CanSampleContext) && r.SamplingTools},
		flag{"tools", s.Has(CanSampleTools) && r.SamplingTools})
	url := s.Has(CanElicitURL) && r.ElicitModes
	form := s.Has(CanElicitForm) && r.ElicitForm
	o.empties("elicitation", form || url, flag{"form", form && url}, flag{"url", url})
	return append(o.dst, '}')
}

// AppendRequired appends the value of data.requiredCapabilities: what of want the client did not
// declare. A missing form is the bare elicitation capability unless another mode is declared or missing too.
//
// basic/index#meta: the error lists the missing capabilities.
func (s CapabilitySet) AppendRequired(dst []byte, want CapabilitySet) []byte {
	lacks := s.Missing(want)
	form, url := lacks.Has(CanElicitForm), lacks.Has(CanElicitURL)
	o := object{dst: append(dst, '{')}
	o.flags("roots", lacks&(CanListRoots|CanReportRoots) != 0)
	o.empties("sampling", lacks&(CanSample|CanSampleTools|CanSampleContext) != 0,
		flag{"context", lacks.Has(CanSampleContext)}, flag{"tools", lacks.Has(CanSampleTools)})
	o.empties("elicitation", form || url, flag{"form", form && (url || s.Has(CanElicitURL))}, flag{"url", url})
	return append(o.dst, '}')
}

// String names the capabilities of the set in words, for messages: "elicitation, sampling.tools".
func (s CapabilitySet) String() string {
	text := ""
	for i, name := range capabilityNames {
		if s&(1<<i) == 0 {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += name
	}
	return text
}

// capabilityNames has the path of each bit, lowest bit first.
var capabilityNames = [...]string{
	"elicitation", "elicitation.url", "sampling", "sampling.tools", "sampling.context", "roots", "roots.listChanged",
}
