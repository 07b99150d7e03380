package blackbox

import "github.com/lockstorm/lockstorm/checker"

// Views are the models that the history of each run is checked against, in the order in which reports list them: what a
// linearizability checker would see that knows the operations of clients, and nothing else.
var Views = views("mutex", "lease", "register", "fenced-mutex", "fenced-register", "rwlock")

// runSteps is how many steps a search may take for one view of a run. One that takes more is Unknown.
const runSteps = 20_000

func views(names ...string) []Model {
	all := make([]Model, len(names))
	for i, name := range names {
		all[i], _ = LookupModel(name)
		all[i].Steps = runSteps
	}
	return all
}

// A Judge checks the histories of runs against models, one run after another. Its zero value is ready to use. It keeps
// its working memory from run to run. A Judge is for one goroutine.
//
// It is Linearizable for histories that are known to be well-formed, such as in Evidence that passes Check: it reads
// them once for all models. It minimizes nothing: where a search found the violation, Ops is nil.
type Judge struct {
	whole   []operation // of the history, whatever they mean
	open    []int       // of each client, the place in whole of the operation that it has open; -1 for none
	clients []int       // 0, 1, 2 and so on
	part    operations  // those that count for a model
	shared  bool        // an acquire is
	mutex   mutexJudge  // its memory
	results []Result
}

// Judge returns a Result for each model. Processes that differ by a multiple of clients are one client. The results are
// valid until the next call.
func (j *Judge) Judge(h checker.History, clients int, models []Model) []Result {
	j.results = j.results[:0]
	one := j.collect(h, clients)
	for i := range models {
		m := &models[i]
		if !one {
			several := *m
			several.Clients = clients
			j.results = append(j.results, judge(h, &several))
			continue
		}
		r := j.hold(m, len(h))
		r.Model = m.Name
		j.results = append(j.results, r)
	}
	return j.results
}

// collect makes the operations of a history, as the function collect does. It returns false if the history names locks.
func (j *Judge) collect(h checker.History, clients int) (one bool) {
	j.whole, j.open, j.clients, j.shared = j.whole[:0], j.open[:0], j.clients[:0], false
	for i := range clients {
		j.open, j.clients = append(j.open, -1), append(j.clients, i)
	}
	for i := range h {
		o := &h[i]
		if o.Lock != "" {
			return false
		}
		j.shared = j.shared || o.Value.Shared
		client := o.Process % clients
		if o.Type == checker.Invoke {
			j.open[client] = len(j.whole)
			j.whole = append(j.whole, invoked(o, client, 0))
		} else if at := j.open[client]; at >= 0 {
			j.whole[at].close(o)
		}
	}
	return true
}

// hold judges by one model.
func (j *Judge) hold(m *Model, ops int) Result {
	if j.shared && m.owned && m.Name != "rwlock" {
		return Result{Verdict: checker.Unknown, Reason: "An acquire is shared, which " + m.Name + " knows nothing of."}
	}
	c := &j.part
	c.list, c.clients, c.ops, c.kept = append(c.list[:0], j.whole...), j.clients, ops, &j.mutex
	return c.judge(m, m.Steps)
}
