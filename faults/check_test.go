package faults_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/sim"
)

func TestCheckRefusesWhatCannotBe(t *testing.T) {
	acquired := faults.Mark{Host: "c1", Name: "acquired"}
	link := faults.Fault{Kind: faults.Slow, From: "c1", To: "n1"}
	with := func(f faults.Fault, change func(*faults.Fault)) faults.Fault { change(&f); return f }
	for _, c := range []struct {
		says  string
		fault faults.Fault
	}{
		{"there is no such kind; there are pause, suspend,", faults.Fault{Kind: 14, Host: "c1"}},
		{"there is no such kind", faults.Fault{Kind: 255}},

		{"it names no host", faults.Fault{Kind: faults.Pause}},
		{"it names no host", faults.Fault{Kind: faults.Restart}},
		{"it names no host", faults.Fault{Kind: faults.Jump, By: s}},
		{"it names no host", faults.Fault{Kind: faults.Drift, Rate: 1}},
		{"it names no host", faults.Fault{Kind: faults.Slew, Rate: 1}},
		{"it names no host", faults.Fault{Kind: faults.Pause, From: "c1", To: "n1"}},
		{"it names no link", faults.Fault{Kind: faults.Cut, To: "n1"}},
		{"it names no link", faults.Fault{Kind: faults.Cut, From: "n1"}},
		{"it names no link", faults.Fault{Kind: faults.Hold, To: "n1"}},
		{"it names no link", faults.Fault{Kind: faults.Slow, From: "n1"}},
		{"it names no link", faults.Fault{Kind: faults.Lossy, Host: "n1"}},
		{"two groups or more", faults.Fault{Kind: faults.Partition}},
		{"two groups or more", faults.Fault{Kind: faults.Partition, Groups: [][]string{{"c1", "n1"}}}},
		{"a host in each", faults.Fault{Kind: faults.Partition, Groups: [][]string{{"c1", "n1"}, {}}}},
		{"host n1 stands in it twice", faults.Fault{Kind: faults.Partition, Groups: [][]string{{"c1", "n1"}, {"n1"}}}},
		{"host c1 stands in it twice", faults.Fault{Kind: faults.Partition, Groups: [][]string{{"c1", "c1"}, {"n1"}}}},
		{"a mark without a name", faults.Fault{When: faults.Mark{Host: "c1"}, Host: "c1"}},
		{"not on any host", faults.Fault{When: faults.Mark{Name: "acquired"}, Host: "c1"}},
		{"not on any host", faults.Fault{When: faults.Mark{After: s}, Host: "c1"}},

		{`no host is named "n9"; there are n1, n2, c1, c2`, faults.Fault{Host: "n9"}},
		{`no host is named "n9"`, faults.Fault{Host: "c1", When: faults.Mark{Host: "n9", Name: "acquired"}}},
		{`no host is named "n9"`, faults.Fault{Kind: faults.Cut, From: "n9", To: "n1"}},
		{`no host is named "n9"`, faults.Fault{Kind: faults.Cut, From: "n1", To: "n9"}},
		{`no host is named "n9"`, faults.Fault{Kind: faults.Partition, Groups: [][]string{{"c1"}, {"n1", "n9"}}}},
		{`no host is named ""`, faults.Fault{Kind: faults.Partition, Groups: [][]string{{"c1"}, {""}}}},

		{"a time is negative", faults.Fault{Host: "c1", At: -1}},
		{"a time is negative", faults.Fault{Host: "c1", For: -1}},
		{"a time is negative", faults.Fault{Host: "c1", When: with(faults.Fault{When: acquired}, func(f *faults.Fault) { f.When.After = -1 }).When}},
		{"counted from 1", faults.Fault{Host: "c1", When: faults.Mark{Host: "c1", Name: "acquired", Nth: -1}}},
		{"after the run's horizon of 1m0s", faults.Fault{Host: "c1", At: at(time.Minute) + 1}},
		{"after the run's horizon of 1m0s", faults.Fault{Host: "c1", At: clock.Forever}},
		{"after the run's horizon", faults.Fault{Host: "c1", When: faults.Mark{Host: "c1", Name: "acquired", After: time.Minute + 1}}},

		{"a clock jumps by at most", faults.Fault{Kind: faults.Jump, Host: "n1", By: math.MaxInt64}},
		{"a clock jumps by at most", faults.Fault{Kind: faults.Jump, Host: "n1", By: math.MinInt64}},
		{"drifts by at most +450000ppm", faults.Fault{Kind: faults.Drift, Host: "n1", Rate: 450_001 * clock.PPM}},
		{"drifts by at most +450000ppm", faults.Fault{Kind: faults.Drift, Host: "n1", Rate: -450_001 * clock.PPM}},
		{"drifts by at most", faults.Fault{Kind: faults.Drift, Host: "n1", Rate: math.MinInt64}},
		{"slewed at more than 0", faults.Fault{Kind: faults.Slew, Host: "n1", By: s}},
		{"slewed at more than 0", faults.Fault{Kind: faults.Slew, Host: "n1", By: s, Rate: -1}},
		{"at most +450000ppm", faults.Fault{Kind: faults.Slew, Host: "n1", By: s, Rate: 450_001 * clock.PPM}},
		{"can't take less time", with(link, func(f *faults.Fault) { f.By = -1 })},
		{"within the run's horizon of 1m0s; cut the link", with(link, func(f *faults.Fault) { f.By = time.Minute + 1 })},
		{"from 0 to 1000000", with(link, func(f *faults.Fault) { f.Kind, f.Loss = faults.Lossy, -1 })},
		{"from 0 to 1000000", with(link, func(f *faults.Fault) { f.Kind, f.Loss = faults.Lossy, 1_000_001 })},
	} {
		err := faults.Schedule{{Host: "c1"}, c.fault}.Check(cast, time.Minute)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "fault 2 (") {
			t.Errorf("%s: %v\nwant fault 2 refused with %q", c.fault, err, c.says)
		}
	}
}

func TestCheckRefusesFaultsThatAreTooMuchTogether(t *testing.T) {
	drift := faults.Fault{Kind: faults.Drift, Host: "n1", Rate: 300_000 * clock.PPM}
	other := faults.Fault{Kind: faults.Drift, Host: "n2", Rate: -300_000 * clock.PPM}
	back := faults.Fault{Kind: faults.Slew, Host: "n1", By: -s, Rate: 150_001 * clock.PPM}
	jump := faults.Fault{Kind: faults.Jump, Host: "n1", By: -40 * 365 * 24 * time.Hour}
	for _, c := range []struct {
		schedule faults.Schedule
		ok       bool
	}{
		{faults.Schedule{drift, other}, true},
		{faults.Schedule{drift, drift}, false},
		{faults.Schedule{drift, other, back}, false},
		{faults.Schedule{jump, drift}, true},
		{faults.Schedule{jump, jump}, false},
		{faults.Schedule{jump, drift, jump}, false},
	} {
		if err := c.schedule.Check(cast, time.Minute); (err == nil) != c.ok {
			t.Errorf("%s%v", c.schedule, err)
		}
	}
}

func TestCheckAcceptsFaultsOfEveryHost(t *testing.T) {
	bigger := faults.Cast{Nodes: []string{"n1", "n2"}, Clients: []string{"c1", "c2"}, Others: []string{"s", "x", "y"}}
	for _, host := range append(hosts, "s") {
		for _, f := range []faults.Fault{
			{Host: host}, {Kind: faults.Restart, Host: host}, {Kind: faults.Jump, Host: host, By: -s},
			{Kind: faults.Drift, Host: host, Rate: -1}, {Kind: faults.Slew, Host: host, By: s, Rate: 1},
			{Kind: faults.Cut, From: host, To: "n1"}, {Kind: faults.Hold, From: "n1", To: host},
			{Kind: faults.Slow, From: host, To: host, By: time.Minute}, {Kind: faults.Lossy, From: host, To: "n1", Loss: 1_000_000},
			{Kind: faults.Partition, Groups: [][]string{{host}, {"x"}, {"y"}}}, {Host: host, At: at(time.Minute)},
			{Host: host, When: faults.Mark{Host: "n1", Name: "no such mark", Nth: 99, After: time.Minute}},
		} {
			if err := (faults.Schedule{f}).Check(bigger, time.Minute); err != nil {
				t.Error(err)
			}
		}
	}
	if err := (faults.Schedule)(nil).Check(faults.Cast{}, 0); err != nil {
		t.Error(err)
	}
}

// mostly draws what makes sense, and one time in eight something else.
func mostly[T any](sense, nonsense *rapid.Generator[T]) *rapid.Generator[T] {
	return rapid.OneOf(sense, sense, sense, sense, sense, sense, sense, nonsense)
}

// anything draws a fault with little thought for what makes sense.
func anything(t *rapid.T) faults.Fault {
	host := mostly(rapid.SampledFrom(hosts), rapid.SampledFrom([]string{"", "n9"}))
	wild := rapid.SampledFrom([]int64{-1, math.MaxInt64, math.MinInt64})
	span := mostly(rapid.Int64Range(0, int64(3*s)), wild)
	draw := func(name string) time.Duration { return time.Duration(span.Draw(t, name)) }
	f := faults.Fault{
		At: clock.Instant(draw("at")), For: draw("for"),
		Kind: mostly(rapid.Custom(kind), rapid.Just(faults.Kind(14))).Draw(t, "kind"),
		Host: host.Draw(t, "host"), Clean: rapid.Bool().Draw(t, "clean"), By: draw("by"),
		Rate: clock.Rate(mostly(rapid.Int64Range(-500_000_000, 500_000_000), wild).Draw(t, "rate")),
		From: host.Draw(t, "from"), To: host.Draw(t, "to"), Loss: rapid.IntRange(-1, 1_000_001).Draw(t, "loss"),
		Groups: mostly(rapid.Just([][]string{{"n1", "c1"}, {"n2"}}), rapid.SliceOfN(rapid.SliceOfN(host, 0, 2), 0, 3)).Draw(t, "groups"),
	}
	if rapid.Bool().Draw(t, "at a mark") {
		f.When = faults.Mark{
			Host: mostly(rapid.Just("c1"), host).Draw(t, "whose"), Name: mostly(rapid.Just("here"), rapid.Just("")).Draw(t, "mark"),
			Nth: rapid.IntRange(-1, 3).Draw(t, "nth"), After: draw("after"),
		}
	}
	return f
}

func kind(t *rapid.T) faults.Kind {
	return faults.Kind(rapid.IntRange(int(faults.Pause), int(faults.Lossy)).Draw(t, "kind"))
}

// What Check lets pass can be injected and struck: nothing in it panics. And whatever it is, it can be told.
func TestWhatCheckLetsPassCanHappen(t *testing.T) {
	struck := 0
	rapid.Check(t, func(rt *rapid.T) {
		var schedule faults.Schedule
		for range rapid.IntRange(1, 12).Draw(rt, "faults") {
			f := anything(rt)
			if _, err := f.String(), append(schedule, f).Check(cast, time.Hour); err == nil {
				schedule = append(schedule, f)
			}
		}
		r := newRig(t, schedule)
		for i := range 10 {
			r.calls("c1", "n1", time.Duration(i)*300*ms)
			r.calls("c2", "n2", time.Duration(i)*300*ms)
		}
		r.Host("c1").Go("marks", func(p *sim.Proc) {
			for range 3 {
				p.Mark("here")
				p.Sleep(s)
			}
		})
		r.Run()
		struck += len(r.schedule.Strikes())
	})
	if struck < 100 {
		t.Errorf("only %d faults struck: too little is put to the test", struck)
	}
}
