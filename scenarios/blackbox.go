package scenarios

import (
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// BlackBox is the group that holds the names of black box views: blackbox.mutex is the view as a mutex.
const BlackBox = "blackbox"

var viewNames = namesOf(blackbox.Views, func(m *blackbox.Model) string { return BlackBox + "." + m.Name })

// Judged lists the names of everything that a run can be watched for: the promises of checker.Properties, then the
// views of a black box, blackbox.Views. The order never changes.
func Judged() []string { return slices.Concat(promises(), viewNames) }

func isView(name string) bool { return strings.HasPrefix(name, BlackBox+".") }

// Views returns the blackbox.Views against which the history of a run is checked. Without fencing tokens there is no
// fenced mutex. Storage is a fenced register only if it rejects falling tokens, in reads too, while it applies a
// write. A lock that readers share is checked against that model alone.
func (s *Scenario) Views() []blackbox.Model {
	all := s.unsharedViews()
	if s.Work.Readers == 0 {
		return all
	}
	shared := slices.DeleteFunc(slices.Clone(all), func(m blackbox.Model) bool {
		return !strings.HasSuffix(m.Name, "register")
	})
	return append(blackbox.Views[len(blackbox.Views)-1:len(blackbox.Views):len(blackbox.Views)], shared...)
}

// unsharedViews returns the views of a lock that is not shared.
func (s *Scenario) unsharedViews() []blackbox.Model {
	const unfenced, guarded, shared = 3, 4, 5 // how many come before the fenced mutex, the fenced register, and the lock of readers
	switch f := &s.Fencing; {
	case f.Source == NoFencing:
		return blackbox.Views[:unfenced]
	case f.Check != storage.Order || f.Above || !f.ReadsMark || !f.Atomic:
		return blackbox.Views[:guarded]
	}
	return blackbox.Views[:shared]
}

// ExpectedView returns the verdict that the scenario expects of a view. A view that it does not name is not expected.
func (s *Scenario) ExpectedView(model string) (want checker.Verdict, named bool) {
	want = s.Expected(BlackBox + "." + model)
	return want, want != checker.Unknown
}

// checkView rejects an expectation of a view that does not exist, or that no run of the scenario has.
func (s *Scenario) checkView(w *problems, key, name string) {
	if !slices.Contains(viewNames, name) {
		short := strings.TrimPrefix(name, BlackBox+".")
		w.must(false, key, "%s", unknownName("view of a black box", short, modelsOf(blackbox.Views)))
		return
	}
	w.must(slices.Contains(modelsOf(s.Views()), strings.TrimPrefix(name, BlackBox+".")), key,
		"no run has this view: %s", s.unviewed(name))
}

// unviewed returns why a scenario can lack a view.
func (s *Scenario) unviewed(name string) string {
	switch {
	case strings.HasSuffix(name, "rwlock"):
		return "there are no work.readers, who share the lock"
	case s.Work.Readers > 0 && !strings.HasSuffix(name, "register"):
		return "a lock that work.readers share is held to the model rwlock"
	}
	if strings.HasSuffix(name, "mutex") {
		return "with fencing.source none no acquire brings back a fencing token"
	}
	return "fencing.check is lowest, fencing.reads_mark and fencing.atomic are true, and fencing.above is not, where storage is " +
		"a fenced register"
}

func modelsOf(list []blackbox.Model) []string {
	return namesOf(list, func(m *blackbox.Model) string { return m.Name })
}

// View returns what a black box sees of the run by the model of that name; ok is false if it is no view of the run.
func (r *Result) View(model string) (view *blackbox.Result, ok bool) {
	for i := range r.BlackBox {
		if r.BlackBox[i].Model == model {
			return &r.BlackBox[i], true
		}
	}
	return nil, false
}

// Excerpt returns the part of the history that alone shows why a view of the run is Violated, as porcupine confirms.
// It can take seconds for a long history. The excerpt of any other view is empty.
func (r *Result) Excerpt(view *blackbox.Result) blackbox.Excerpt {
	m, _ := blackbox.LookupModel(view.Model)
	m.Clients = r.Evidence.Clients
	return blackbox.Minimize(r.Evidence.History, m, *view)
}

// VerdictOn returns the verdict on one of Judged. A view that the run does not have is Unknown.
func (r *Result) VerdictOn(name string) checker.Verdict {
	if isView(name) {
		if v, ok := r.View(name[len(BlackBox)+1:]); ok {
			return v.Verdict
		}
		return checker.Unknown
	}
	for _, f := range r.Findings {
		if f.Property == name {
			return f.Verdict
		}
	}
	return checker.Unknown
}

// happenedOf returns the finding on a view under sometimes: it happens where the black box sees a violation.
func (r *Result) happenedOf(name string) checker.Finding {
	f := checker.Finding{Property: name, Verdict: checker.Unknown, Witness: checker.Witness{Strike: -1}}
	switch r.VerdictOn(name) {
	case checker.Violated:
		f.Verdict = checker.Holds
	case checker.Holds:
		f.Verdict = checker.Violated
	}
	return f
}
