package faults_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/sim"
)

func strikes(t testing.TB, text string, seed uint64) (*rig, []faults.Strike) {
	r := newRigOf(t, crowd, read(t, text), seed)
	r.Run()
	return r, r.schedule.Strikes()
}

// cuts lists the links that are cut in the trace, sorted, "c1>n1" or "c1=n1" for both ways.
func cuts(t *testing.T, r *rig) string {
	t.Helper()
	var all, told []string
	for _, e := range r.Trace() {
		if e.Kind == sim.CutOff {
			all = append(all, r.Hosts()[e.Host].Name+">"+r.Hosts()[e.Peer].Name)
		}
	}
	slices.Sort(all)
	if len(slices.Compact(slices.Clone(all))) < len(all) {
		t.Errorf("a link is cut twice: %s", all)
	}
	for _, l := range all {
		from, to, _ := strings.Cut(l, ">")
		if from == to {
			t.Errorf("a link of %s to itself is cut", from)
		}
		switch both := slices.Contains(all, to+">"+from); {
		case !both:
			told = append(told, l)
		case from < to:
			told = append(told, from+"="+to)
		}
	}
	return strings.Join(told, " ")
}

func TestEachRoleIsFilledWhenTheFaultHits(t *testing.T) {
	for text, want := range map[string]string{
		"pause holder":               "pause holder=c2 [c2]",
		"pause nodes":                "pause nodes=n1,n2,n3,n4,n5 [n1 n2 n3 n4 n5]",
		"pause clients":              "pause clients=c1,c2,c3 [c1 c2 c3]",
		"pause all":                  "pause all=n1,n2,n3,n4,n5,s,c1,c2,c3 [n1 n2 n3 n4 n5 s c1 c2 c3]",
		"cut holder>s":               "cut holder=c2>s [c2 s]",
		"lossy clients>n1 5ppm":      "lossy clients=c1,c2,c3>n1 5ppm [c1 c2 c3 n1]",
		"partition holder c3 | n1":   "partition holder=c2 c3 | n1 [c2 c3 n1]",
		"partition isolate holder":   "partition isolate holder=c2 [c2]",
		"slow-node holder by 1s":     "slow-node holder=c2 by 1s [c2]",
		"hold holder>clients":        "hold holder=c2>clients=c1,c2,c3 [c2 c1 c3]",
		"restart holder cleanly":     "restart holder=c2 cleanly [c2]",
		"strobe holder 1s every 10m": "strobe holder=c2 1s every 10m0s [c2]",
		"slew holder +1s at 5ppm":    "slew holder=c2 +1s at 5ppm [c2]",
		"partition ring":             "partition ring []",
		"pause c1":                   "pause c1 [c1]",
	} {
		_, got := strikes(t, "at 1s "+text, 0)
		if told := fmt.Sprint(got[0].What, " ", got[0].Hosts); told != want {
			t.Errorf("got  %s\nwant %s", told, want)
		}
	}
}

func TestFaultOnSeveralHostsHitsEach(t *testing.T) {
	r, _ := strikes(t, "at 1s for 1s suspend clients\nat 5s for 1s jump nodes +3s\nat 7s slew clients +1ms at 5000ppm", 0)
	var told []string
	for _, e := range r.Trace() {
		told = append(told, fmt.Sprintf("%v %s %s %v", e.At, e.Kind, r.Hosts()[e.Host].Name, e.Body))
	}
	compare(t, told, `
		1s suspend c1 <nil>
		1s suspend c2 <nil>
		1s suspend c3 <nil>
		2s wake c1 <nil>
		2s wake c2 <nil>
		2s wake c3 <nil>
		5s step n1 3s
		5s step n2 3s
		5s step n3 3s
		5s step n4 3s
		5s step n5 3s
		6s step n1 -3s
		6s step n2 -3s
		6s step n3 -3s
		6s step n4 -3s
		6s step n5 -3s
		7s slew c1 1ms
		7s slew c2 1ms
		7s slew c3 1ms`)
	if got := r.schedule.Strikes()[2].To; got != at(7200*ms) {
		t.Errorf("the slew ended at %v", got)
	}
}

// No client holds the lock when the fault hits.
func TestFaultOfTheHolderIsIdleWithoutAHolder(t *testing.T) {
	free := crowd
	for _, free.Holder = range []func() string{nil, func() string { return "" }} {
		r := newRigOf(t, free, read(t, "at 1s for 1s pause holder\nat 1s cut holder>s\nat 1s partition isolate holder\nat 1s slew holder +1s at 5ppm"), 0)
		r.Run()
		for _, strike := range r.schedule.Strikes() {
			if !strike.Idle || slices.ContainsFunc(strike.Hosts, func(name string) bool { return name != "s" }) || !strings.Contains(strike.What, "holder=nobody") {
				t.Errorf("%+v", strike)
			}
		}
		if len(r.Trace()) > 0 {
			t.Errorf("nobody was struck, and something happened: %v", r.Trace())
		}
	}
}

// Each draw comes up with every outcome there is, and with no other.
func TestDrawsReachEveryOutcome(t *testing.T) {
	for role, want := range map[string]int{
		faults.ANode: 5, faults.AClient: 3, faults.Minority: 10, faults.Majority: 10,
	} {
		seen := map[string]int{}
		for seed := range uint64(300) {
			_, got := strikes(t, "at 1s pause "+role, seed)
			seen[fmt.Sprint(got[0].Hosts)]++
		}
		least := 300
		// order: the minimum is the same in any order
		for _, n := range seen {
			least = min(least, n)
		}
		if len(seen) != want || least < 300/want/3 {
			t.Errorf("%s: %v", role, seen)
		}
	}
}

// A fault's draws depend on its line and the number of equal lines before it. So a shrinker may drop any other line.
func TestDroppingALineMovesNoOtherDraw(t *testing.T) {
	const line, like = "at 1s pause minority\n", "at 1s pause minority\n"
	differs := false
	for seed := range uint64(20) {
		_, alone := strikes(t, line, seed)
		_, after := strikes(t, "at 500ms pause a-node\nat 700ms partition split\n"+line, seed)
		if !same(after[2].Hosts, alone[0].Hosts) {
			t.Fatalf("seed %d: it struck %s, and %s without the lines before it", seed, after[2].Hosts, alone[0].Hosts)
		}
		_, twice := strikes(t, line+like, seed)
		if !same(twice[0].Hosts, alone[0].Hosts) {
			t.Fatalf("seed %d: it struck %s, and %s without the line after it", seed, twice[0].Hosts, alone[0].Hosts)
		}
		differs = differs || !same(twice[0].Hosts, twice[1].Hosts)
	}
	if !differs {
		t.Error("two equal lines always draw the same")
	}
}

func TestMinorityAndMajorityOfOneFaultAreEachOthersRest(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(50) {
		for _, text := range []string{"minority | majority", "majority | minority"} {
			r, got := strikes(t, "at 1s partition "+text, seed)
			if hosts := slices.Sorted(slices.Values(got[0].Hosts)); !slices.Equal(hosts, crowd.Nodes) {
				t.Fatalf("seed %d: %s", seed, got[0].What)
			}
			told := cuts(t, r)
			if n := len(strings.Fields(told)); n != 6 {
				t.Fatalf("seed %d: %s cuts %d pairs: %s", seed, got[0].What, n, told)
			}
			seen[told] = true
		}
	}
	if len(seen) != 10 {
		t.Errorf("%d partitions were drawn, of 10", len(seen))
	}
}

// With an even number of nodes, or few, the two still make up the whole, and only the majority is one.
func TestAMajorityIsOneForAnyNumberOfNodes(t *testing.T) {
	for n := 3; n <= 8; n++ {
		few := crowd
		few.Nodes = []string{"n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"}[:n]
		r := newRigOf(t, few, read(t, "at 1s pause minority\nat 1s pause majority"), 1)
		r.Run()
		low, high := len(r.schedule.Strikes()[0].Hosts), len(r.schedule.Strikes()[1].Hosts)
		if low != (n-1)/2 || high != n/2+1 {
			t.Errorf("of %d nodes, %d are a minority and %d a majority", n, low, high)
		}
	}
}

func TestHostInTwoGroupsStaysInTheFirst(t *testing.T) {
	r, _ := strikes(t, "at 1s partition holder | c2 c3 n1", 0)
	if got := cuts(t, r); got != "c2=c3 c2=n1" {
		t.Errorf("it cuts %s", got)
	}
	r, _ = strikes(t, "at 1s partition c2 c3 > holder n1", 0)
	if got := cuts(t, r); got != "c2>n1 c3>n1" {
		t.Errorf("it cuts %s", got)
	}
}

// A schedule is shared by many runs, and resolves its roles again in each.
func TestInjectionLeavesTheScheduleUnchanged(t *testing.T) {
	const text = "at 0s partition holder minority | majority\nat 0s cut holder>a-node\nat 0s pause holder\n"
	if r, _ := strikes(t, text, 0); len(r.Trace()) == 0 {
		t.Error("nothing happened")
	}
	schedule := read(t, text)
	newRigOf(t, crowd, schedule, 0).Run()
	if got := schedule.String(); got != text {
		t.Errorf("it now reads\n%s", got)
	}
}

func TestEachShapeCutsWhatItSays(t *testing.T) {
	for text, want := range map[string]string{
		"partition c1 c2 > n1 n2": "c1>n1 c1>n2 c2>n1 c2>n2",
		"partition c1 > n1 > n2":  "c1>n1 c1>n2 n1>n2",
		"partition c1 | n1 | n2":  "c1=n1 c1=n2 n1=n2",
		"partition isolate n3":    "c1=n3 c2=n3 c3=n3 n1=n3 n2=n3 n3=n4 n3=n5 n3=s",
		"partition isolate s":     "c1=s c2=s c3=s n1=s n2=s n3=s n4=s n5=s",
		"partition ring":          "c1=n4 c1=n5 c2=n1 c2=n5 c3=n1 c3=n2",
		"partition bridge":        "c1=c2 c1=n4 c1=n5 c2=c3 c2=n1 c2=n2 c3=n4 c3=n5 n1=n4 n1=n5 n2=n4 n2=n5",
		"cut clients>n1":          "c1>n1 c2>n1 c3>n1",
		"cut clients>clients":     "c1=c2 c1=c3 c2=c3",
	} {
		r, _ := strikes(t, "at 1s "+text, 0)
		if got := cuts(t, r); got != want {
			t.Errorf("%s cuts\n%s, want\n%s", text, got, want)
		}
	}
	all, _ := strikes(t, "at 1s partition isolate all", 0)
	if got := len(strings.Fields(cuts(t, all))); got != 36 {
		t.Errorf("all alone, and %d of 36 pairs are cut", got)
	}
}

// A split always cuts off two nodes and one client. Which ones is random, and the report names them.
func TestASplitPartsAMinorityFromTheRest(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(200) {
		r, got := strikes(t, "at 1s partition split", seed)
		few := got[0].Hosts
		if len(few) != 3 || few[0][0] != 'n' || few[1][0] != 'n' || few[2][0] != 'c' || got[0].What != "partition split="+strings.Join(few, ",") {
			t.Fatalf("seed %d: %+v", seed, got)
		}
		var want []string
		for i, a := range r.Hosts() {
			for _, b := range r.Hosts()[:i] {
				mine := slices.Contains(few, a.Name) != slices.Contains(few, b.Name)
				if mine && a.Name != "s" && b.Name != "s" {
					want = append(want, min(a.Name, b.Name)+"="+max(a.Name, b.Name))
				}
			}
		}
		slices.Sort(want)
		if told := cuts(t, r); told != strings.Join(want, " ") {
			t.Fatalf("seed %d: split %s cuts\n%s, want\n%s", seed, few, told, want)
		}
		seen[fmt.Sprint(few)] = true
	}
	if len(seen) != 30 {
		t.Errorf("%d splits were drawn, of 30", len(seen))
	}
}

// One hold catches one message on each of its links.
func TestAHoldOfManyLinksCatchesOneMessageOnEach(t *testing.T) {
	r := newRig(t, read(t, "at 0s for 1s hold clients>nodes"))
	for i, link := range []string{"c1>n1", "c1>n2", "c2>n1", "c1>n1", "c2>n2"} {
		r.calls(link[:2], link[3:], time.Duration(i+1)*ms)
	}
	r.saw(t, `
		4ms c1>n1: answered at 0.004211s
		1ms c1>n1: no reply in time at 0.101001s
		2ms c1>n2: no reply in time at 0.102001s
		3ms c2>n1: no reply in time at 0.103001s
		5ms c2>n2: no reply in time at 0.105001s`)
	freed := 0
	for _, e := range r.Trace() {
		if e.Kind == sim.Freed {
			freed++
		}
	}
	if freed != 4 {
		t.Errorf("%d messages were let go on, want 4", freed)
	}
}

// "any" counts the passings of all clients together, whichever client is first.
func TestAMarkOfAnyClientIsCounted(t *testing.T) {
	r := newRigOf(t, crowd, read(t, "when any here 3rd pause holder for 1s"), 0)
	for i, name := range crowd.Clients {
		r.Host(name).Go("main", func(p *sim.Proc) {
			p.Sleep(time.Duration(i) * s)
			p.Mark("here")
			p.Mark("there")
			p.Mark("here")
		})
	}
	r.Run()
	got := r.schedule.Strikes()
	if len(got) != 1 || got[0].What != "pause holder=c2" || got[0].From != at(s+us) {
		t.Errorf("struck %+v", got)
	}
}

// The process dies, the machine stays on: what reached the operating system is kept, and clocks run on.
func TestACrashIsNoPowerFailure(t *testing.T) {
	r := newRig(t, read(t, "at 1s for 1s crash n1\nat 1s crash c1"))
	ran := clock.Instant(0)
	r.Host("c1").Go("main", func(p *sim.Proc) {
		defer func() { ran = r.Now() }()
		p.Sleep(10 * s)
		t.Error("it goes on after its death")
	})
	r.Run()
	var told []string
	for _, e := range r.Trace() {
		told = append(told, fmt.Sprintf("%v %s %s %v", e.At, e.Kind, r.Hosts()[e.Host].Name, e.Body))
	}
	compare(t, told, "1s crash n1 clean\n1s crash c1 clean\n2s start n1 <nil>")
	if h := r.Host("c1"); h.Live() || h.Up() || ran == 0 || h.Wall() != clock.Reading(r.Now()) {
		t.Errorf("c1 is live %t, up %t, at %v", h.Live(), h.Up(), h.Wall())
	}
}

func TestASuspendedHostLosesTimeOnItsAwakeClockAlone(t *testing.T) {
	r := newRig(t, read(t, "at 1s for 3s suspend c1\nat 2s for 4s suspend clients"))
	r.Run()
	for name, want := range map[string]time.Duration{"c1": 5 * s, "c2": 4 * s, "n1": 0} {
		h := r.Host(name)
		if got := h.Mono().Sub(h.Awake()); got != want || h.Mono() != clock.Reading(r.Now()) {
			t.Errorf("%s lost %v of %v, want %v", name, got, h.Mono(), want)
		}
	}
}
