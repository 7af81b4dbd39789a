package protocol

import "iter"

// MethodID names a row of the method table.
type MethodID uint8

// The methods of the protocol, requests of the client first.
const (
	ToolsCall MethodID = iota
	ToolsList
	ResourcesRead
	ResourcesList
	ResourcesTemplatesList
	PromptsGet
	PromptsList
	CompletionComplete
	ServerDiscover
	SubscriptionsListen
	Initialize
	Ping
	LoggingSetLevel
	ResourcesSubscribe
	ResourcesUnsubscribe

	ElicitationCreate
	SamplingCreateMessage
	RootsList

	Initialized
	Cancelled
	Progress
	RootsListChanged
	Message
	ToolsListChanged
	PromptsListChanged
	ResourcesListChanged
	ResourceUpdated
	SubscriptionsAcknowledged
	ElicitationComplete

	methodCount
)

// Eras is the set of revisions that know something, by Revision.Index.
type Eras [RevisionCount]bool

// Method is one row of the method table. Rows are shared and read-only.
type Method struct {
	// ID is the row.
	ID MethodID
	// Name is what travels as "method".
	Name string
	// In says in which revisions a client may send it.
	In Eras
	// Out says in which revisions a server may send it.
	Out Eras
	// Notification: it has no id and no answer.
	Notification bool
	// NamedBy is the parameter that HTTP clients mirror into Mcp-Name, or NoParam.
	NamedBy Param
	// Needs is the server capability without which a request of that method is unknown.
	Needs Capability
	// MayAsk: the answer may be a question to the client.
	MayAsk bool
}

// Sets of revisions that rows share, oldest revision first.
var (
	always     = Eras{true, true, true, true, true}
	legacyOnly = Eras{true, true, true, true, false}
	modernOnly = Eras{false, false, false, false, true}
	formAsking = Eras{false, false, true, true, false}
	idAsking   = Eras{false, false, false, true, false}
)

var methods = [methodCount]Method{
	ToolsCall:              {ID: ToolsCall, Name: "tools/call", In: always, NamedBy: ParamName, Needs: NeedsTools, MayAsk: true},
	ToolsList:              {ID: ToolsList, Name: "tools/list", In: always, Needs: NeedsTools},
	ResourcesRead:          {ID: ResourcesRead, Name: "resources/read", In: always, NamedBy: ParamURI, Needs: NeedsResources, MayAsk: true},
	ResourcesList:          {ID: ResourcesList, Name: "resources/list", In: always, Needs: NeedsResources},
	ResourcesTemplatesList: {ID: ResourcesTemplatesList, Name: "resources/templates/list", In: always, Needs: NeedsResources},
	PromptsGet:             {ID: PromptsGet, Name: "prompts/get", In: always, NamedBy: ParamName, Needs: NeedsPrompts, MayAsk: true},
	PromptsList:            {ID: PromptsList, Name: "prompts/list", In: always, Needs: NeedsPrompts},
	CompletionComplete:     {ID: CompletionComplete, Name: "completion/complete", In: always, Needs: NeedsCompletions},
	ServerDiscover:         {ID: ServerDiscover, Name: "server/discover", In: modernOnly},
	SubscriptionsListen:    {ID: SubscriptionsListen, Name: "subscriptions/listen", In: modernOnly, Needs: NeedsChanges},
	Initialize:             {ID: Initialize, Name: "initialize", In: legacyOnly},
	Ping:                   {ID: Ping, Name: "ping", In: legacyOnly, Out: legacyOnly},
	LoggingSetLevel:        {ID: LoggingSetLevel, Name: "logging/setLevel", In: legacyOnly, Needs: NeedsLogging},
	ResourcesSubscribe:     {ID: ResourcesSubscribe, Name: "resources/subscribe", In: legacyOnly, Needs: NeedsSubscribe},
	ResourcesUnsubscribe:   {ID: ResourcesUnsubscribe, Name: "resources/unsubscribe", In: legacyOnly, Needs: NeedsSubscribe},

	// In the modern revision the three questions travel inside a result, not as requests.
	ElicitationCreate:     {ID: ElicitationCreate, Name: "elicitation/create", Out: formAsking},
	SamplingCreateMessage: {ID: SamplingCreateMessage, Name: "sampling/createMessage", Out: legacyOnly},
	RootsList:             {ID: RootsList, Name: "roots/list", Out: legacyOnly},

	Initialized:               {ID: Initialized, Name: "notifications/initialized", In: legacyOnly, Notification: true},
	Cancelled:                 {ID: Cancelled, Name: "notifications/cancelled", In: always, Out: always, Notification: true},
	Progress:                  {ID: Progress, Name: "notifications/progress", In: legacyOnly, Out: always, Notification: true},
	RootsListChanged:          {ID: RootsListChanged, Name: "notifications/roots/list_changed", In: legacyOnly, Notification: true},
	Message:                   {ID: Message, Name: "notifications/message", Out: always, Notification: true},
	ToolsListChanged:          {ID: ToolsListChanged, Name: "notifications/tools/list_changed", Out: always, Notification: true},
	PromptsListChanged:        {ID: PromptsListChanged, Name: "notifications/prompts/list_changed", Out: always, Notification: true},
	ResourcesListChanged:      {ID: ResourcesListChanged, Name: "notifications/resources/list_changed", Out: always, Notification: true},
	ResourceUpdated:           {ID: ResourceUpdated, Name: "notifications/resources/updated", Out: always, Notification: true},
	SubscriptionsAcknowledged: {ID: SubscriptionsAcknowledged, Name: "notifications/subscriptions/acknowledged", Out: modernOnly, Notification: true},
	ElicitationComplete:       {ID: ElicitationComplete, Name: "notifications/elicitation/complete", Out: idAsking, Notification: true},
}

// MethodNamed returns the row of that exact name, or nil. It does not allocate.
func MethodNamed(name []byte) *Method {
	for id := range methods {
		if methods[id].Name == string(name) {
			return &methods[id]
		}
	}
	return nil
}

// MethodOf returns the row of an id, or nil for a number that names none.
func MethodOf(id MethodID) *Method {
	if id >= methodCount {
		return nil
	}
	return &methods[id]
}

// Methods ranges over the table in the order of the ids.
func Methods() iter.Seq[*Method] {
	return func(yield func(*Method) bool) {
		for id := range methods {
			if !yield(&methods[id]) {
				return
			}
		}
	}
}

// ServedBy says whether a client of that revision may send the method. A nil method is served by none.
func (m *Method) ServedBy(r *Revision) bool { return m != nil && r != nil && m.In[r.Index] }

// SentBy says whether a server may send the method to a client of that revision.
func (m *Method) SentBy(r *Revision) bool { return m != nil && r != nil && m.Out[r.Index] }
