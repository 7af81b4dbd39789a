package procedure

import (
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
)

// callerOutside is the line of the program that calls into this package, such as main.go:12.
func callerOutside() string {
	inside := reflect.TypeFor[Table]().PkgPath() + "."
	var pcs [8]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		frame, more := frames.Next()
		if !strings.HasPrefix(frame.Function, inside) {
			return filepath.Base(frame.File) + ":" + strconv.Itoa(frame.Line)
		}
		if !more {
			return "unknown"
		}
	}
}
