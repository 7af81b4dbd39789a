package main

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/bowline-go/mcp/bench/internal/drive"
	"github.com/bowline-go/mcp/bench/internal/workload"
	"github.com/bowline-go/mcp/stdio"
)

// serve serves pipes and returns a client of them.
func serve(t *testing.T, era string, encodes bool) *drive.Stdio {
	t.Helper()
	serverIn, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, serverOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		err := stdio.ServeStream(context.Background(), newServer(100, encodes), serverIn, serverOut, nil)
		serverOut.Close()
		ended <- err
	}()
	t.Cleanup(func() {
		in.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		serverIn.Close()
		out.Close()
	})
	client, err := drive.NewStdio(in, out, era)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestEveryWorkloadIsAnsweredRightInBothEras(t *testing.T) {
	limits := drive.Limits{Requests: 30, Time: time.Minute, Grace: time.Minute}
	for _, era := range []string{workload.Modern, workload.Legacy} {
		client := serve(t, era, era == workload.Legacy)
		for _, w := range workload.All() {
			for _, level := range []int{1, 8} {
				got := client.Run(w, level, limits)
				if got.Errors != 0 || got.Late != 0 || len(got.Latencies) != limits.Requests {
					t.Errorf("%s, %s, %d in flight: %d answers, %d errors, %d late, first %v", w.Name, era, level, len(got.Latencies), got.Errors, got.Late, got.First)
				}
			}
		}
	}
}

func TestWithoutATransportThereIsAnError(t *testing.T) {
	if err := run(context.Background(), nil); err == nil {
		t.Error("nothing was served, without an error")
	}
}
