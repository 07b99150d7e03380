package blackbox

import (
	"fmt"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec"
)

// A Model is what a lock or a register may do when its operations come one at a time. A history is linearizable under a
// model if they could have: each at one moment between its invoke and its return, and together as their clients saw it.
// Take a Model from Models or LookupModel, and set in it what the history itself cannot say.
type Model struct {
	Name string
	Says string // what it requires of a history, as a plain sentence

	// Processes that differ by a multiple of Clients are one client, as Jepsen and Evidence number them. Leave it 0 if
	// each process is a separate client. Without it, a client that continues under a new number after an unknown write,
	// and then releases what it acquired under the old one, is judged wrongly.
	Clients int
	Rules
	Budget

	owned     bool // only the client that acquired can release
	means     func(checker.Func, checker.Type) (checker.Type, bool)
	machine   func(*Model) machine
	removable []grouping                               // what may be left out of a history
	fast      func(*Model, *operations) (Result, bool) // a judge without a search, or nil; false if it can't decide
}

// Rules are what the history itself cannot say of a lock or register. Each applies to some models only.
type Rules struct {
	Limit   int           // reentrant models: how many holds of the lock a client may have; 0 means 2
	Permits int           // semaphore: how many permits it has; 0 means 2
	Least   time.Duration // lease-timed: how long a lease lasts at least, from grant or last renewal; 0 means no time
	Initial uint32        // cas-register: its first value; 0 for none
}

// A Budget limits a search. It counts, and never measures, so that every machine stops at the same step.
type Budget struct {
	Steps  int // steps of the model; 0 means 1,000,000
	Memory int // bytes for what it has seen, about; 0 means 256 MiB
}

// Models are all models, in the order in which reports list them.
var Models = []Model{
	{Name: "mutex", owned: true, means: lockMeans, machine: mutexMachine, fast: judgeMutex,
		removable: []grouping{holds(true), each(isRenewal)},
		Says:      "A lock has at most one holder, and only its holder can release it."},
	{Name: "reentrant-mutex", owned: true, means: lockMeans, machine: reentrantMachine, fast: judgeShortestHolds,
		removable: []grouping{perClient(pairs), rests(false), each(isRenewal)},
		Says:      "A lock has at most one holder, who may acquire it a few times over and must release it as often."},
	{Name: "fenced-mutex", owned: true, means: lockMeans, machine: fencedMutexMachine, fast: judgeFencedMutex,
		removable: []grouping{holds(true), each(isRenewal)},
		Says:      "A mutex whose every acquire brings back a larger fencing token than those before."},
	{Name: "reentrant-fenced-mutex", owned: true, means: lockMeans, machine: reentrantFencedMachine,
		fast: judgeShortestHolds, removable: []grouping{stays, rests(false), each(isRenewal)},
		Says: "A reentrant mutex with one fencing token for each hold, larger than those of the holds before."},
	{Name: "semaphore", owned: true, means: lockMeans, machine: semaphoreMachine, fast: judgeShortestHolds,
		removable: []grouping{perClient(pairs), rests(false), each(isRenewal)},
		Says:      "A number of permits, each with at most one holder, and only a holder can release."},
	{Name: "rwlock", owned: true, means: lockMeans, machine: rwlockMachine, fast: judgeShortestHolds,
		removable: []grouping{stays, rests(false), each(isRenewal)},
		Says:      "A lock for readers and writers: one holder, who may turn to sharing it, or several who share it."},
	{Name: "lease", owned: true, means: leaseMeans, machine: leaseMachine,
		fast: judgeLease, removable: []grouping{holds(false), each(isShown)},
		Says: "A lock that may expire at any moment, but a release or extension that succeeds shows that it had not."},
	{Name: "lease-timed", owned: true, means: leaseTimedMeans, machine: leaseTimedMachine,
		fast: acceptShortestHolds, removable: []grouping{holds(false), each(isRenewal)},
		Says: "A lease that, unless released, lasts for a least duration from its grant and from each extension."},
	{Name: "register", means: registerMeans, machine: registerMachine, fast: judgeRegister,
		removable: []grouping{each(isRead)},
		Says:      "Each write makes the next version of plain storage, and each read sees the current one."},
	{Name: "fenced-register", means: fencedRegisterMeans, machine: fencedRegisterMachine, fast: judgeFencedRegister,
		removable: []grouping{each(func(c *operation) bool {
			return c.f == checker.Write && c.outcome == checker.OK && c.value.Fenced == 0
		})},
		Says: "A register that rejects a token smaller than the largest it has seen, in reads and in writes."},
	{Name: "cas-register", means: casRegisterMeans, fast: judgeUniqueWrites,
		machine: casRegisterMachine, removable: []grouping{values, each(isRead)},
		Says: "A register of values: a read sees the current one, and compare-and-set writes if it is as expected."},
	{Name: "plain-mutex", means: lockMeans, machine: plainMutexMachine,
		removable: []grouping{rests(true), each(isRenewal)},
		Says:      "A lock is acquired and released in turn; any process may release it."},
}

// LookupModel returns the Model of that name.
func LookupModel(name string) (Model, bool) {
	for _, m := range Models {
		if m.Name == name {
			return m, true
		}
	}
	return Model{}, false
}

// A machine is a model at work: its first state, and what an operation makes of a state. States are comparable values.
//
// If the outcome of an operation is unknown (Info), step returns what it does if it takes effect. It is never legal to
// take effect and leave the state as it was: that equals no effect.
type machine struct {
	start any
	step  func(state any, c *operation) (next any, legal bool)
}

func machineOf[S comparable](start S, step func(S, *operation) (S, bool)) machine {
	return machine{start, func(s any, c *operation) (any, bool) { return step(s.(S), c) }}
}

// lockMeans describes what an outcome means to a lock. A failed acquire or release did nothing, and may fail at any
// time, as a Redlock attempt does on a split vote. So it has no effect, shows nothing, and is left out. A renewal has
// no effect either, but a successful one shows that its client holds the lock.
func lockMeans(f checker.Func, t checker.Type) (checker.Type, bool) {
	return t, f <= checker.Release && t != checker.Fail || f == checker.Renew && t == checker.OK
}

// leaseMeans is lockMeans, except for failed releases and renewals, which show that the lease had ended, and for
// unknown releases. If one took effect, take it out of the order: its client then seems to hold the lease until the
// next grant. That hurts no other, because a lease may end at any moment, and that client succeeded in nothing until
// then.
func leaseMeans(f checker.Func, t checker.Type) (checker.Type, bool) {
	return t, f == checker.Acquire && t != checker.Fail ||
		(f == checker.Release || f == checker.Renew) && t != checker.Info
}

// leaseTimedMeans is leaseMeans, except for unknown releases: a lease that ended before its least duration may have
// been released. Unknown renewals are left out: if one took effect, without it others may only be granted the lease
// sooner.
func leaseTimedMeans(f checker.Func, t checker.Type) (checker.Type, bool) {
	return t, f == checker.Acquire && t != checker.Fail || f == checker.Release ||
		f == checker.Renew && t != checker.Info
}

// registerMeans describes what an outcome means to a register: a read without an answer is nothing.
func registerMeans(f checker.Func, t checker.Type) (checker.Type, bool) {
	return t, f == checker.Read && t == checker.OK || f == checker.Write && t != checker.Fail
}

// fencedRegisterMeans is registerMeans, except for a read without an answer. It may have arrived and raised the mark,
// or may still, although its client calls it failed.
func fencedRegisterMeans(f checker.Func, t checker.Type) (checker.Type, bool) {
	if f == checker.Read && t == checker.Fail {
		return checker.Info, true
	}
	return t, f == checker.Read || f == checker.Write && t != checker.Fail
}

// casRegisterMeans is registerMeans with the compare-and-set. A failed one did not take place, for whatever reason. A
// read that brought back no value shows nothing.
func casRegisterMeans(f checker.Func, t checker.Type) (checker.Type, bool) {
	return t, f == checker.Read && t == checker.OK ||
		(f == checker.Write || f == checker.CompareAndSet) && t != checker.Fail
}

// or returns n, or its default if it is not positive.
func or(n, standard int) int {
	if n <= 0 {
		return standard
	}
	return n
}

// Suits returns an error if the recording lacks what the model judges by, or has nothing by which the model could be
// violated. Such a history would hold, and prove nothing.
func (m Model) Suits(r *codec.Recording) error {
	register := strings.HasSuffix(m.Name, "register")
	about, shows := false, false
	for _, o := range r.History {
		if (o.F == checker.Read || o.F == checker.Write || o.F == checker.CompareAndSet) != register {
			continue
		}
		about = true
		shows = shows || o.Type == checker.OK && (m.Name != "cas-register" ||
			o.F == checker.CompareAndSet || o.F == checker.Read && o.Value.Data > 0)
	}
	want, ok := "acquire, release or renew", "an acquire, release or renew that is ok"
	switch {
	case m.Name == "cas-register":
		want, ok = "read, write or cas", "a read that is ok and brought back a value, or a cas that is ok"
	case register:
		want, ok = "read, write or cas", "a read or write that is ok"
	}
	if !about {
		return r.Locate(0, "found a history without any "+want+", which "+m.Name+" is about; want another model")
	}
	if err := m.complete(r); err != nil || shows {
		return err
	}
	return r.ShowsNothing("found a history in which " + m.Name + " would hold whatever happened; want " + ok)
}

// A history lacks withoutToken if a token is 0 or has another name, or all are missing.
const withoutToken = "a successful acquire without a fencing token; " +
	"want it in the value, as {:fence 7}, counted from 1, or another model"

// casOfVersions is what a register of versions cannot judge.
const casOfVersions = "a cas, which a register of versions knows nothing of; want the model cas-register"

// complete returns an error if a number is missing that the model judges by.
func (m Model) complete(r *codec.Recording) error {
	if r.Shared != (codec.Place{}) && m.Name != "rwlock" && !strings.HasSuffix(m.Name, "register") {
		return &codec.Error{Place: r.Shared, Says: "found an acquire that is shared, which " + m.Name +
			" knows nothing of; want the model rwlock"}
	}
	for _, c := range [...]struct {
		model string
		first codec.Place
		lacks string
	}{
		{"fenced-mutex", r.NoToken, withoutToken},
		{"reentrant-fenced-mutex", r.NoToken, withoutToken},
		{"register", r.CAS, casOfVersions},
		{"fenced-register", r.CAS, casOfVersions},
		{"cas-register", r.NoData, "an op without the value of the register; " +
			"want it as the value, 3 or [2 3], or a model of versions, register or fenced-register"},
		{"register", r.NoPlain, "an ok without the version of the plain register; want it in the value, as {:plain 1}"},
		{"fenced-register", r.NoFence, "a call without the fencing token that it carries; " +
			"want it in the value, as {:fence 7}"},
		{"fenced-register", r.NoFenced, "an ok without the version of the fenced register; " +
			"want it in the value, as {:fenced 1}, and 0 if it was refused"},
		{"lease-timed", r.NoTime, "an op without a time, which lease-timed goes by; " +
			"want nanoseconds in all, as {:time 1000000}, or the model lease"},
		{"lease-timed", r.Fell, fmt.Sprintf("a time that falls, which lease-timed goes by: %d do, by up to %v; "+
			"want times that never fall, or the model lease", r.Falls, r.FellBy)},
	} {
		if c.model == m.Name && c.first != (codec.Place{}) {
			return &codec.Error{Place: c.first, Says: "found " + c.lacks}
		}
	}
	return nil
}
