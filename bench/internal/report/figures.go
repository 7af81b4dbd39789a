package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/bowline-go/mcp/bench/internal/suite"
	"github.com/bowline-go/mcp/bench/internal/workload"
)

// Pick is the measurements of one server in one cell of a test, in the order of records.
func Pick(records []*suite.Record, test string, c suite.Cell, server string) (out []*suite.Record) {
	for _, r := range records {
		if r.Test == test && r.Server == server && r.Cell() == c {
			out = append(out, r)
		}
	}
	return out
}

// cells are those of a test: stdio before HTTP, modern before legacy, otherwise as they were measured.
func cells(records []*suite.Record, test string) (out []suite.Cell) {
	for _, r := range records {
		if r.Test == test && !slices.Contains(out, r.Cell()) {
			out = append(out, r.Cell())
		}
	}
	place := func(c suite.Cell) int {
		return 2*slices.Index([]string{"stdio", "http"}, c.Transport) + slices.Index([]string{workload.Modern, workload.Legacy}, c.Era)
	}
	slices.SortStableFunc(out, func(a, b suite.Cell) int { return place(a) - place(b) })
	return out
}

func floorOf(servers []*suite.Server, records []*suite.Record, c suite.Cell) []*suite.Record {
	for _, s := range servers {
		if s.Floor {
			return Pick(records, suite.Load, c, s.Name)
		}
	}
	return nil
}

func rate(r *suite.Record) float64    { return r.Rate }
func cpu(r *suite.Record) float64     { return r.CPU }
func peakMiB(r *suite.Record) float64 { return mib(r.Peak) }
func before(r *suite.Record) float64  { return mib(r.RSS0) }
func after(r *suite.Record) float64   { return mib(r.RSS) }
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

// each is the median KiB of one thing that was opened, which may be 0 or less.
func each(rounds []*suite.Record) float64 {
	var v []float64
	for _, r := range rounds {
		if r.Connected > 0 {
			v = append(v, r.PerConn)
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

func median(v []float64) float64 { return Quantile(v, 0.5) }

// Quantile is the value below which the fraction q of v lies, between two of them by proportion; 0 of nothing.
func Quantile(v []float64, q float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	whole, part := math.Modf(q * float64(len(v)-1))
	i := int(whole)
	if i+1 == len(v) {
		return v[i]
	}
	return v[i]*(1-part) + v[i+1]*part
}

// number has the digits that count; "-" is no figure.
func number(v float64) string {
	if v == 0 {
		return "-"
	}
	return Digits(v)
}

// Digits is v with two or three digits that count.
func Digits(v float64) string {
	switch {
	case v < 10:
		return fmt.Sprintf("%.2f", v)
	case v < 100:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}
