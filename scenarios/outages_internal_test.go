package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/sim"
)

// unhurried is a run of two clients and three nodes that lasts for some five seconds.
func unhurried(t *testing.T, schedule string) Scenario {
	t.Helper()
	s := Base()
	s.Clients, s.Nodes = 2, 3
	s.Work.Think = sim.Range{Min: 500 * time.Millisecond, Max: 600 * time.Millisecond}
	s.Sometimes = nil
	var err error
	if s.Faults, err = faults.Parse(schedule); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	return s
}

// sorted puts outages in order of client, node and time.
func sorted(os []checker.Outage) []checker.Outage {
	os = slices.Clone(os)
	slices.SortFunc(os, func(a, b checker.Outage) int {
		return slices.Compare([]int64{int64(a.Client), int64(a.Lane), int64(a.From), int64(a.To)}, []int64{int64(b.Client), int64(b.Lane), int64(b.From), int64(b.To)})
	})
	return os
}

func TestEachFaultMakesItsOutages(t *testing.T) {
	for _, c := range []struct{ schedule, want string }{
		{"", ""},
		{"at 1s for 2s pause c1", "c1 n1 1s 3s, c1 n2 1s 3s, c1 n3 1s 3s"},
		{"at 1s for 2s pause n2", "c1 n2 1s 3s, c2 n2 1s 3s"},
		{"at 1s for 2s restart n2", "c1 n2 1s 3s, c2 n2 1s 3s"},
		{"at 1s for 2s restart c2", "c2 n1 1s 3s, c2 n2 1s 3s, c2 n3 1s 3s"},
		{"at 1s for 2s restart s", ""},
		{"at 1s for 2s jump n1 +3s", ""},
		{"at 1s for 2s cut c1>n1", "c1 n1 1s 3s"},
		{"at 1s for 2s cut n1>c1", "c1 n1 1s 3s"},
		{"at 1s for 2s cut n1>s", ""},
		{"at 1s for 2s cut c1>s", ""},
		{"at 1s for 2s cut n1>n2", ""},
		{"at 1s for 2s slow n3>c2 by 1ms", "c2 n3 1s 3s, c2 n3 3s 3.001s"},
		{"at 1s for 2s lossy c2>n3 500000ppm", "c2 n3 1s 3s"},
		{"at 1s for 2s partition c1 n1 | n2 n3", "c1 n2 1s 3s, c1 n3 1s 3s"},
		{"at 1s pause n2", "c1 n2 1s on, c2 n2 1s on"},
		{"at 1s for 2s pause n2\nat 2s for 3s pause n2", "c1 n2 1s 5s, c2 n2 1s 5s"},
		{"at 1s for 2s cut c1>n2\nat 2s for 2s pause c1", "c1 n1 2s 4s, c1 n2 1s 4s, c1 n3 2s 4s"},
		{"at 1s for 1s slow c1>n2 by 1ms\nat 1500ms for 2s slow n2>c1 by 2ms", "c1 n2 1s 3.5s, c1 n2 2s 2.001s, c1 n2 3.5s 3.502s"},
		{"at 1s for 1s pause n2\nat 3s for 1s pause n2", "c1 n2 1s 2s, c1 n2 3s 4s, c2 n2 1s 2s, c2 n2 3s 4s"},
	} {
		s := unhurried(t, c.schedule)
		if said := outages(Run(s, 1).Evidence.Outages); said != c.want {
			t.Errorf("%q: %s; want %s", c.schedule, said, c.want)
		}
	}
}

// A held message is out of touch's own making: it begins when the message is held, not when the fault waits for one.
func TestAHeldMessageIsAnOutageWhileItIsHeld(t *testing.T) {
	r := Run(unhurried(t, "at 100ms for 2s hold n1>c1"), 1)
	i := slices.IndexFunc(r.Trace, func(e sim.Event) bool { return e.Kind == sim.Held })
	if want := []checker.Outage{{From: r.Trace[i].At, To: clock.Instant(2100 * time.Millisecond)}}; !slices.Equal(r.Evidence.Outages, want) {
		t.Errorf("%v, want %v", r.Evidence.Outages, want)
	}
}

// A client needs the master and the observer: no other node can replace them. A replica that is away affects no client,
// unless the master must have that many. And a master has some time, 2.4s here, until it is one for all.
func TestClientNeedsMasterAndObserver(t *testing.T) {
	for schedule, want := range map[string]string{
		"at 1s for 2s cut n1>c1":                       "c1 n1 1s 3s",
		"at 1s for 2s cut o>c2":                        "c2 n1 1s 3s",
		"at 1s for 2s slow c1>n2 by 5ms":               "c1 n1 3s 3.005s",
		"at 1s for 2s slow n2>n1 by 5ms":               "c1 n1 1s 3s, c1 n1 3s 3.005s, c1 n1 3s 5.401s, c2 n1 1s 3s, c2 n1 3s 3.005s, c2 n1 3s 5.401s",
		"at 1s for 2s cut n1>s":                        "",
		"at 1s for 2s cut c1>s":                        "",
		"at 1s for 2s partition n1 | n2 o":             "c1 n1 1s 3s, c1 n1 3s 5.401s, c2 n1 1s 3s, c2 n1 3s 5.401s",
		"at 1s for 2s pause n2":                        "",
		"at 1s for 2s pause n2\nat 1s for 2s pause n3": "c1 n1 1s 3s, c1 n1 3s 5.401s, c2 n1 1s 3s, c2 n1 3s 5.401s",
		"at 1s crash n1":                               "c1 n1 1s 2.1s, c1 n1 2.1s 4.501s, c2 n1 1s 2.1s, c2 n1 2.1s 4.501s",
		"at 1s for 2s pause c1":                        "c1 n1 1s 3s",
	} {
		s := unhurried(t, "")
		s.ChangeKind(Failover)
		s.Replicas.MinGood = 1
		ofService(t, s, schedule, want)
	}
}

// A raft service bears a minority that is away, once it has had the time to elect a leader: 6.1s here.
func TestClientOfARaftServiceNeedsAServerOfTheMajority(t *testing.T) {
	for schedule, want := range map[string]string{
		"at 1s for 2s cut n1>c1":                             "",
		"at 1s for 2s cut n1>s":                              "",
		"at 1s for 2s pause c1":                              "c1 n1 1s 3s",
		"at 1s for 2s partition c1 | n1 n2 n3":               "c1 n1 1s 3s",
		"at 1s for 10s pause n2":                             "c1 n1 1s 7.1s, c1 n1 11s 17.1s, c2 n1 1s 7.1s, c2 n1 11s 17.1s",
		"at 1s partition n3 | n1 n2":                         "c1 n1 1s 7.1s, c2 n1 1s 7.1s",
		"at 1s for 20s partition n3 c1 | n1 n2 c2":           "c1 n1 1s 7.1s, c1 n1 1s 21s, c1 n1 21s 27.1s, c2 n1 1s 7.1s, c2 n1 21s 27.1s",
		"at 1s for 10s restart n2\nat 2s for 10s restart n1": "c1 n1 1s 7.1s, c1 n1 2s 11s, c1 n1 11s 17.1s, c1 n1 12s 18.1s, c2 n1 1s 7.1s, c2 n1 2s 11s, c2 n1 11s 17.1s, c2 n1 12s 18.1s",
		"at 1s for 2s cut n2>n1":                             "c1 n1 1s 3s, c1 n1 3s 9.1s, c2 n1 1s 3s, c2 n1 3s 9.1s",
		"at 1s for 2s slow n2>n1 by 5ms":                     "c1 n1 1s 3s, c1 n1 3s 3.005s, c1 n1 3s 9.1s, c2 n1 1s 3s, c2 n1 3s 3.005s, c2 n1 3s 9.1s",
		"at 1s for 2s slow c1>n2 by 5ms":                     "c1 n1 3s 3.005s",
	} {
		s := unhurried(t, "")
		s.ChangeKind(Etcd)
		ofService(t, s, schedule, want)
	}
}

// outages returns outages in one line.
func outages(os []checker.Outage) string {
	var lines []string
	for _, o := range sorted(os) {
		to := "on"
		if o.To != clock.Forever {
			to = time.Duration(o.To).Round(time.Millisecond).String()
		}
		lines = append(lines, fmt.Sprintf("c%d n%d %v %s", o.Client+1, o.Lane+1, time.Duration(o.From).Round(time.Millisecond), to))
	}
	return strings.Join(lines, ", ")
}

// The lock of one node minds no other.
func TestNodesOutsideTheLockDoNotMatter(t *testing.T) {
	s := unhurried(t, "at 1s for 2s pause n2\nat 1s for 2s partition c1 | n1 n3\nat 1s for 1s cut n2>c2")
	s.Lock.Kind = Single
	want := []checker.Outage{{From: clock.Instant(time.Second), To: clock.Instant(3 * time.Second)}}
	if got := Run(s, 1).Evidence.Outages; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Evidence has the time of each fault at work. The cover of each way must match the trace.
func TestOutagesMatchTheFaults(t *testing.T) {
	deeds := []string{"pause c1", "pause n2", "restart c2", "restart n3", "cut c1>n1", "cut n1>c1", "slow c2>n2 by 3ms", "lossy n3>c1 200000ppm",
		"partition c1 | n1 n2", "partition c1 n1 | c2 n3", "jump n1 +1s", "pause s"}
	chance := sim.NewChance(1, "schedules")
	r := NewRunner()
	defer r.Close()
	for range 300 {
		var lines []string
		for range chance.Below(5) {
			line := fmt.Sprintf("at %dms for %dms %s", 500*chance.Below(10), 500*(1+chance.Below(8)), deeds[chance.Below(uint64(len(deeds)))])
			lines = append(lines, line)
		}
		s := unhurried(t, strings.Join(lines, "\n"))
		e := r.Run(&s, 1).Evidence
		got := slices.DeleteFunc(sorted(e.Outages), func(o checker.Outage) bool { return o.From >= e.End })
		for i := range got {
			got[i].To = min(got[i].To, e.End)
		}
		if want := covered(&s, e); !slices.Equal(merged(got), want) {
			t.Fatalf("%s\n got %v\nwant %v", strings.Join(lines, "\n"), got, want)
		}
	}
}

// covered returns, up to the end of the run, the maximal intervals in which some fault touches each way.
func covered(s *Scenario, e *checker.Evidence) (all []checker.Outage) {
	for c := range s.Clients {
		for n := range s.Nodes {
			var strikes []checker.Outage
			for _, k := range e.Strikes {
				f, to := s.Faults[k.Index], k.To
				client, node := fmt.Sprintf("c%d", c+1), fmt.Sprintf("n%d", n+1)
				if touches(f, client, node) && k.From < min(to, e.End) {
					late := to.Add(f.By) // a message sent at the last moment takes that much longer
					strikes = append(strikes, checker.Outage{Client: c, Lane: n, From: k.From, To: min(late, e.End)})
				}
			}
			all = append(all, strikes...)
		}
	}
	return merged(all)
}

// merged returns the maximal intervals that outages cover.
func merged(os []checker.Outage) (all []checker.Outage) {
	for _, o := range sorted(os) {
		if m := len(all) - 1; m >= 0 && all[m].Client == o.Client && all[m].Lane == o.Lane && o.From <= all[m].To {
			all[m].To = max(all[m].To, o.To)
		} else {
			all = append(all, o)
		}
	}
	return all
}

func touches(f faults.Fault, client, node string) bool {
	switch f.Kind {
	case faults.Pause, faults.Restart:
		return f.Host == client || f.Host == node
	case faults.Cut, faults.Slow, faults.Lossy:
		return f.From == client && f.To == node || f.From == node && f.To == client
	case faults.Partition:
		a := slices.IndexFunc(f.Groups, func(g []string) bool { return slices.Contains(g, client) })
		b := slices.IndexFunc(f.Groups, func(g []string) bool { return slices.Contains(g, node) })
		return a >= 0 && b >= 0 && a != b
	}
	return false
}

func TestCrashWhileHoldingIsRecorded(t *testing.T) {
	r := Run(unhurried(t, "when c1 acquired restart c1"), 1)
	p, _ := checker.Lookup("crashed-while-held")
	var j checker.Judge
	if got := j.Ask(r.Evidence, p).Verdict; got != checker.Holds {
		t.Errorf("crashed-while-held %s", got)
	}
	for _, h := range r.Evidence.Holds {
		if h.Crashed != (h.Client == 0) || r.Evidence.Tries[h.Try].Client != h.Client || r.Evidence.Tries[h.Try].Token != h.Token {
			t.Errorf("%+v", h)
		}
	}
}

func TestCrashDoesNotAffectEndedOutages(t *testing.T) {
	whole := Run(unhurried(t, ""), 1).Evidence.Holds
	for _, h := range Run(unhurried(t, "at 2s restart c1"), 1).Evidence.Holds {
		if h.Client == 0 && (h.Crashed || !slices.ContainsFunc(whole, func(w checker.Hold) bool { return w.From == h.From && w.Gone == h.Gone })) {
			t.Errorf("%+v", h)
		}
	}
}

// A process that died waits for nothing. So its acquire has ended, and the wait of the next one is counted from 0.
func TestClientThatCrashedWhileAcquiringStopsWaiting(t *testing.T) {
	s, _ := Find("baseline/fault-free")
	s.Clients, s.Work.Cycles = 1, 5
	s.Work.Work = sim.Range{Min: 4 * time.Second, Max: 4 * time.Second}
	s.Lock.TTL = 5 * time.Second
	schedule, err := faults.Parse("when c1 asking crash c1 for 1ms")
	if err != nil {
		t.Fatal(err)
	}
	s.Faults = schedule
	r := Run(s, 1)
	infos := 0
	for _, o := range r.Evidence.History {
		if o.Type == checker.Info && o.F == checker.Acquire && o.Process == 0 && o.Error == "its client crashed" {
			infos++
		}
	}
	if infos != 1 || r.Evidence.End < clock.Instant(r.Evidence.Bound) {
		t.Errorf("%d acquires ended with the crash, in a run until %s; the bound is %s", infos, r.Evidence.End, r.Evidence.Bound)
	}
	for _, f := range r.Findings {
		if f.Verdict != checker.Holds {
			t.Errorf("%s %s", f.Property, f.Verdict)
		}
	}
}

// ofService wants these outages of a service, which is one lane.
func ofService(t *testing.T, s Scenario, schedule, want string) {
	t.Helper()
	var err error
	if s.Faults, err = faults.Parse(schedule); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	if got := outages(Run(s, 1).Evidence.Outages); got != want {
		t.Errorf("%q: %s; want %s", schedule, got, want)
	}
}
