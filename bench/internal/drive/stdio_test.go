package drive_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/bench/internal/drive"
	"github.com/bowline-go/mcp/bench/internal/workload"
)

// start serves pipes with answer until it returns false or the input ends.
func start(t *testing.T, era string, answer func(w io.Writer, r *request) bool) *drive.Stdio {
	t.Helper()
	serverIn, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, serverOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer serverOut.Close()
		defer serverIn.Close()
		lines := bufio.NewScanner(serverIn)
		for lines.Scan() {
			var r request
			if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
				t.Errorf("%s: %v", lines.Bytes(), err)
				return
			}
			switch {
			case r.Method == "initialize":
				io.WriteString(serverOut, handshake+"\n")
			case r.Method == "notifications/initialized":
			case !answer(serverOut, &r):
				return
			}
		}
	}()
	t.Cleanup(func() {
		in.Close()
		<-ended
		out.Close()
	})
	client, err := drive.NewStdio(in, out, era)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestEveryAnswerOverStdioIsCounted(t *testing.T) {
	for _, era := range []string{workload.Modern, workload.Legacy} {
		for _, level := range []int{1, 16} {
			client := start(t, era, func(w io.Writer, r *request) bool {
				_, err := io.WriteString(w, sum(r)+"\n")
				return err == nil
			})
			for range 2 {
				got := client.Run(workload.Add(), level, few(200))
				if len(got.Latencies) != 200 || got.Errors != 0 || got.First != nil {
					t.Errorf("%s, %d in flight: %d answers, %d errors, first %v", era, level, len(got.Latencies), got.Errors, got.First)
				}
			}
		}
	}
}

func TestFaultyAnswersOverStdioAreErrors(t *testing.T) {
	for name, answer := range map[string]func(w io.Writer, r *request) bool{
		"a wrong value": func(w io.Writer, r *request) bool {
			r.Params.Arguments.A++
			io.WriteString(w, sum(r)+"\n")
			return true
		},
		"an unknown id": func(w io.Writer, r *request) bool { r.ID += 1000; io.WriteString(w, sum(r)+"\n"); return true },
		"twice":         func(w io.Writer, r *request) bool { io.WriteString(w, strings.Repeat(sum(r)+"\n", 2)); return true },
		"not JSON":      func(w io.Writer, _ *request) bool { io.WriteString(w, "ready\n"); return true },
		"the end":       func(io.Writer, *request) bool { return false },
	} {
		for _, level := range []int{1, 4} {
			if got := start(t, workload.Modern, answer).Run(workload.Add(), level, few(20)); got.Errors == 0 || got.First == nil {
				t.Errorf("%s, %d in flight: %d errors, first %v", name, level, got.Errors, got.First)
			}
		}
	}
}

func TestNotificationsBehindTheirAnswerAreLate(t *testing.T) {
	var sse10 *workload.Workload
	for _, w := range workload.All() {
		if w.Notes > 0 {
			sse10 = w
		}
	}
	answer := func(before, after int) func(w io.Writer, r *request) bool {
		return func(w io.Writer, r *request) bool {
			note := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d,"progress":1}}`+"\n", r.ID)
			_, err := fmt.Fprintf(w, "%s{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}}\n%s",
				strings.Repeat(note, before), r.ID, strings.Repeat(note, after))
			return err == nil
		}
	}
	for _, test := range []struct{ before, after, errors, late int }{{10, 0, 0, 0}, {8, 2, 0, 10}, {9, 0, 5, 0}} {
		got := start(t, workload.Modern, answer(test.before, test.after)).Run(sse10, 2, few(5))
		if got.Errors != test.errors || got.Late != test.late {
			t.Errorf("%d before and %d behind: %d errors, %d late", test.before, test.after, got.Errors, got.Late)
		}
	}
}

func TestALineMayBeLongerThanAnyBuffer(t *testing.T) {
	pad := strings.Repeat(" ", 600<<10)
	got := start(t, workload.Modern, func(w io.Writer, r *request) bool {
		_, err := io.WriteString(w, strings.Replace(sum(r), `"result":`, `"result":`+pad, 1)+"\n")
		return err == nil
	}).Run(workload.Add(), 4, few(8))
	if got.Errors != 0 || len(got.Latencies) != 8 || got.Bytes < 8*600<<10 {
		t.Errorf("%d answers, %d errors, first %v, %d bytes", len(got.Latencies), got.Errors, got.First, got.Bytes)
	}
}
