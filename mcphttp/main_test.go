package mcphttp_test

import (
	"bytes"
	"fmt"
	"os"
	"runtime/pprof"
	"strings"
	"testing"
	"time"
)

// TestMain fails when a test leaves a goroutine behind that has to do with serving.
func TestMain(m *testing.M) {
	code := m.Run()
	if left := leaked(); code == 0 && left != "" {
		fmt.Fprintln(os.Stderr, "goroutines were left behind:\n"+left)
		code = 1
	}
	os.Exit(code)
}

// leaked waits for the last goroutines to end and returns the stacks of those that do not.
func leaked() (stacks string) {
	for range 100 {
		var all bytes.Buffer
		if err := pprof.Lookup("goroutine").WriteTo(&all, 2); err != nil {
			return err.Error()
		}
		stacks = ""
		for stack := range strings.SplitSeq(all.String(), "\n\n") {
			ours := strings.Contains(stack, "mcphttp.") || strings.Contains(stack, "net/http.(*conn)") || strings.Contains(stack, "net/http.(*Server)")
			if ours && !strings.Contains(stack, "TestMain") {
				stacks += stack + "\n\n"
			}
		}
		if stacks == "" {
			return ""
		}
		<-time.After(50 * time.Millisecond)
	}
	return stacks
}
