package faults_test

import (
	"math"
	"slices"
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
		{"there is no such kind; there are pause, suspend,", faults.Fault{Kind: &faults.Kind{Name: "none"}, Host: "c1"}},
		{"there is no such kind", faults.Fault{}},

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
		{"it names host n1 twice", faults.Fault{Kind: faults.Partition, Groups: [][]string{{"c1", "n1"}, {"n1"}}}},
		{"it names host c1 twice", faults.Fault{Kind: faults.Partition, Groups: [][]string{{"c1", "c1"}, {"n1"}}}},
		{"a host without a mark", faults.Fault{Kind: faults.Pause, When: faults.Mark{Host: "c1"}, Host: "c1"}},
		{"a mark without a host", faults.Fault{Kind: faults.Pause, When: faults.Mark{Name: "acquired"}, Host: "c1"}},
		{"a mark without a host", faults.Fault{Kind: faults.Pause, When: faults.Mark{After: s}, Host: "c1"}},

		{`no host is named "n9"; there are n1, n2, c1, c2`, faults.Fault{Kind: faults.Pause, Host: "n9"}},
		{`no host is named "n9"`, faults.Fault{Kind: faults.Pause, Host: "c1", When: faults.Mark{Host: "n9", Name: "acquired"}}},
		{`no host is named "n9"`, faults.Fault{Kind: faults.Cut, From: "n9", To: "n1"}},
		{`no host is named "n9"`, faults.Fault{Kind: faults.Cut, From: "n1", To: "n9"}},
		{`no host is named "n9"`, faults.Fault{Kind: faults.Partition, Groups: [][]string{{"c1"}, {"n1", "n9"}}}},
		{`no host is named ""`, faults.Fault{Kind: faults.Partition, Groups: [][]string{{"c1"}, {""}}}},

		{"a time is negative", faults.Fault{Kind: faults.Pause, Host: "c1", At: -1}},
		{"a time is negative", faults.Fault{Kind: faults.Pause, Host: "c1", For: -1}},
		{"a time is negative", faults.Fault{Kind: faults.Pause, Host: "c1", When: with(faults.Fault{When: acquired}, func(f *faults.Fault) { f.When.After = -1 }).When}},
		{"counted from 1", faults.Fault{Kind: faults.Pause, Host: "c1", When: faults.Mark{Host: "c1", Name: "acquired", Nth: -1}}},
		{"after the run's horizon of 1m0s", faults.Fault{Kind: faults.Pause, Host: "c1", At: at(time.Minute) + 1}},
		{"after the run's horizon of 1m0s", faults.Fault{Kind: faults.Pause, Host: "c1", At: clock.Forever}},
		{"after the run's horizon", faults.Fault{Kind: faults.Pause, Host: "c1", When: faults.Mark{Host: "c1", Name: "acquired", After: time.Minute + 1}}},

		{"a clock jumps by at most", faults.Fault{Kind: faults.Jump, Host: "n1", By: math.MaxInt64}},
		{"a clock jumps by at most", faults.Fault{Kind: faults.Jump, Host: "n1", By: math.MinInt64}},
		{"drifts by at most +450000ppm", faults.Fault{Kind: faults.Drift, Host: "n1", Rate: 450_001 * clock.PPM}},
		{"drifts by at most +450000ppm", faults.Fault{Kind: faults.Drift, Host: "n1", Rate: -450_001 * clock.PPM}},
		{"drifts by at most", faults.Fault{Kind: faults.Drift, Host: "n1", Rate: math.MinInt64}},
		{"its error must be one of READONLY, OOM", faults.Fault{Kind: faults.Refuse, Host: "n1", Reply: "ERR"}},
		{"c1 is no Redis node that runs by itself", faults.Fault{Kind: faults.Evict, Host: "c1"}},
		{"a slew ends by itself; leave out", faults.Fault{Kind: faults.Slew, Host: "n1", By: s, Rate: 1, For: s}},
		{"slewed at more than 0", faults.Fault{Kind: faults.Slew, Host: "n1", By: s}},
		{"slewed at more than 0", faults.Fault{Kind: faults.Slew, Host: "n1", By: s, Rate: -1}},
		{"at most +450000ppm", faults.Fault{Kind: faults.Slew, Host: "n1", By: s, Rate: 450_001 * clock.PPM}},
		{"can't take less time", with(link, func(f *faults.Fault) { f.By = -1 })},
		{"within the run's horizon of 1m0s; cut the link", with(link, func(f *faults.Fault) { f.By = time.Minute + 1 })},
		{"it names no host", faults.Fault{Kind: faults.Suspend}},
		{"it names no host", faults.Fault{Kind: faults.Crash}},
		{"it names no host", faults.Fault{Kind: faults.Strobe, By: s, Every: s}},
		{"it names no host", faults.Fault{Kind: faults.SlowNode, By: s, From: "c1", To: "n1"}},
		{"it names no host; write isolate HOST", faults.Fault{Kind: faults.Partition, Shape: faults.Isolate}},
		{"no such shape; there are groups, isolate, split", faults.Fault{Kind: faults.Partition, Shape: 5}},
		{"there are too few nodes; it takes three", faults.Fault{Kind: faults.Partition, Shape: faults.Ring}},
		{"there are too few nodes; it takes three", faults.Fault{Kind: faults.Partition, Shape: faults.Bridge}},
		{"there is no minority of 2 nodes; give three nodes or more", faults.Fault{Kind: faults.Pause, Host: faults.Minority}},
		{`no host is named "holdr"; there are n1, n2, c1, c2; did you mean holder?`, faults.Fault{Kind: faults.Pause, Host: "holdr"}},
		{`no host is named "n9"`, faults.Fault{Kind: faults.Partition, Shape: faults.Isolate, Host: "n9"}},
		{"any can't be used here: give a host, or a role", faults.Fault{Kind: faults.Pause, Host: faults.Any}},
		{"holder can't be used here: a mark needs a single host; name it, or write any for any client",
			faults.Fault{Kind: faults.Pause, Host: "c1", When: faults.Mark{Host: faults.Holder, Name: "acquired"}}},
		{"a-node can't be used here: the clock needs a single host", faults.Fault{Kind: faults.Pause, Host: "c1", For: s, On: faults.ANode}},
		{"any can't be used here: the clock needs a single host",
			faults.Fault{Kind: faults.Pause, Host: "c1", For: s, On: faults.Any, When: faults.Mark{Host: faults.Any, Name: "acquired"}}},
		{"it names host nodes twice", faults.Fault{Kind: faults.Partition, Groups: [][]string{{faults.Nodes}, {"c1", faults.Nodes}}}},
		{"it names n2 twice, because that is one of nodes", faults.Fault{Kind: faults.Partition, Groups: [][]string{{faults.Nodes}, {"n2"}}}},
		{"it names n2 twice, because that is one of nodes", faults.Fault{Kind: faults.Partition, Groups: [][]string{{"n2"}, {faults.Nodes}}}},
		{"it names majority twice, because that is one of nodes", faults.Fault{Kind: faults.Partition, Groups: [][]string{{faults.Majority}, {faults.Nodes}}}},
		{"it names holder twice, because that is one of clients", faults.Fault{Kind: faults.Partition, Groups: [][]string{{faults.Holder}, {faults.Clients}}}},
		{"it names c1 twice, because that is one of all", faults.Fault{Kind: faults.Partition, Groups: [][]string{{faults.All}, {"c1"}}}},
		{"an amount of 0", faults.Fault{Kind: faults.Strobe, Host: "n1", Every: s}},
		{"stepped forth by more than 0", faults.Fault{Kind: faults.Strobe, Host: "n1", By: -s, Every: s}},
		{"stepped forth by more than 0 and by at most", faults.Fault{Kind: faults.Strobe, Host: "n1", By: math.MaxInt64, Every: s}},
		{"too often; give 1ms or more", faults.Fault{Kind: faults.Strobe, Host: "n1", By: s, Every: ms - 1, For: s}},
		{"too often; give 1ms or more", faults.Fault{Kind: faults.Strobe, Host: "n1", By: s, Every: -s, For: s}},
		{"too often; give 1ms or more", faults.Fault{Kind: faults.Strobe, Host: "n1", By: s}},
		{"an amount of 0", faults.Fault{Kind: faults.SlowNode, Host: "n1"}},
		{"can't take less time", faults.Fault{Kind: faults.SlowNode, Host: "n1", By: -1}},
		{"within the run's horizon of 1m0s; cut the link", faults.Fault{Kind: faults.SlowNode, Host: "n1", By: time.Minute + 1}},
		{"from 0 to 1000000", with(link, func(f *faults.Fault) { f.Kind, f.Loss = faults.Lossy, -1 })},
		{"from 0 to 1000000", with(link, func(f *faults.Fault) { f.Kind, f.Loss = faults.Lossy, 1_000_001 })},
	} {
		err := faults.Schedule{{Kind: faults.Pause, Host: "c1"}, c.fault}.Check(cast, time.Minute)
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
	of := func(f faults.Fault, host string) faults.Fault { f.Host = host; return f }
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
		{faults.Schedule{drift, of(drift, faults.AClient)}, true},
		{faults.Schedule{drift, of(drift, faults.ANode)}, false},
		{faults.Schedule{of(drift, faults.All), of(drift, "n2")}, false},
		{faults.Schedule{of(drift, faults.Holder), of(drift, faults.Nodes)}, true},
		{faults.Schedule{of(drift, faults.Holder), of(drift, faults.AClient)}, false},
		{faults.Schedule{jump, {Kind: faults.Strobe, Host: "n1", By: 40 * 365 * 24 * time.Hour, Every: s}}, false},
		{faults.Schedule{of(jump, "n2"), {Kind: faults.Strobe, Host: "n1", By: 40 * 365 * 24 * time.Hour, Every: s}}, true},
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
			{Kind: faults.Pause, Host: host}, {Kind: faults.Restart, Host: host}, {Kind: faults.Jump, Host: host, By: -s},
			{Kind: faults.Drift, Host: host, Rate: -1}, {Kind: faults.Slew, Host: host, By: s, Rate: 1},
			{Kind: faults.Slew, Host: host, By: -s, Rate: 450_000 * clock.PPM},
			{Kind: faults.Cut, From: host, To: "n1"}, {Kind: faults.Hold, From: "n1", To: host},
			{Kind: faults.Slow, From: host, To: host, By: time.Minute}, {Kind: faults.Lossy, From: host, To: "n1", Loss: 1_000_000},
			{Kind: faults.Crash, Host: host}, {Kind: faults.Suspend, Host: host}, {Kind: faults.SlowNode, Host: host, By: 1},
			{Kind: faults.Strobe, Host: host, By: 1, Every: ms}, {Kind: faults.Partition, Shape: faults.Isolate, Host: host},
			{Kind: faults.Partition, Shape: faults.Split}, {Kind: faults.Pause, Host: host, When: faults.Mark{Host: faults.Any, Name: "here"}},
			{Kind: faults.Partition, Groups: [][]string{{host}, {"x"}, {"y"}}}, {Kind: faults.Pause, Host: host, At: at(time.Minute)},
			{Kind: faults.Pause, Host: host, When: faults.Mark{Host: "n1", Name: "no such mark", Nth: 99, After: time.Minute}},
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

// A strobe without an end continues to the horizon. A day of it is more than a run should bear.
func TestTooLongStrobeIsRejected(t *testing.T) {
	strobe := faults.Fault{Kind: faults.Strobe, Host: "n1", By: s, Every: ms}
	for _, c := range []struct {
		lasts, horizon time.Duration
		on             string
		ok             bool
	}{
		{0, 100 * s, "", true}, {0, 101 * s, "", false}, {100 * s, time.Hour, "", true}, {101 * s, time.Hour, "", false},
		{s, time.Hour, "n1", false}, {time.Hour, 100 * s, "", true},
	} {
		strobe.For, strobe.On = c.lasts, c.on
		if err := (faults.Schedule{strobe}).Check(cast, c.horizon); (err == nil) != c.ok {
			t.Errorf("%s, up to %s: %v", strobe, c.horizon, err)
		}
	}
}

func TestEachFaultThatIsWrongHasItsComplaint(t *testing.T) {
	wrong := faults.Fault{Kind: faults.Pause, Host: "n9"}
	late := faults.Fault{Kind: faults.Drift, Host: "n1", Rate: 300_000 * clock.PPM, At: at(time.Hour)} // adds up with nothing
	drift := faults.Fault{Kind: faults.Drift, Host: "n1", Rate: 300_000 * clock.PPM}
	schedule := faults.Schedule{wrong, late, {Kind: faults.Pause, Host: "c1"}, drift, wrong}
	var indices []int
	for _, c := range schedule.Complaints(cast, time.Minute) {
		indices = append(indices, c.Index)
	}
	if !slices.Equal(indices, []int{0, 1, 4}) {
		t.Errorf("complaints are of faults %v", indices)
	}
	err := schedule.Check(cast, time.Minute)
	if err == nil || strings.Count(err.Error(), "\n") != 2 || !strings.Contains(err.Error(), "\nfault 2 (at 3600s drift n1 +300000ppm): ") {
		t.Errorf("they are told as %v", err)
	}
}

// No fault could hit a host with the name of a role, and "for" would end its line.
func TestCheckRefusesACastThatAScheduleCannotName(t *testing.T) {
	for _, name := range slices.Concat(roles, []string{"", "any", "for", "at", "isolate", "split", "ring", "bridge", "a b", "a>b", "a|b", "a#b", "a=b", "a,b"}) {
		c := faults.Cast{Nodes: []string{"n1"}, Clients: []string{name}}
		got := (faults.Schedule{{Kind: faults.Pause, Host: "n9"}}).Complaints(c, time.Minute)
		if len(got) != 1 || got[0].Index != -1 || !strings.Contains(got[0].Err.Error(), "no host can be named") {
			t.Errorf("%q: %v", name, got)
		}
		if err := (faults.Schedule)(nil).Check(c, time.Minute); err == nil {
			t.Errorf("%q may be a host's name", name)
		}
	}
	twice := faults.Cast{Nodes: []string{"n1"}, Others: []string{"n1"}}
	if err := (faults.Schedule)(nil).Check(twice, 0); err == nil || !strings.Contains(err.Error(), `two hosts are named "n1"`) {
		t.Error(err)
	}
}

func TestCheckRejectsRolesWithoutHosts(t *testing.T) {
	nobody := faults.Cast{Others: []string{"s"}}
	for _, role := range []string{faults.Holder, faults.ANode, faults.AClient, faults.Minority, faults.Majority, faults.Nodes, faults.Clients} {
		if err := (faults.Schedule{{Kind: faults.Pause, Host: role}}).Check(nobody, 0); err == nil {
			t.Errorf("nobody is %s, and that is right", role)
		}
	}
	for shape := faults.Isolate; shape <= faults.Bridge; shape++ {
		f := faults.Fault{Kind: faults.Partition, Shape: shape, Host: faults.ANode}
		if err := (faults.Schedule{f}).Check(nobody, 0); err == nil {
			t.Errorf("%s parts nobody, and that is right", f)
		}
		if err := (faults.Schedule{f}).Check(crowd, 0); err != nil {
			t.Error(err)
		}
	}
	each := faults.Fault{Kind: faults.Partition, Groups: [][]string{{faults.ANode, faults.AClient}, {faults.ANode, faults.AClient}}}
	if err := (faults.Schedule{each}).Check(crowd, 0); err != nil {
		t.Errorf("two draws may be of two hosts: %v", err)
	}
	for _, role := range roles {
		if err := (faults.Schedule{{Kind: faults.Pause, Host: role}}).Check(crowd, 0); err != nil {
			t.Error(err)
		}
	}
}

// mostly draws what makes sense, and one time in eight something else.
func mostly[T any](sense, nonsense *rapid.Generator[T]) *rapid.Generator[T] {
	return rapid.OneOf(sense, sense, sense, sense, sense, sense, sense, nonsense)
}

// anything draws a fault with little thought for what makes sense.
func anything(t *rapid.T) faults.Fault {
	host := mostly(rapid.SampledFrom(slices.Concat(hosts, roles)), rapid.SampledFrom([]string{"", "n9", faults.Any}))
	wild := rapid.SampledFrom([]int64{-1, math.MaxInt64, math.MinInt64})
	span := mostly(rapid.Int64Range(0, int64(3*s)), wild)
	draw := func(name string) time.Duration { return time.Duration(span.Draw(t, name)) }
	f := faults.Fault{
		At: clock.Instant(draw("at")), For: draw("for"),
		Kind: mostly(rapid.Custom(kind), rapid.Just[*faults.Kind](nil)).Draw(t, "kind"), Every: draw("every"),
		Reply: mostly(rapid.SampledFrom(faults.Errors), rapid.Just("ERR")).Draw(t, "reply"),
		Shape: faults.Shape(mostly(rapid.IntRange(0, 2), rapid.IntRange(3, 5)).Draw(t, "shape")), OneWay: rapid.Bool().Draw(t, "one way"),
		Host: host.Draw(t, "host"), Clean: rapid.Bool().Draw(t, "clean"), By: draw("by"),
		Rate: clock.Rate(mostly(rapid.Int64Range(-500_000_000, 500_000_000), wild).Draw(t, "rate")),
		From: host.Draw(t, "from"), To: host.Draw(t, "to"), Loss: rapid.IntRange(-1, 1_000_001).Draw(t, "loss"),
		Groups: mostly(rapid.SampledFrom([][][]string{{{"n1", "c1"}, {"n2"}}, {{"holder"}, {"a-node"}, {"c1"}}}), rapid.SliceOfN(rapid.SliceOfN(host, 0, 2), 0, 3)).Draw(t, "groups"),
	}
	if rapid.Bool().Draw(t, "at a mark") {
		f.When = faults.Mark{
			Host: mostly(rapid.SampledFrom([]string{"c1", faults.Any}), host).Draw(t, "whose"), Name: mostly(rapid.Just("here"), rapid.Just("")).Draw(t, "mark"),
			Nth: rapid.IntRange(-1, 3).Draw(t, "nth"), After: draw("after"),
		}
	}
	return f
}

func kind(t *rapid.T) *faults.Kind { return rapid.SampledFrom(faults.Kinds).Draw(t, "kind") }

// A fault that Check accepts can be injected and can hit without a panic. It can also be written as text.
func TestFaultsThatPassCheckCanHappen(t *testing.T) {
	runs, struck := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		runs++
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
	if struck < runs/2 {
		t.Errorf("only %d faults struck in %d runs: too little is put to the test", struck, runs)
	}
}

// A mark that is never passed would leave its fault waiting for ever.
func TestUnknownMarkIsRejected(t *testing.T) {
	cast := faults.Cast{Nodes: []string{"n1"}, Others: []string{"s"}, Clients: []string{"c1"}, Marks: []string{"acquired", "released"}}
	for line, want := range map[string]string{
		"when c1 acquired pause c1":  "",
		"when any released pause c1": "",
		"when c1 acquires pause c1":  `there is no mark "acquires"; there are acquired, released; did you mean acquired?`,
		"when any xyzzy pause c1":    `there is no mark "xyzzy"; there are acquired, released`,
		"when n1 acquired pause c1":  "n1 passes no marks; name a client, or any",
		"when s acquired pause c1":   "s passes no marks; name a client, or any",
		"when n9 acquired pause c1":  `no host is named "n9"; there are n1, s, c1`,
	} {
		s, err := faults.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, c := range s.Complaints(cast, time.Minute) {
			got += c.Err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
