package report

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// Machine is the machine that this program runs on, in a few words.
func Machine() string {
	text := fmt.Sprintf("%d CPUs, %s, %s", runtime.NumCPU(), cpuModel(), runtime.Version())
	if version := output("node", "--version"); version != "" {
		text += ", Node " + version
	}
	return text
}

// Source is the commit of the repository that the working directory belongs to.
func Source() string {
	commit := output("git", "rev-parse", "--short=10", "HEAD")
	if commit == "" {
		return "no git repository"
	}
	if output("git", "status", "--porcelain", "--untracked-files=no", "--", ":/") != "" {
		return "commit " + commit + ", with changes that are not committed"
	}
	return "commit " + commit
}

// Moment is now, and how busy the machine has been for 1, 5 and 15 minutes: processes that run or want to.
func Moment() string {
	text, _ := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	if len(fields) < 3 {
		fields = []string{"unknown"}
	}
	return time.Now().UTC().Format("2006-01-02 15:04 MST") + ", load average " + strings.Join(fields[:min(3, len(fields))], " ")
}

func cpuModel() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, model, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(model)
		}
	}
	return runtime.GOARCH
}

// output is what a command says, or nothing when it fails.
func output(command string, args ...string) string {
	text, err := exec.Command(command, args...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
