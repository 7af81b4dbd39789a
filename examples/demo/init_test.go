package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestStartingCostsLittle bounds what the packages of this module, and of those that it requires, allocate before main:
// every program that links the library pays for it at every start.
func TestStartingCostsLittle(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	start := exec.Command(self, "-test.run=^$")
	start.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	start.Stderr = &trace
	if err := start.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &trace)
	}
	var ours, others int
	for _, line := range regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) allocs$`).FindAllStringSubmatch(trace.String(), -1) {
		allocs, err := strconv.Atoi(line[2])
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(line[1], "/")
		switch {
		case strings.HasPrefix(line[1], "github.com/bowline-go/"):
			ours += allocs
		case strings.Contains(first, "."):
			others += allocs
		}
	}
	// Here what takes an allocation for each of a few names; there nearly all by google/jsonschema-go, which looks at its own
	// types. Tables are written out, or worked out without allocating.
	const mostOurs, mostOthers = 6, 340
	if ours == 0 || ours > mostOurs {
		t.Errorf("packages of this module allocate %d times before main, want 1 to %d", ours, mostOurs)
	}
	if others == 0 || others > mostOthers {
		t.Errorf("packages of other modules allocate %d times before main, want 1 to %d", others, mostOthers)
	}
}
