package jsonrpc_test

import "testing"

func TestAMessageIsAppendedWithoutAllocation(t *testing.T) {
	for kind, write := range appends() {
		dst := make([]byte, 0, 1<<10)
		if n := testing.AllocsPerRun(100, func() { dst = write(dst[:0]) }); n > 0 || len(dst) == 0 {
			t.Errorf("%s: %v allocations, %d bytes", kind, n, len(dst))
		}
	}
}
