package play

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// An outcome says in sentences how a run ended, for readers who don't know the names of promises.
type outcome struct {
	Says  string `json:"says"`  // whether an update was lost
	Class string `json:"class"` // of that: violated, holds or unknown
	Why   string `json:"why"`   // what happened; empty if every promise holds
	Also  string `json:"also"`  // the other promises, and what the scenario expects
}

// worst are the promises whose violation matters most, the worst first: the losses of an application, before the
// promises of a lock.
var worst = []string{"storage", "fenced", "belief"}

// broken returns the names of the promises that a run broke, the worst first.
func broken(r *scenarios.Result) (names []string) {
	for _, f := range r.Findings {
		if f.Verdict == checker.Violated {
			names = append(names, f.Property)
		}
	}
	rank := func(name string) int {
		if i := slices.Index(worst, name); i >= 0 {
			return i
		}
		return len(worst)
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	return names
}

// outcomeOf returns the outcome of a run. What the scenario expects says nothing of one that has been changed.
func outcomeOf(r *scenarios.Result, all []judgedPromise, changed bool) outcome {
	o := outcome{Says: "No update was lost.", Class: "holds"}
	names := broken(r)
	fenced := r.VerdictOn("fenced")
	switch v := r.VerdictOn("storage"); {
	case fenced == checker.Violated:
		o.Says, o.Class = "An update was lost, even where storage checks fencing tokens.", "violated"
	case v == checker.Violated:
		o.Says, o.Class = "An update was lost.", "violated"
	case v == checker.Unknown:
		o.Says, o.Class = "The run doesn't show whether an update was lost.", "unknown"
	}
	var also, unknown, unlike []string
	for _, p := range all {
		if len(names) > 0 && p.Name == names[0] {
			o.Why = p.Short + "."
		}
		if p.Verdict == checker.Unknown.String() {
			unknown = append(unknown, wording.Plainly(p.Name))
		}
		if p.Verdict != p.Expected {
			unlike = append(unlike, wording.Plainly(p.Name))
		}
	}
	if o.Class == "violated" && fenced == checker.Holds && r.Scenario.Fencing.Source != scenarios.NoFencing {
		also = append(also, "Here, storage accepts every write. If it rejected old tokens (fencing), no update would be lost.")
	}
	rest := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return len(names) > 0 && name == names[0] || name == "storage" && names[0] == "fenced"
	})
	if len(rest) > 0 {
		also = append(also, "Also, "+wording.Broke(rest)+".")
	}
	if len(unknown) > 0 {
		also = append(also, "Not known: "+strings.Join(unknown, ", ")+".")
	}
	switch {
	case len(names)+len(unknown) == 0 && (changed || len(unlike) == 0):
		also = append(also, "No promise was broken.")
	case changed:
	case len(unlike) > 0:
		also = append(also, "The scenario expects something else of: "+strings.Join(unlike, ", ")+".")
	default:
		also = append(also, "This is what the scenario is meant to show.")
	}
	o.Also = strings.Join(also, " ")
	return o
}

// A lead is the setting that a page offers first, and the question that it answers.
type lead struct {
	Path     string `json:"path"`
	Question string `json:"question"`
}

// questions are those about the main amount of a fault, by its kind. A star is its target.
var questions = map[string]struct{ part, text string }{
	"pause": {"for", "How long is * paused?"}, "suspend": {"for", "How long does * sleep?"},
	"crash": {"for", "How long is * down?"}, "restart": {"for", "How long is * off?"},
	"hold": {"for", "How long is the message from * held up?"}, "jump": {"by", "How far does the clock of * jump?"},
	"stall-disk": {"for", "How long does * wait for its disk?"},
}

// leadOf returns the setting that decides most: the length of a fault, its amount, or the lifetime of keys.
func leadOf(s *scenarios.Scenario, known []setting) lead {
	for i := range s.Faults {
		f := &s.Faults[i]
		q, asked := questions[f.Kind.Name]
		path := "fault." + strconv.Itoa(i+1) + "." + q.part
		if asked && slices.ContainsFunc(known, func(k setting) bool { return k.Path == path }) {
			return lead{path, strings.Replace(q.text, "*", target(f), 1)}
		}
	}
	for i := range s.Faults {
		if f := &s.Faults[i]; f.For > 0 {
			question := "How long does this last: " + draw.FaultInWords(f.What()) + "?"
			return lead{"fault." + strconv.Itoa(i+1) + ".for", question}
		}
	}
	return lead{"lock.ttl", "How long does a key live, if no client deletes or extends it?"}
}

// target returns what a fault hits, in words.
func target(f *faults.Fault) string {
	named := func(host string) string {
		switch {
		case strings.HasPrefix(host, "c") && len(host) < 4:
			return "client " + host
		case strings.HasPrefix(host, "n") && len(host) < 4:
			return "node " + host
		case host == "s":
			return "the storage"
		}
		return "“" + host + "”"
	}
	if f.From != "" {
		return named(f.From) + " to " + named(f.To)
	}
	return named(f.Host)
}
