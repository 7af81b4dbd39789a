package budget

import (
	"fmt"

	"github.com/bowline-go/mcp/bench/internal/report"
	"github.com/bowline-go/mcp/bench/internal/suite"
)

// relative reports whether a figure means something only beside the floor's.
func (f Figure) relative() bool { return f == CPU || f == Start }

// of is what a record says by itself; ok is false when it says nothing.
func (f Figure) of(r *suite.Record) (v float64, ok bool) {
	switch f {
	case CPU:
		return r.CPU, r.CPU > 0
	case Start:
		return r.Start, r.Start > 0 && r.Errors == 0
	case Growth:
		return float64(r.RSS-r.RSS0) / 1024, r.RSS > 0
	}
	return r.PerConn, r.Connected > 0
}

// pick is the measurements of one server in one row.
func pick(row Row, server string, records []*suite.Record) []*suite.Record {
	return report.Pick(records, row.Test, row.Cell, server)
}

// byRound is the median of each round's turns.
func byRound(f Figure, records []*suite.Record) map[int]float64 {
	turns := map[int][]float64{}
	for _, r := range records {
		if v, ok := f.of(r); ok {
			turns[r.Round] = append(turns[r.Round], v)
		}
	}
	rounds := map[int]float64{}
	for round, v := range turns {
		rounds[round] = report.Quantile(v, 0.5)
	}
	return rounds
}

// figures are a server's, one a round, beside the floor's of that round where the row wants it.
func (e *Entrants) figures(row Row, s *suite.Server, records []*suite.Record) (out []float64) {
	floor := byRound(row.Figure, pick(row, e.floor.Name, records))
	for round, v := range byRound(row.Figure, pick(row, s.Name, records)) {
		if !row.Figure.relative() {
			out = append(out, v)
		} else if base, ok := floor[round]; ok {
			out = append(out, v/base)
		}
	}
	return out
}

// text is a figure with the digits that count.
func (f Figure) text(v float64) string {
	switch {
	case f == Growth:
		return fmt.Sprintf("%+.1f", v)
	case -0.005 < v && v < 0:
		return "0.00"
	}
	return report.Digits(v)
}

func (f Figure) unit() string {
	switch f {
	case Growth:
		return " MiB"
	case Each:
		return " KiB"
	}
	return ""
}

// alone is the floor's own figure, which the others are related to.
func (f Figure) alone(v float64) string {
	switch f {
	case CPU:
		return f.text(v) + " µs"
	case Start:
		return f.text(v) + " ms"
	}
	return f.text(v) + f.unit()
}
