package campaign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// rowCounts are the figures of rows in addition to checker's. Other figures can be shares of them.
var rowCounts = []struct {
	name, doc string
	count     func(*checker.Evidence) int
}{
	{"holds", "how often the lock was acquired", func(e *checker.Evidence) int { return len(e.Holds) }},
	{"updates", "updates that plain storage acknowledged", func(e *checker.Evidence) int { return len(e.Writes) }},
	{"updates-fenced", "updates that fenced storage acknowledged", func(e *checker.Evidence) (n int) {
		for i := range e.Writes {
			if e.Writes[i].Fenced.Made != 0 {
				n++
			}
		}
		return n
	}},
}

// Figures returns the figures that a Row has, without values: first checker's, in its order.
func Figures() []checker.Figure { return figures }

var figures = func() []checker.Figure {
	all := slices.Clone(new(checker.Judge).Figures(&checker.Evidence{}))
	for _, c := range rowCounts {
		all = append(all, checker.Figure{Name: c.name, Doc: c.doc, Unit: checker.Count})
	}
	return all
}()

func figureOf(name string) int {
	return slices.IndexFunc(figures, func(f checker.Figure) bool { return f.Name == name })
}

// A Measure is a count over many runs: in how many of them a promise breaks, the median of a figure, or either as a
// share of another: "overlaps of holds", or "blackbox.lease of belief", which counts only runs in which belief breaks.
type Measure struct {
	Name string
	Of   string // "" for all runs

	promise, among int // of scenarios.Judged; -1 for none
	figure, total  int // of figures; -1 for none
}

// ParseMeasure reads a name, or NAME of NAME. A name is one of scenarios.Judged or of Figures.
func ParseMeasure(text string) (Measure, error) {
	name, of, _ := strings.Cut(text, " of ")
	m := Measure{Name: strings.TrimSpace(name), Of: strings.TrimSpace(of)}
	m.promise, m.among = slices.Index(judged, m.Name), slices.Index(judged, m.Of)
	m.figure, m.total = figureOf(m.Name), figureOf(m.Of)
	known := slices.Clone(judged)
	for _, f := range figures {
		known = append(known, f.Name)
	}
	for _, n := range []string{m.Name, m.Of} {
		if n != "" && !slices.Contains(known, n) {
			return m, fmt.Errorf("there is no promise or figure %q%s", n, faults.Suggest(n, known))
		}
	}
	if m.Of != "" && (m.promise < 0) != (m.among < 0) {
		return m, fmt.Errorf("%q has a promise and a figure; give two promises, or two figures", text)
	}
	return m, nil
}

// String returns the measure as ParseMeasure reads it.
func (m *Measure) String() string {
	if m.Of == "" {
		return m.Name
	}
	return m.Name + " of " + m.Of
}

// MarshalText writes the measure as ParseMeasure reads it.
func (m Measure) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads it.
func (m *Measure) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMeasure(string(text))
	return err
}

// Promise reports whether it counts runs in which a promise breaks.
func (m *Measure) Promise() bool { return m.promise >= 0 }

// Share reports whether it is a share, which charts show in per cent.
func (m *Measure) Share() bool { return m.Promise() || m.total >= 0 }

// Time reports whether it is a figure that is a time.
func (m *Measure) Time() bool { return !m.Share() && figures[m.figure].Unit != checker.Count }

// Measured is the outcome of a Measure in the runs of a cell.
type Measured struct {
	Name        string
	stats.Count            // of a promise
	FirstSeed   uint64     // the first with which that broke, if it did
	Sums        stats.Sums // of a figure as a share of another
	Values      Values     // of a figure
}

func (n *Measured) add(m *Measure, r *Row) {
	switch {
	case m.Promise():
		if m.Of == "" || r.Of(m.among) == checker.Violated {
			n.broke(r.Of(m.promise), r.Seed)
		}
	case m.total >= 0:
		n.Sums.Add(int(max(r.Figures[m.figure], 0)), int(max(r.Figures[m.total], 0)))
	case r.Figures[m.figure] >= 0:
		n.Values.Add(r.Figures[m.figure])
	}
}

// broke counts a run. As rows come in order, the first seed that breaks the promise is the smallest.
func (n *Measured) broke(v checker.Verdict, seed uint64) {
	if n.Add(v); v == checker.Violated && n.Violated == 1 {
		n.FirstSeed = seed
	}
}
