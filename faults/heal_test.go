package faults_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/sim"
)

// lasting draws a fault of any kind that may last for ever, or begin after everything has been healed.
func lasting(t *rapid.T) faults.Fault {
	f := passing(t)
	f.Every = 50 * ms
	f.For = time.Duration(rapid.Int64Range(0, int64(3*s)).Draw(t, "for"))
	if rapid.Bool().Draw(t, "for ever") || f.Kind.EndsItself {
		f.For = 0
	}
	if f.For > 0 && rapid.Bool().Draw(t, "on a clock") {
		f.On = "n1"
	}
	f.At += clock.Instant(rapid.Int64Range(0, int64(s)).Draw(t, "later"))
	f.Rate /= clock.Rate(rapid.IntRange(1, 1000).Draw(t, "slower")) // a slew may take ten seconds and more
	return f
}

// Whatever is in force or to come, once all is healed the world is as good as one that never knew a fault.
func TestNothingIsLeftOfAScheduleThatIsHealed(t *testing.T) {
	want := life(t, nil, func(*rig) {}).seen
	runs, cut := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		runs++
		var schedule faults.Schedule
		for range rapid.IntRange(1, 4).Draw(rt, "faults") {
			schedule = append(schedule, rapid.Custom(lasting).Draw(rt, "fault"))
		}
		var before []faults.Strike
		r := life(t, schedule, func(r *rig) {
			r.World.At(at(s), func() {
				before = slices.Clone(r.schedule.Strikes())
				r.schedule.Heal()
				noted := len(r.Trace())
				if r.schedule.Heal(); len(r.Trace()) != noted {
					rt.Fatalf("healing again did something more")
				}
			})
		})
		r.nothingIsLeft(rt, schedule, want)
		after := r.schedule.Strikes()
		if len(after) != len(before) {
			rt.Fatalf("of\n%s%d faults had struck before it was healed, and %d in all", schedule, len(before), len(after))
		}
		for i, strike := range after {
			if strike.To != min(before[i].To, at(s)) {
				rt.Fatalf("%s: it was to end at %s, and ended at %s", strike.What, before[i].To, strike.To)
			}
			if before[i].To > at(s) {
				cut++
			}
		}
	})
	if cut < runs/2 {
		t.Errorf("only %d faults were in force when all was healed, in %d runs", cut, runs)
	}
}

func TestAHealedScheduleDoesNothingAnyMore(t *testing.T) {
	r := newRig(t, read(t, `
		at 3s pause n1
		when c1 here pause n1
		when c1 there +2s pause n1
		at 0s for 10s drift n1 +5ppm
		at 0s for 10s on n2 drift n1 +5ppm
		at 0s strobe n1 1s every 300ms
		at 0s slew n1 +1s at 5ppm
		at 0s for 10s hold c1>n2
	`))
	r.Host("c1").Go("main", func(p *sim.Proc) {
		p.Mark("there")
		p.Sleep(s)
		r.schedule.Heal()
		healed := len(r.Trace())
		p.Sleep(20 * s)
		p.Mark("here")
		if got := len(r.Trace()); got != healed+1 {
			t.Errorf("it did something after it was healed: %v", r.Trace()[healed:])
		}
	})
	r.Run()
	if rate := r.Host("n1").Clock().Rate(r.Now()); rate != 0 {
		t.Errorf("n1's clocks run at %s", rate)
	}
	for _, strike := range r.schedule.Strikes() {
		if strike.To != r.schedule.Strikes()[0].To || strike.To > at(s+ms) {
			t.Errorf("%s ended at %s", strike.What, strike.To)
		}
	}
}

// A fault that had ended before keeps its end and its description.
func TestHealingRewritesNoHistory(t *testing.T) {
	r := newRig(t, read(t, "at 0s for 100ms pause n1\nat 0s slew n1 +1ms at 5000ppm\nat 0s for 2s cut c1>n1\nat 0s for 2s cut c1>n2"))
	r.calls("c1", "n1", ms)
	r.World.At(at(s), func() { r.schedule.Heal() })
	r.calls("c1", "n1", 3*s)
	r.calls("c1", "n2", 3*s)
	r.Run()
	want := []faults.Strike{
		{Index: 0, To: at(100 * ms), Idle: true, What: "pause n1", Hosts: []string{"n1"}}, {Index: 1, To: at(200 * ms), Idle: true, What: "slew n1 +1ms at 5000ppm", Hosts: []string{"n1"}},
		{Index: 2, To: at(s), What: "cut c1>n1", Hosts: []string{"c1", "n1"}}, {Index: 3, To: at(s), Idle: true, What: "cut c1>n2", Hosts: []string{"c1", "n2"}},
	}
	if slews := slices.DeleteFunc(slices.Clone(r.Trace()), func(e sim.Event) bool { return e.Kind != sim.Slewed }); len(slews) != 1 {
		t.Errorf("a slew that was over was stopped: %v", slews)
	}
	if got := r.schedule.Strikes(); !same(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

// A run without faults must cost what it would cost without this package.
func TestAnEmptyScheduleCostsNothing(t *testing.T) {
	w := sim.New(sim.Config{})
	defer w.Close()
	if n := testing.AllocsPerRun(100, func() {
		in := faults.Schedule(nil).Inject(w, crowd)
		in.Heal()
		if in.Strikes() != nil {
			t.Error("nothing struck something")
		}
	}); n != 0 {
		t.Errorf("it allocates %v times", n)
	}
	run := func(inject bool) (steps int) {
		w.Reset(sim.Config{})
		w.AddHost("c1", nil, 0, 0).Go("main", func(p *sim.Proc) { p.Mark("here") })
		if inject {
			faults.Schedule{}.Inject(w, crowd)
		}
		w.Run()
		return w.Steps()
	}
	if with, without := run(true), run(false); with != without {
		t.Errorf("it takes %d steps, and %d without", with, without)
	}
}
