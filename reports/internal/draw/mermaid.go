package draw

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A step is one line of a Mermaid diagram, with its instant.
type step struct {
	at   clock.Instant
	rank int // at one instant: requests, then moments, then answers
	line string
}

// Mermaid returns the principal excerpt of a run in the language of Mermaid, which many sites and editors draw. It has
// the order of events, and no scale.
func Mermaid(r *scenarios.Result) []byte {
	x := Principal(NewScene(r))
	var b strings.Builder
	b.WriteString("---\ntitle: \"" + mermaidText(x.title) + "\"\n---\nsequenceDiagram\n")
	for _, h := range x.hosts() {
		kind := "participant"
		if x.client(h) >= 0 {
			kind = "actor"
		}
		fmt.Fprintf(&b, "    %s %s as %s\n", kind, mermaidName(x.name(h)), mermaidText(x.lineName(h)))
	}
	for _, s := range x.steps() {
		b.WriteString("    " + s.line + "\n")
	}
	return []byte(b.String())
}

// steps returns messages and moments in order of time. The time of a message is when it was sent, or if it was held,
// when it arrived.
func (x *Excerpt) steps() (all []step) {
	hosts := x.hosts()
	note := fmt.Sprintf("Note over %s,%s: ", mermaidName(x.name(hosts[0])), mermaidName(x.name(hosts[len(hosts)-1])))
	for _, m := range x.Messages {
		all = append(all, x.step(&m))
	}
	for _, m := range FewEvents(x.Events, notesMost) {
		all = append(all, step{m.At, 1, note + wording.Micros(m.At) + " " + mermaidText(m.Text)})
	}
	slices.SortStableFunc(all, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank))
	})
	return all
}

func (x *Excerpt) step(m *scenarios.Message) step {
	at, rank, arrow, text := m.Sent, 0, "->>", m.Text
	if m.Reply {
		rank, arrow = 2, "-->>"
	}
	lost := m.Fate == scenarios.Dropped || m.Fate == scenarios.Repelled
	switch {
	case lost && m.Reply:
		arrow, text = "--x", text+" (lost)"
	case m.Fate == scenarios.Repelled:
		arrow, text = "-x", text+" (refused)"
	case lost:
		arrow, text = "-x", text+" (lost)"
	case m.Fate == scenarios.Underway:
		arrow, text = "-)", text+" (still under way)"
	case m.Held != clock.Forever && m.Freed != clock.Forever:
		at, text = m.Arrived, text+" (sent "+wording.Micros(m.Sent)+", held "+briefly(m.Freed.Sub(m.Held))+")"
	}
	from, to := mermaidName(x.name(x.line(m.From))), mermaidName(x.name(x.line(m.To)))
	return step{at, rank, from + arrow + to + ": " + mermaidText(text)}
}

// mermaidName makes the name of a host fit for a participant, because words such as "end" are keywords.
func mermaidName(s string) string { return "h_" + mermaidText(s) }

var mermaidReplacer = strings.NewReplacer(
	";", ",", "#", "", "\"", "'", "<", "‹", ">", "›", "%%", "%", "`", "'", "\\", "/", "&", "and")

func mermaidText(s string) string {
	return mermaidReplacer.Replace(wording.Plain(s))
}
