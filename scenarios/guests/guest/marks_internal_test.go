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
		does func(*passage, int, Wire, any)
		node int
		says string
	}
	ask := func(node int, says string) step { return step{(*passage).asks, node, says} }
	hear := func(node int, says string) step { return step{(*passage).hears, node, says} }
	end := step{does: func(p *passage, _ int, _ Wire, _ any) { p.end() }}
	for name, c := range map[string]struct {
		steps   []step
		marks   []string
		granted int
		asked   []int
	}{
		"all answer": {[]step{ask(0, "lock"), ask(1, "lock"), hear(0, "yes"), hear(1, "no")},
			[]string{"asking", "answered"}, 1, []int{0, 1}},
		"one answers twice": {[]step{ask(0, "lock"), ask(1, "lock"), hear(0, "yes"), hear(0, "yes")},
			[]string{"asking"}, 1, []int{0, 1}},
		"one asks for something else": {[]step{ask(0, "hello"), hear(0, "yes"), hear(1, "yes")}, nil, 0, nil},
		"one that was not asked answers": {[]step{ask(0, "lock"), hear(0, "yes"), hear(1, "yes")},
			[]string{"asking"}, 1, []int{0}},
		"another reply comes": {[]step{ask(0, "lock"), ask(1, "lock"), hear(0, "hello"), hear(1, "yes")},
			[]string{"asking"}, 1, []int{0, 1}},
		"one is asked again after the end": {
			[]step{ask(0, "lock"), ask(1, "lock"), hear(0, "no"), hear(1, "no"), ask(0, "lock"), hear(0, "yes")},
			[]string{"asking", "answered"}, 0, []int{0, 1},
		},
		"one answers after the call has returned": {
			[]step{ask(0, "lock"), ask(1, "lock"), hear(0, "yes"), end, hear(1, "yes"), end},
			[]string{"asking", "answered"}, 1, []int{0, 1},
		},
		"one is first asked after the call has returned": {
			[]step{ask(0, "lock"), hear(0, "yes"), end, ask(1, "lock"), hear(1, "yes")},
			[]string{"asking", "answered"}, 1, []int{0},
		},
		"the call returns before it asks": {[]step{end, ask(0, "lock")}, []string{"asking"}, 0, []int{0}},
	} {
		w := sim.New(sim.Config{})
		client := &Client{Nodes: []string{"1", "2"}, host: w.AddHost("c1", nil, 0, 0)}
		client.begin(attemptMarks)
		p := client.passage
		for _, s := range c.steps {
			s.does(p, s.node, spoken{}, s.says)
			s.does(nil, s.node, spoken{}, s.says) // a request outside any call
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
		if !slices.Equal(p.asked, c.asked) {
			t.Errorf("%s: asked are %v, want %v", name, p.asked, c.asked)
		}
	}
}
