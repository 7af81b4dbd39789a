package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// clockTick is the unit of the times in /proc/PID/stat.
const clockTick = time.Second / 100

// CPU is the user and system time that all threads of the server have used so far. The scheduler's statistics are in
// nanoseconds; where the kernel does not offer them, the clock-tick counters are used.
func (p *Process) CPU() time.Duration {
	dir := "/proc/" + strconv.Itoa(p.cmd.Process.Pid)
	threads, _ := filepath.Glob(dir + "/task/*/schedstat")
	var sum int64
	for _, name := range threads {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // the thread has ended
		}
		ran, _, _ := strings.Cut(string(text), " ")
		ns, _ := strconv.ParseInt(ran, 10, 64)
		sum += ns
	}
	if sum > 0 {
		return time.Duration(sum)
	}
	text, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * clockTick
}

// RSS is the resident set of the server now and at its peak, in KiB.
func (p *Process) RSS() (now, peak int64) {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/status")
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		switch fields[0] {
		case "VmRSS:":
			now, _ = strconv.ParseInt(fields[1], 10, 64)
		case "VmHWM:":
			peak, _ = strconv.ParseInt(fields[1], 10, 64)
		}
	}
	return now, peak
}
