package protocol

// Level is the severity of a log message. The zero value is no level: nothing was asked for.
type Level uint8

// The levels, rising in severity.
const (
	LevelNone Level = iota
	LevelDebug
	LevelInfo
	LevelNotice
	LevelWarning
	LevelError
	LevelCritical
	LevelAlert
	LevelEmergency

	levelCount
)

var levelNames = [levelCount]string{
	LevelDebug:     "debug",
	LevelInfo:      "info",
	LevelNotice:    "notice",
	LevelWarning:   "warning",
	LevelError:     "error",
	LevelCritical:  "critical",
	LevelAlert:     "alert",
	LevelEmergency: "emergency",
}

// String returns the name that travels on the wire, "" for LevelNone and for numbers that are no level.
func (l Level) String() string {
	if l >= levelCount {
		return ""
	}
	return levelNames[l]
}

// Passes says whether a record of severity l goes to a client that asked for at least floor.
func (l Level) Passes(floor Level) bool {
	return floor != LevelNone && l != LevelNone && l < levelCount && l >= floor
}

// ParseLevel reads a level name; names are lower case and exact.
func ParseLevel(name string) (Level, bool) {
	for l := LevelDebug; l < levelCount; l++ {
		if levelNames[l] == name {
			return l, true
		}
	}
	return LevelNone, false
}

// LevelFromJSON reads a level from the raw JSON value of a member. It does not allocate for values without escapes.
func LevelFromJSON(raw []byte) (Level, bool) {
	if !isString(raw) {
		return LevelNone, false
	}
	for l := LevelDebug; l < levelCount; l++ {
		if stringIs(raw, levelNames[l]) {
			return l, true
		}
	}
	return LevelNone, false
}
