package guest

import (
	"slices"
	"testing"

	"github.com/lockstorm/lockstorm/sim"
)

// A spoken wire has words as requests and replies: "lock" asks for the lock, "yes" and "no" answer it.
type spoken struct{ Wire }

func (spoken) Names(request any, _ string) bool { return request == "lock" }
func (spoken) Grants(reply any) (answers, yes bool) {
	return reply == "yes" || reply == "no", reply == "yes"
}

// The marks around a call follow its requests for the key alone, and each server that was asked counts once.
func TestMarksAreOfAskedServersAndCountEachOnce(t *testing.T) {
	type step struct {
		asked bool // else it answers
		node  int
		says  string
	}
	ask := func(node int, says string) step { return step{true, node, says} }
	hear := func(node int, says string) step { return step{false, node, says} }
	for name, c := range map[string]struct {
		steps   []step
		marks   []string
		granted int
	}{
		"all answer": {[]step{ask(0, "lock"), ask(1, "lock"), hear(0, "yes"), hear(1, "no")},
			[]string{"asking", "answered"}, 1},
		"one answers twice": {[]step{ask(0, "lock"), ask(1, "lock"), hear(0, "yes"), hear(0, "yes")},
			[]string{"asking"}, 1},
		"one asks for something else": {[]step{ask(0, "hello"), hear(0, "yes"), hear(1, "yes")}, nil, 0},
		"one that was not asked answers": {[]step{ask(0, "lock"), hear(0, "yes"), hear(1, "yes")},
			[]string{"asking"}, 1},
		"another reply comes": {[]step{ask(0, "lock"), ask(1, "lock"), hear(0, "hello"), hear(1, "yes")},
			[]string{"asking"}, 1},
		"one is asked again after the end": {
			[]step{ask(0, "lock"), ask(1, "lock"), hear(0, "no"), hear(1, "no"), ask(0, "lock"), hear(0, "yes")},
			[]string{"asking", "answered"}, 0,
		},
	} {
		w := sim.New(sim.Config{})
		client := &Client{Nodes: []string{"1", "2"}, host: w.AddHost("c1", nil, 0, 0)}
		client.begin(attemptMarks)
		p := client.passage
		for _, s := range c.steps {
			if s.asked {
				p.asks(s.node, spoken{}, s.says)
			} else {
				p.hears(s.node, spoken{}, s.says)
			}
		}
		var marks []string
		for _, e := range w.Trace() {
			if e.Kind == sim.Marked {
				marks = append(marks, e.Body.(string))
			}
		}
		if !slices.Equal(marks, c.marks) || p.granted != c.granted {
			t.Errorf("%s: it passes %q and %d said yes, want %q and %d", name, marks, p.granted, c.marks, c.granted)
		}
		if len(p.asked) > 2 {
			t.Errorf("%s: asked are %v, and there are two servers", name, p.asked)
		}
	}
}
