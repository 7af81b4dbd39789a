package budget

import (
	"bytes"
	"fmt"
	"io"

	"github.com/bowline-go/mcp/bench/internal/report"
	"github.com/bowline-go/mcp/bench/internal/suite"
)

const legend = `# Against the budget

Medians over the rounds, quartiles in brackets. Where no unit stands, a figure is a multiple of the floor's in the same
round: of the CPU time of the server per request, or of the time to the first answer; *floor* is what the multiples are of.
A library's memory is that of one round.

`

// Write writes the table, and below it what the run noted about itself.
func (e *Entrants) Write(w io.Writer, records []*suite.Record) error {
	var b bytes.Buffer
	b.WriteString(legend)
	b.WriteString("| work | budget | Bowline | floor | " + second + " |")
	for _, p := range e.peers {
		fmt.Fprintf(&b, " %s |", p.Name)
	}
	b.WriteString(" verdict |\n|---|---|---|---|---|")
	for range e.peers {
		b.WriteString("---|")
	}
	b.WriteString("---|\n")
	for _, row := range Rows() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |", row.Work, row.words(),
			e.spread(row, records), e.alone(row, records), e.other(row, e.second, records))
		for _, p := range e.peers {
			if row.Keeps {
				p = e.keeping[p]
			}
			fmt.Fprintf(&b, " %s |", e.other(row, p, records))
		}
		fmt.Fprintf(&b, " %s |\n", e.verdict(row, records))
	}
	b.WriteString("\n")
	for _, r := range records {
		if r.Test == suite.About {
			fmt.Fprintf(&b, "- %s\n", r.Note)
		}
	}
	b.WriteString("\n")
	_, err := w.Write(b.Bytes())
	return err
}

func (row Row) words() string {
	if row.Words != "" {
		return row.Words
	}
	if row.Figure == Growth {
		return fmt.Sprintf("+%v MiB", row.Most)
	}
	return fmt.Sprintf("%v%s", row.Most, row.Figure.unit())
}

// spread is Bowline's figure: the median, and the quartiles when there is more than one round.
func (e *Entrants) spread(row Row, records []*suite.Record) string {
	v := e.figures(row, e.ours, records)
	if len(v) == 0 {
		return "-" + blemishes(pick(row, e.ours.Name, records), nil)
	}
	f := row.Figure
	text := f.text(report.Quantile(v, 0.5))
	if len(v) > 1 {
		text += fmt.Sprintf(" (%s to %s)", f.text(report.Quantile(v, 0.25)), f.text(report.Quantile(v, 0.75)))
	}
	return text + f.unit() + blemishes(pick(row, e.ours.Name, records), nil)
}

func (e *Entrants) alone(row Row, records []*suite.Record) string {
	var v []float64
	for _, x := range byRound(row.Figure, pick(row, e.floor.Name, records)) {
		v = append(v, x)
	}
	if len(v) == 0 {
		return "-"
	}
	return row.Figure.alone(report.Quantile(v, 0.5)) + blemishes(pick(row, e.floor.Name, records), nil)
}

// other is the figure of a server that is shown for comparison; "-" means that it was not measured or gave no answer.
func (e *Entrants) other(row Row, s *suite.Server, records []*suite.Record) string {
	got := pick(row, s.Name, records)
	v := e.figures(row, s, records)
	if len(v) == 0 {
		return "-" + blemishes(got, nil)
	}
	return row.Figure.text(report.Quantile(v, 0.5)) + row.Figure.unit() + blemishes(got, pick(row, e.floor.Name, records))
}

// blemishes says what keeps a figure from being one like the others: wrong answers, late ones, or less work than the floor
// did in the same time.
func blemishes(got, floor []*suite.Record) (text string) {
	wrong, late, done, wanted := 0, 0, 0, 0
	for _, r := range got {
		wrong += r.Errors
		late += r.Late
		done = max(done, r.Requests, r.Connected)
	}
	for _, r := range floor {
		if r.Test == suite.Soak || r.Test == suite.Idle {
			wanted = max(wanted, r.Requests, r.Connected)
		}
	}
	if wrong > 0 {
		text += fmt.Sprintf(", %d wrong", wrong)
	}
	if late > 0 {
		text += fmt.Sprintf(", %d late", late)
	}
	if done < wanted {
		text += fmt.Sprintf(", only %d", done)
	}
	return text
}

// verdict goes by the median, and says so when the quartiles are on both sides of the budget.
func (e *Entrants) verdict(row Row, records []*suite.Record) string {
	if text := blemishes(pick(row, e.ours.Name, records), nil); text != "" {
		return "void" + text
	}
	v := e.figures(row, e.ours, records)
	if len(v) == 0 {
		return "not measured"
	}
	word := "within"
	if report.Quantile(v, 0.5) > row.Most {
		word = "**over**"
	}
	if report.Quantile(v, 0.25) <= row.Most && row.Most < report.Quantile(v, 0.75) {
		word += ", by the median alone"
	}
	return word
}
