package report

import (
	"fmt"
	"slices"

	"github.com/bowline-go/mcp/bench/internal/suite"
	"github.com/bowline-go/mcp/bench/internal/workload"
)

// A cell is what the servers are compared in.
type cell struct {
	transport, era, workload string
	level                    int
}

func cellOf(r *suite.Record) cell { return cell{r.Transport, r.Era, r.Workload, r.Level} }

func pick(records []*suite.Record, test string, c cell, server string) (out []*suite.Record) {
	for _, r := range records {
		if r.Test == test && r.Server == server && cellOf(r) == c {
			out = append(out, r)
		}
	}
	return out
}

// cells are those of a test: stdio before HTTP, modern before legacy, otherwise as they were measured.
func cells(records []*suite.Record, test string) (out []cell) {
	for _, r := range records {
		if r.Test == test && !slices.Contains(out, cellOf(r)) {
			out = append(out, cellOf(r))
		}
	}
	place := func(c cell) int {
		return 2*slices.Index([]string{"stdio", "http"}, c.transport) + slices.Index([]string{workload.Modern, workload.Legacy}, c.era)
	}
	slices.SortStableFunc(out, func(a, b cell) int { return place(a) - place(b) })
	return out
}

func floorOf(servers []*suite.Server, records []*suite.Record, c cell) []*suite.Record {
	for _, s := range servers {
		if s.Floor {
			return pick(records, "load", c, s.Name)
		}
	}
	return nil
}

func rate(r *suite.Record) float64    { return r.Rate }
func cpu(r *suite.Record) float64     { return r.CPU }
func peakMiB(r *suite.Record) float64 { return mib(r.Peak) }
func mib(kib int64) float64           { return float64(kib) / 1024 }

// mid is the median over the rounds in which there is a figure.
func mid(rounds []*suite.Record, figure func(*suite.Record) float64) float64 {
	var v []float64
	for _, r := range rounds {
		if x := figure(r); x > 0 {
			v = append(v, x)
		}
	}
	return median(v)
}

// ratio is the median over the rounds of a's figure divided by b's.
func ratio(a, b []*suite.Record, figure func(*suite.Record) float64) float64 {
	var v []float64
	for _, x := range a {
		for _, y := range b {
			if x.Round == y.Round && figure(x) > 0 && figure(y) > 0 {
				v = append(v, figure(x)/figure(y))
			}
		}
	}
	return median(v)
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}

// number has two or three digits that count; "-" is no figure.
func number(v float64) string {
	switch {
	case v == 0:
		return "-"
	case v < 10:
		return fmt.Sprintf("%.2f", v)
	case v < 100:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}
