package faults_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/sim"
)

// Each kind, for one second from 1s on, as calls see it that begin before it, during it and after it.
func TestEachKindDoesWhatItSaysAndHeals(t *testing.T) {
	for _, c := range []struct {
		fault faults.Fault
		want  string
	}{
		{faults.Fault{Kind: faults.Pause, Host: "n1"}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: no reply in time at 1.600001s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.Pause, Host: "c1"}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: answered at 2.000211s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.Suspend, Host: "c1"}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: answered at 2.000211s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.Restart, Host: "n1"}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: connection refused at 1.500201s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.Crash, Host: "n1"}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: connection refused at 1.500201s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.Crash, Host: "c1"}, `
			500ms c1>n1: answered at 0.500211s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.Partition, Groups: [][]string{{"n1", "c2"}, {"c1"}}, OneWay: true}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: no reply in time at 1.600001s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.Partition, Shape: faults.Isolate, Host: "n1"}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: no reply in time at 1.600001s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.Partition, Shape: faults.Isolate, Host: "n2"}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: answered at 1.500211s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.SlowNode, Host: "n1", By: 20 * ms}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: answered at 1.520211s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.SlowNode, Host: "n2", By: 20 * ms}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: answered at 1.500211s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.Partition, Groups: [][]string{{"c1", "n2"}, {"c2", "n1"}}}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: no reply in time at 1.600001s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.Partition, Groups: [][]string{{"c1", "n1"}, {"c2", "n2"}}}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: answered at 1.500211s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.Partition, Groups: [][]string{{"c2"}, {"n2"}, {"c1"}, {"n1"}}}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: no reply in time at 1.600001s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.Cut, From: "c1", To: "n1"}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: no reply in time at 1.600001s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.Cut, From: "n1", To: "c1"}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: no reply in time at 1.600001s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.Hold, From: "c1", To: "n1"}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: no reply in time at 1.600001s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.Slow, From: "c1", To: "n1", By: 20 * ms}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: answered at 1.520211s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.Lossy, From: "c1", To: "n1", Loss: 1_000_000}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: no reply in time at 1.600001s
			2.5s c1>n1: answered at 2.500211s`},
		{faults.Fault{Kind: faults.Lossy, From: "n2", To: "c1", Loss: 1_000_000}, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: answered at 1.500211s
			2.5s c1>n1: answered at 2.500211s`},
	} {
		t.Run(c.fault.What(), func(t *testing.T) {
			c.fault.At, c.fault.For = at(s), s
			r := newRig(t, faults.Schedule{c.fault})
			for _, begins := range []time.Duration{500 * ms, 1500 * ms, 2500 * ms} {
				r.calls("c1", "n1", begins)
			}
			r.saw(t, c.want)
			if got, want := intervals(r.schedule.Strikes()), []faults.Strike{{From: at(s), To: at(2 * s)}}; !same(got, want) {
				t.Errorf("struck %v, want %v", got, want)
			}
		})
	}
}

// clocks notes what n1's clocks show of the true time, at each half second.
func clocks(r *rig, until time.Duration) *[]string {
	var lines []string
	for half := 500 * ms; half <= until; half += s {
		r.World.At(at(half), func() {
			h := r.Host("n1")
			lines = append(lines, fmt.Sprintf("%v: wall %+v, mono %+v", half, h.Wall().Sub(clock.Reading(half)), h.Mono().Sub(clock.Reading(half))))
		})
	}
	return &lines
}

func TestWhatEachKindDoesToClocks(t *testing.T) {
	for _, c := range []struct {
		fault faults.Fault
		ends  clock.Instant
		want  string
	}{
		{faults.Fault{Kind: faults.Jump, Host: "n1", By: -3 * s, For: s}, at(2 * s), `
			500ms: wall 0s, mono 0s
			1.5s: wall -3s, mono 0s
			2.5s: wall 0s, mono 0s
			3.5s: wall 0s, mono 0s`},
		{faults.Fault{Kind: faults.Jump, Host: "n1", By: 3 * s}, clock.Forever, `
			500ms: wall 0s, mono 0s
			1.5s: wall 3s, mono 0s
			2.5s: wall 3s, mono 0s
			3.5s: wall 3s, mono 0s`},
		{faults.Fault{Kind: faults.Drift, Host: "n1", Rate: 1000 * clock.PPM, For: s}, at(2 * s), `
			500ms: wall 0s, mono 0s
			1.5s: wall 500µs, mono 500µs
			2.5s: wall 1ms, mono 1ms
			3.5s: wall 1ms, mono 1ms`},
		{faults.Fault{Kind: faults.Drift, Host: "n1", Rate: -1000 * clock.PPM}, clock.Forever, `
			500ms: wall 0s, mono 0s
			1.5s: wall -500µs, mono -500µs
			2.5s: wall -1.5ms, mono -1.5ms
			3.5s: wall -2.5ms, mono -2.5ms`},
		{faults.Fault{Kind: faults.Slew, Host: "n1", By: -ms, Rate: 1000 * clock.PPM}, at(2 * s), `
			500ms: wall 0s, mono 0s
			1.5s: wall -500µs, mono -500µs
			2.5s: wall -1ms, mono -1ms
			3.5s: wall -1ms, mono -1ms`},
		{faults.Fault{Kind: faults.Strobe, Host: "n1", By: 3 * s, Every: 800 * ms, For: 2 * s}, at(3 * s), `
			500ms: wall 0s, mono 0s
			1.5s: wall 3s, mono 0s
			2.5s: wall 0s, mono 0s
			3.5s: wall 0s, mono 0s`}, // it would be forth again, were it not over
		{faults.Fault{Kind: faults.Strobe, Host: "n1", By: 3 * s, Every: 800 * ms, For: 1700 * ms}, at(2700 * ms), `
			500ms: wall 0s, mono 0s
			1.5s: wall 3s, mono 0s
			2.5s: wall 0s, mono 0s
			3.5s: wall 0s, mono 0s`}, // it was forth when it ended
		{faults.Fault{Kind: faults.Strobe, Host: "n1", By: 3 * s, Every: s}, clock.Forever, `
			500ms: wall 0s, mono 0s
			1.5s: wall 3s, mono 0s
			2.5s: wall 0s, mono 0s
			3.5s: wall 3s, mono 0s`},
		{faults.Fault{Kind: faults.Suspend, Host: "n1", For: s}, at(2 * s), `
			500ms: wall 0s, mono 0s
			1.5s: wall 0s, mono 0s
			2.5s: wall 0s, mono 0s
			3.5s: wall 0s, mono 0s`},
		{faults.Fault{Kind: faults.Pause, Host: "n1", For: s}, at(2 * s), `
			500ms: wall 0s, mono 0s
			1.5s: wall 0s, mono 0s
			2.5s: wall 0s, mono 0s
			3.5s: wall 0s, mono 0s`},
	} {
		t.Run(c.fault.What(), func(t *testing.T) {
			c.fault.At = at(s)
			r := newRig(t, faults.Schedule{c.fault})
			lines := clocks(r, 4*s)
			r.Run()
			compare(t, *lines, c.want)
			if got, want := intervals(r.schedule.Strikes()), []faults.Strike{{From: at(s), To: c.ends}}; !same(got, want) {
				t.Errorf("struck %v, want %v", got, want)
			}
		})
	}
}

func TestAFaultWithoutAnEndLastsForEver(t *testing.T) {
	for _, f := range []faults.Fault{
		{Kind: faults.Pause, Host: "n1"}, {Kind: faults.Restart, Host: "n1"}, {Kind: faults.Cut, From: "c1", To: "n1"},
		{Kind: faults.Suspend, Host: "n1"}, {Kind: faults.Crash, Host: "n1"}, {Kind: faults.SlowNode, Host: "n1", By: s},
		{Kind: faults.Partition, Shape: faults.Isolate, Host: "c1"},
		{Kind: faults.Partition, Groups: [][]string{{"c1"}, {"n1"}}}, {Kind: faults.Lossy, From: "n1", To: "c1", Loss: 1_000_000},
		{Kind: faults.Slow, From: "n1", To: "c1", By: s},
	} {
		r := newRig(t, faults.Schedule{f})
		r.calls("c1", "n1", 59*time.Minute)
		r.Run()
		if len(r.seen) != 1 || r.seen[0] == "59m0s c1>n1: answered at 3540.000211s" {
			t.Errorf("%s: %s", f, r.seen)
		}
		if got, want := intervals(r.schedule.Strikes()), []faults.Strike{{To: clock.Forever}}; !same(got, want) {
			t.Errorf("%s: struck %v, want %v", f, got, want)
		}
	}
}

// A held message continues when its fault ends; messages behind it on other connections don't wait.
func TestHoldCatchesOneMessageUntilItsEnd(t *testing.T) {
	r := newRig(t, faults.Schedule{{Kind: faults.Hold, From: "c1", To: "n1", For: 50 * ms}})
	for _, begins := range []time.Duration{ms, 2 * ms} {
		r.calls("c1", "n1", begins)
	}
	r.saw(t, `
		2ms c1>n1: answered at 0.002211s
		1ms c1>n1: answered at 0.05021s`)
}

func TestOverlappingFaultsAddUp(t *testing.T) {
	overlap := func(f faults.Fault) faults.Schedule { // 1s to 3s, 2s to 4s
		first, second := f, f
		first.At, first.For, second.At, second.For = at(s), 2*s, at(2*s), 2*s
		return faults.Schedule{first, second}
	}
	for _, f := range []faults.Fault{
		{Kind: faults.Pause, Host: "n1"}, {Kind: faults.Restart, Host: "n1"}, {Kind: faults.Cut, From: "c1", To: "n1"},
		{Kind: faults.Suspend, Host: "n1"}, {Kind: faults.Crash, Host: "n1"}, {Kind: faults.Partition, Shape: faults.Isolate, Host: "n1"},
		{Kind: faults.Partition, Groups: [][]string{{"c1"}, {"n1"}}, OneWay: true},
		{Kind: faults.Partition, Groups: [][]string{{"c1"}, {"n1"}}}, {Kind: faults.Lossy, From: "c1", To: "n1", Loss: 1_000_000},
	} {
		t.Run(f.What(), func(t *testing.T) {
			r := newRig(t, overlap(f))
			for half := 500 * ms; half < 5*s; half += s {
				r.calls("c1", "n1", half)
			}
			r.Run()
			for i, line := range r.seen {
				if well := i == 0 || i == 4; well != (line == fmt.Sprintf("%v c1>n1: answered at %d.500211s", 500*ms+time.Duration(i)*s, i)) {
					t.Errorf("call %d: %s", i, line)
				}
			}
		})
	}
	for _, f := range []faults.Fault{
		{Kind: faults.Slow, From: "c1", To: "n1", By: 20 * ms}, {Kind: faults.SlowNode, Host: "n1", By: 20 * ms},
	} {
		slow := newRig(t, overlap(f))
		for half := 500 * ms; half < 5*s; half += s {
			slow.calls("c1", "n1", half)
		}
		slow.saw(t, `
			500ms c1>n1: answered at 0.500211s
			1.5s c1>n1: answered at 1.520211s
			2.5s c1>n1: answered at 2.540211s
			3.5s c1>n1: answered at 3.520211s
			4.5s c1>n1: answered at 4.500211s`)
	}
	strobe := newRig(t, overlap(faults.Fault{Kind: faults.Strobe, Host: "n1", By: 5 * s, Every: 1200 * ms}))
	shown := clocks(strobe, 5*s)
	strobe.Run()
	compare(t, *shown, `
		500ms: wall 0s, mono 0s
		1.5s: wall 5s, mono 0s
		2.5s: wall 5s, mono 0s
		3.5s: wall 0s, mono 0s
		4.5s: wall 0s, mono 0s`) // forth from 1s to 2.2s, and from 2s to 3.2s
	jump := newRig(t, overlap(faults.Fault{Kind: faults.Jump, Host: "n1", By: 5 * s}))
	lines := clocks(jump, 5*s)
	jump.Run()
	compare(t, *lines, `
		500ms: wall 0s, mono 0s
		1.5s: wall 5s, mono 0s
		2.5s: wall 10s, mono 0s
		3.5s: wall 5s, mono 0s
		4.5s: wall 0s, mono 0s`)
}

func TestAPartitionAndACutOfTheSameLinkHealEachForItself(t *testing.T) {
	r := newRig(t, faults.Schedule{
		{At: at(s), For: 2 * s, Kind: faults.Partition, Groups: [][]string{{"c1", "c2"}, {"n1", "n2"}}},
		{At: at(2 * s), For: 2 * s, Kind: faults.Cut, From: "n1", To: "c1"},
	})
	for half := 500 * ms; half < 5*s; half += s {
		r.calls("c1", "n1", half)
	}
	r.calls("c2", "n1", 3500*ms)
	r.saw(t, `
		500ms c1>n1: answered at 0.500211s
		1.5s c1>n1: no reply in time at 1.600001s
		2.5s c1>n1: no reply in time at 2.600001s
		3.5s c2>n1: answered at 3.500211s
		3.5s c1>n1: no reply in time at 3.600001s
		4.5s c1>n1: answered at 4.500211s`)
}

func TestAMarkIsCountedAndWaitedAfter(t *testing.T) {
	jump := func(m faults.Mark, by time.Duration) faults.Fault {
		return faults.Fault{When: m, Kind: faults.Jump, Host: "n1", By: by, For: 100 * ms}
	}
	r := newRig(t, faults.Schedule{
		jump(faults.Mark{Host: "c1", Name: "here", Nth: 3, After: 10 * ms}, s),
		jump(faults.Mark{Host: "c1", Name: "here"}, 2*s),
		jump(faults.Mark{Host: "c1", Name: "here", Nth: 2}, 3*s),
		jump(faults.Mark{Host: "c1", Name: "here", Nth: 5}, 4*s), // never
		jump(faults.Mark{Host: "c2", Name: "here"}, 5*s),         // never
		jump(faults.Mark{Host: "c1", Name: "there"}, 6*s),        // never
		{When: faults.Mark{Host: "c1", Name: "here", Nth: 4}, Kind: faults.Pause, Host: "n1", At: at(time.Minute)},
	})
	r.Host("c1").Go("main", func(p *sim.Proc) {
		for range 4 {
			p.Sleep(s)
			p.Mark("here")
		}
	})
	r.Run()
	var marks []clock.Instant
	for _, e := range r.Trace() {
		if e.Kind == sim.Marked {
			marks = append(marks, e.At)
		}
	}
	want := []faults.Strike{
		{Index: 1, From: marks[0], To: marks[0].Add(100 * ms)},
		{Index: 2, From: marks[1], To: marks[1].Add(100 * ms)},
		{Index: 0, From: marks[2].Add(10 * ms), To: marks[2].Add(110 * ms)},
		{Index: 6, From: marks[3], To: clock.Forever},
	}
	if got := intervals(r.schedule.Strikes()); !same(got, want) {
		t.Errorf("struck\n%v, want\n%v", got, want)
	}
}

// If such a fault hits, its run has not shown what it should show.
func TestUnnoticeableFaultIsSlight(t *testing.T) {
	for line, want := range map[string]bool{
		"at 1s for 1ns pause c1": true, "at 1s for 1ns suspend c1": true, "at 500ms for 600us pause c1": true,
		"at 1999900us for 600us pause c1": false, "at 1s for 2s pause c1": false, "at 1s for 1ms pause c1": false, "at 1s pause c1": false,
		"at 1s jump n1 +1ns": true, "at 1s jump n1 -999us": true, "at 1s jump n1 -1ms": false, "at 1s for 1ns jump n1 +1h": false,
		"at 1s strobe n1 1ns every 1s": true, "at 1s for 1s drift n1 +1ppm": true, "at 1s for 1s drift n1 -1000ppm": false,
		"at 1s for 1ns drift n1 -10000ppm": true, "at 1s slew n1 +1us at 500ppm": true, "at 1s slew n1 +1ms at 10000ppm": false,
	} {
		schedule, err := faults.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		r := newRig(t, schedule)
		r.Host("c1").Go("main", func(p *sim.Proc) {
			for range 5 {
				p.Sleep(s)
			}
		})
		r.Run()
		if got := r.schedule.Strikes(); len(got) != 1 || got[0].Slight != want || got[0].Idle {
			t.Errorf("%s: %+v; want slight %v", line, got, want)
		}
	}
}

func TestFaultAtAMarkHitsBeforeTheProcContinues(t *testing.T) {
	r := newRig(t, faults.Schedule{{Kind: faults.Pause, When: faults.Mark{Host: "c1", Name: "here"}, Host: "c1", For: s}})
	var before, after clock.Instant
	r.Host("c1").Go("main", func(p *sim.Proc) {
		p.Mark("here")
		before = r.schedule.Strikes()[0].From
		p.Mono()
		after = r.Now()
	})
	r.Run()
	if after.Sub(before) < s {
		t.Errorf("it struck at %s, and its proc went on at %s", before, after)
	}
}

func TestFaultsOfOneInstantHitInScheduleOrder(t *testing.T) {
	r := newRig(t, faults.Schedule{
		{Kind: faults.Pause, Host: "n1", For: s, At: at(s)}, {Kind: faults.Pause, Host: "n2", At: at(s)},
		{Kind: faults.Pause, Host: "c1", At: at(s)}, {Kind: faults.Pause, Host: "c2"},
	})
	r.Run()
	var got []int
	for _, strike := range r.schedule.Strikes() {
		got = append(got, strike.Index)
	}
	if want := []int{3, 0, 1, 2}; !same(got, want) {
		t.Errorf("struck %v, want %v", got, want)
	}
}

// passing draws a fault of any kind that has ended by one second.
func passing(t *rapid.T) faults.Fault {
	host := rapid.SampledFrom(slices.Concat(hosts, []string{faults.Holder, faults.AClient, faults.ANode, faults.Majority, faults.Nodes, faults.All}))
	link := rapid.SampledFrom([]string{"c1>n1", "n1>c1", "c2>n1", "c1>n2", "n2>c2", "clients>nodes", "a-node>all"})
	begins := time.Duration(rapid.Int64Range(0, int64(800*ms)).Draw(t, "at"))
	ends := time.Duration(rapid.Int64Range(int64(begins)+1, int64(900*ms)).Draw(t, "end"))
	from, to, _ := strings.Cut(link.Draw(t, "link"), ">")
	f := faults.Fault{
		At: at(begins), For: ends - begins, Kind: kind(t), Host: host.Draw(t, "host"), Clean: rapid.Bool().Draw(t, "clean"),
		By:   time.Duration(rapid.Int64Range(1, int64(10*ms)).Draw(t, "by")),
		Rate: clock.Rate(rapid.IntRange(100_000_000, 110_000_000).Draw(t, "rate")), // a slew ends within 0.1 s
		From: from, To: to, Loss: rapid.IntRange(1, 1_000_000).Draw(t, "loss"), Every: 7 * ms, Reply: "OOM",
		Shape:  rapid.SampledFrom([]faults.Shape{faults.Grouped, faults.Isolate, faults.Split}).Draw(t, "shape"),
		Groups: [][]string{{"c1", "n1"}, {"c2", "n2"}}, OneWay: rapid.Bool().Draw(t, "one way"),
	}
	signed := f.Kind == faults.Jump || f.Kind == faults.Slew
	if signed && rapid.Bool().Draw(t, "backwards") {
		f.By = -f.By
	}
	if rapid.Bool().Draw(t, "at a mark") {
		f.When = faults.Mark{Host: "c1", Name: "here", Nth: rapid.IntRange(1, 3).Draw(t, "nth"), After: begins / 100}
		f.For = min(f.For, 100*ms)
	}
	if f.Kind.EndsItself {
		f.For = 0
	}
	if slices.Contains([]*faults.Kind{faults.StallDisk, faults.Refuse, faults.Evict}, f.Kind) { // clients have no disk and no keys
		f.Host = rapid.SampledFrom([]string{"n1", "n2", faults.ANode, faults.Nodes}).Draw(t, "disk")
	}
	return f
}

// life runs a world of traffic and marks for a second, and then calls everything from everywhere. It returns the rig,
// whose record is in true time.
func life(t testing.TB, schedule faults.Schedule, plan func(*rig)) *rig {
	r := newRig(t, schedule)
	plan(r)
	for i := range 30 {
		r.calls([]string{"c1", "c2"}[i%2], []string{"n1", "n1", "n2"}[i%3], time.Duration(i)*29*ms)
	}
	for i := range 3 {
		r.World.At(at(time.Duration(i)*300*ms), func() {
			r.Host("c1").Go(fmt.Sprint("marks ", i), func(p *sim.Proc) { p.Mark("here") })
		})
	}
	r.World.At(at(1100*ms), func() { r.seen = nil })
	for i, pair := range []string{"c1>n1", "c2>n2", "c1>n2", "c2>n1"} {
		r.calls(pair[:2], pair[3:], 1200*ms+time.Duration(i)*us)
		r.calls(pair[:2], pair[3:], 1500*ms)
	}
	r.Run()
	return r
}

// After any schedule has ended, calls take as long as in a world without it and clocks run true. Wall clocks agree with
// the monotonic ones, because every jump has been taken back.
func TestNothingIsLeftOfAFaultThatHasHealed(t *testing.T) {
	want := life(t, nil, func(*rig) {}).seen
	if len(want) != 8 {
		t.Fatalf("the quiet world saw %q", want)
	}
	runs, struck := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		runs++
		var schedule faults.Schedule
		for range rapid.IntRange(1, 4).Draw(rt, "faults") {
			schedule = append(schedule, passing(rt))
		}
		r := life(t, schedule, func(*rig) {})
		r.nothingIsLeft(rt, schedule, want)
		for _, strike := range r.schedule.Strikes() {
			if struck++; strike.To > at(1100*ms) {
				rt.Fatalf("%s struck until %s", schedule[strike.Index], strike.To)
			}
		}
	})
	if struck < runs {
		t.Errorf("only %d faults struck in %d runs", struck, runs)
	}
}

func (r *rig) nothingIsLeft(t *rapid.T, schedule faults.Schedule, want []string) {
	if !slices.Equal(r.seen, want) {
		t.Fatalf("after\n%s calls went\n%q, and without it\n%q", schedule, r.seen, want)
	}
	for _, h := range r.Hosts() {
		if rate := h.Clock().Rate(r.Now()); rate != 0 || h.Wall() != h.Mono() || !h.Up() {
			t.Fatalf("after\n%s%s is at rate %s, up %t, its wall %s and mono %s", schedule, h.Name, rate, h.Up(), h.Wall(), h.Mono())
		}
	}
}

func TestACleanRestartIsNoPowerFailure(t *testing.T) {
	for clean, want := range map[bool]string{true: "clean", false: "power"} {
		r := newRig(t, faults.Schedule{{Kind: faults.Restart, Host: "n1", Clean: clean}})
		r.Run()
		if e := r.Trace()[0]; e.Kind != sim.Crashed || e.Body != want {
			t.Errorf("clean %t: %s %v", clean, e.Kind, e.Body)
		}
	}
}

func TestAPartitionCutsBothWaysBetweenAnyTwoGroups(t *testing.T) {
	r := newRig(t, faults.Schedule{{Kind: faults.Partition, Groups: [][]string{{"c1", "c2"}, {"n1"}, {"n2"}}}})
	r.Run()
	var cuts []string
	for _, e := range r.Trace() {
		cuts = append(cuts, hosts[e.Host]+">"+hosts[e.Peer])
	}
	slices.Sort(cuts)
	compare(t, cuts, "c1>n1\nc1>n2\nc2>n1\nc2>n2\nn1>c1\nn1>c2\nn1>n2\nn2>c1\nn2>c2\nn2>n1")
}

// intervals returns all without their descriptions and whether they had an effect.
func intervals(strikes []faults.Strike) []faults.Strike {
	all := slices.Clone(strikes)
	for i := range all {
		all[i].Idle, all[i].What, all[i].Hosts = false, "", nil
	}
	return all
}

func same[T any](a, b []T) bool { return reflect.DeepEqual(a, b) }

// A fault that nothing meets has not put anything to the test, and says so.
func TestAFaultThatTouchesNothingIsIdle(t *testing.T) {
	for line, want := range map[string]bool{
		"at 1s for 1s pause c1":                      true, // its only proc ended half a second before
		"at 400ms for 1s pause c1":                   false,
		"at 1s for 1s pause n1":                      true,
		"at 400ms for 1s restart n1":                 false,
		"at 400ms jump n1 +1s":                       false,
		"at 1s jump n1 +1s":                          true,
		"at 400ms for 1s hold c1>n1":                 false,
		"at 400ms for 1s hold c1>n2":                 true,
		"at 400ms for 1s slow n1>c1 by 1ms":          false,
		"at 400ms for 50ms slow n1>c1 by 1ms":        true,
		"at 400ms lossy c1>n1 1000000ppm":            false,
		"at 400ms lossy c1>n1 5ppm":                  true, // a message was sent, and still arrived
		"at 400ms lossy c2>n1 5ppm":                  true,
		"at 400ms for 1s partition c1 | n1":          false,
		"at 400ms for 1s partition c1 n1 | c2 n2":    true,
		"at 400ms for 1s cut c1>n1":                  false,
		"at 400ms for 1s cut n2>c1":                  true,
		"at 500.05ms for 1s cut c1>n1":               false, // the message is under way already
		"at 400ms for 1s drift c1 +5ppm":             false,
		"at 400ms slew c2 +1s at 5ppm":               true,
		"at 400ms for 1s suspend c1":                 false,
		"at 1s for 1s suspend n1":                    true,
		"at 400ms crash c1":                          false,
		"at 1s crash c1":                             true,
		"at 400ms for 1s strobe n1 1s every 10ms":    false,
		"at 1s for 1s strobe n1 1s every 10ms":       true,
		"at 400ms for 1s slow-node n1 by 1ms":        false,
		"at 400ms for 1s slow-node n2 by 1ms":        true,
		"at 400ms for 1s slow-node c2 by 1ms":        true,
		"at 400ms for 1s partition isolate n1":       false,
		"at 400ms for 1s partition isolate n2":       true,
		"at 400ms for 1s partition n1 > c1":          false,
		"at 400ms for 1s partition c2 > n1":          true,
		"at 400ms for 1s pause holder":               true, // no holder
		"at 400ms slew holder +1s at 5ppm":           true,
		"at 400ms for 1s cut holder>n1":              true,
		"at 400ms for 1s partition holder | n1":      true,
		"at 400ms for 1s partition holder c1 | n1":   false,
		"at 400ms for 1s hold clients>n2":            true,
		"at 400ms for 1s hold clients>nodes":         false,
		"at 400ms for 1s pause clients":              false, // c1 is there, if c2 is not
		"at 1s for 1s pause all":                     true,
		"at 400ms for 50ms on n2 partition c1 | n1":  true,
		"at 400ms for 150ms on n2 partition c1 | n1": false,
	} {
		schedule, err := faults.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		r := newRig(t, schedule)
		r.Host("c1").Go("main", func(p *sim.Proc) {
			p.Sleep(500 * ms)
			_, _ = p.Call(r.Host("n1").ID, "x", ms)
		})
		r.Run()
		if strikes := r.schedule.Strikes(); len(strikes) != 1 || strikes[0].Idle != want {
			t.Errorf("%s: struck %+v, want idle %t", line, strikes, want)
		}
	}
}

// "Keep it away for eleven seconds" is only as good as the clock that counts them.
func TestAnEndThatIsTimedOnAClockMovesWithIt(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"at 1s for 10s on n1 restart n1":                             11 * s,
		"at 1s for 10s on n1 restart n1\nat 3s jump n1 +1h":          3 * s,
		"at 1s for 10s on n1 restart n1\nat 3s jump n1 +4s":          7 * s,
		"at 1s for 10s on n1 restart n1\nat 3s jump n1 -4s":          15 * s,
		"at 1s for 10s on n2 restart n1\nat 3s jump n1 +4s":          11 * s,
		"at 1s for 10s restart n1\nat 3s jump n1 +4s":                11 * s,
		"at 1s for 10s on n1 strobe n1 5s every 3s":                  13 * s, // at the third step forth: up to 10s it shows 15s, then 10s
		"at 1s for 10s on n1 pause n1\nat 2s for 1s restart n1":      11 * s,
		"at 1s for 10s on n1 pause n1\nat 3s for 1s jump n1 +9500ms": 3 * s,
	} {
		schedule, err := faults.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		r := newRig(t, schedule)
		r.Run()
		if got := r.schedule.Strikes()[0].To; got != at(want) {
			t.Errorf("%s\nit was over at %v, want %v", text, got, want)
		}
		if h := r.Host("n1"); len(schedule) == 1 && h.Wall() != h.Mono() {
			t.Errorf("%s\nit left the wall at %v, and mono at %v", text, h.Wall(), h.Mono())
		}
	}
}
