package scenarios_test

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// everyFault is a scenario with a fault of each kind, at an instant and at a mark.
func everyFault() scenarios.Scenario {
	s := scenarios.Base()
	s.ID = "every fault"
	for _, k := range faults.Kinds {
		f := faults.Fault{
			At: 1e9, Kind: k, Host: "c1", From: "c1", To: "n1", By: time.Second, Every: time.Second, Rate: 500 * clock.PPM, Loss: 1000,
			Groups: [][]string{{"c1"}, {"n1"}},
		}
		s.Faults = append(s.Faults, f)
		f.When = faults.Mark{Host: "c1", Name: "acquired"}
		s.Faults = append(s.Faults, f)
	}
	return s
}

// subjects are the scenarios whose settings are put to the test.
func subjects() []scenarios.Scenario {
	some := []scenarios.Scenario{everyFault()}
	for i, s := range scenarios.Catalogue() {
		if i%8 == 0 {
			some = append(some, s)
		}
	}
	return some
}

// snapshot copies a scenario with everything that it points to.
func snapshot(s scenarios.Scenario) scenarios.Scenario {
	s.Faults, s.Clocks = slices.Clone(s.Faults), slices.Clone(s.Clocks)
	s.Expect, s.Sometimes = slices.Clone(s.Expect), slices.Clone(s.Sometimes)
	return s
}

// same reports whether two scenarios are equal. Scenarios of the catalogue have no functions, which can't be compared.
func same(a, b scenarios.Scenario) bool { return reflect.DeepEqual(a, b) }

func TestSettingAcceptsItsOwnValue(t *testing.T) {
	for _, s := range subjects() {
		before, seen := snapshot(s), map[string]bool{}
		for _, k := range scenarios.Settings(&s) {
			if err := s.Set(k.Key + "=" + k.Get(&s)); err != nil {
				t.Errorf("%s: %v", s.ID, err)
			}
			s.Search.Vary = before.Search.Vary // a search does not vary what is set
			if !same(s, before) {
				t.Fatalf("%s: setting %s to what it is changed the scenario", s.ID, k.Key)
			}
			if seen[k.Key] || k.Key == "" || k.Form == "" || k.Doc == "" {
				t.Errorf("%s: setting %q stands there twice, or says too little: %+v", s.ID, k.Key, k)
			}
			seen[k.Key] = true
		}
	}
}

// other returns a value unlike the setting's current one.
func other(k scenarios.Setting, s *scenarios.Scenario) string {
	now := k.Get(s)
	for _, v := range slices.Concat(strings.Split(k.Form, "|"), []string{"7", "1.5s", "2.5s", "2.5s..3.5s", "0.25", "+7ppm", "n1"}) {
		scratch := snapshot(*s)
		if v != now && scratch.Set(k.Key+"="+v) == nil {
			return v
		}
	}
	return ""
}

func TestEachSettingChangesOnlyItsValue(t *testing.T) {
	for _, s := range subjects() {
		settings := scenarios.Settings(&s)
		for i, k := range settings {
			changed, value := snapshot(s), other(k, &s)
			if value == "" {
				t.Errorf("%s: no other value of %s is found", s.ID, k.Key)
				continue
			}
			if k.Key == "lock.kind" { // which brings along what a lock of the kind runs on
				continue
			}
			if err := changed.Set(k.Key + "=" + value); err != nil || same(changed, s) {
				t.Errorf("%s: %s=%s changed nothing: %v", s.ID, k.Key, value, err)
			}
			for j, l := range settings {
				if now := l.Get(&changed); (now == l.Get(&s)) == (i == j) {
					t.Errorf("%s: after %s=%s, %s is %s and was %s", s.ID, k.Key, value, l.Key, now, l.Get(&s))
				}
			}
			err := changed.Set(k.Key + "=" + k.Get(&s))
			if changed.Search.Vary = s.Search.Vary; err != nil || !same(changed, s) { // a search does not vary what is set
				t.Errorf("%s: %s can't be set back: %v", s.ID, k.Key, err)
			}
		}
	}
}

// Most settings must show in the run: one that no run notices is wired to nothing.
func TestEachSettingIsNoticedByTheRun(t *testing.T) {
	stage := scenarios.Base()
	stage.Clients, stage.Nodes, stage.Network.Loss, stage.Work.Cycles = 3, 3, 100_000, 3
	stage.Fencing.Node = 1
	stage.Lock.TTL, stage.Horizon = 100*time.Millisecond, 2*time.Second
	stage.Work.Work = sim.Range{Min: 60 * time.Millisecond, Max: 120 * time.Millisecond}
	const later = clock.Instant(400 * time.Millisecond)
	stage.Faults = faults.Schedule{
		{Kind: faults.Pause, Host: "c1", When: faults.Mark{Host: "c1", Name: "answered"}, For: 200 * time.Millisecond},
		{Kind: faults.Restart, Host: "n1", At: clock.Instant(200 * time.Millisecond), For: 50 * time.Millisecond},
		{Kind: faults.Jump, Host: "n1", At: clock.Instant(300 * time.Millisecond), By: time.Second, For: time.Millisecond},
		{Kind: faults.Jump, Host: "c2", When: faults.Mark{Host: "c2", Name: "acquired"}, By: -50 * time.Millisecond, For: time.Second},
		{Kind: faults.Slow, From: "c1", To: "n1", By: 5 * time.Millisecond, For: time.Second},
		{Kind: faults.Lossy, From: "c2", To: "n1", Loss: 500_000, For: time.Second},
		{Kind: faults.Slew, Host: "c2", By: 100 * time.Millisecond, Rate: 100_000 * clock.PPM},
		{Kind: faults.Drift, Host: "c1", At: later, Rate: 90_000 * clock.PPM, For: time.Second},
		{Kind: faults.Strobe, Host: "n1", At: later, By: 50 * time.Millisecond, Every: 10 * time.Millisecond, For: 500 * time.Millisecond},
		{Kind: faults.SlowNode, Host: "n2", At: later, By: time.Millisecond, For: time.Second},
	}
	stage.Clocks = []scenarios.Rate{{Host: "n1", By: 100_000 * clock.PPM}}                             // so that it matters whose clock counts
	stage.Explore = scenarios.Explore{Lost: true, Faults: []scenarios.Value{"pause clients for 30ms"}} // allowed
	// The settings that each needs to be noticed at all.
	needs := map[string][]string{
		"fencing.node": {"fencing.source=node"}, "lock.retry.max": {"lock.retry.min=0s"},
		"network.tick": {"network.latency=2ms..2ms"}, "work.recheck": {"work.stop_at_deadline=false"}, "work.storage_timeout": {"work.stop_at_deadline=false"},
	}
	values := map[string]string{
		"clients": "2", "nodes": "4", "lock.quorum": "1", "fencing.node": "2", "lock.retry.attempts": "1", "lock.ttl": "1s", "lock.timeout": "3ms",
		"lock.drift_factor": "0.25", "lock.extends": "0.25", "lock.drift_constant": "20ms", "work.storage_timeout": "1ms", "horizon": "410ms", "steps": "200",
		"lock.retry.min": "100ms", "lock.retry.max": "500ms", "work.stagger": "5ms", "work.cycles": "2", "fault.5.by": "50ms",
		"network.loss": "0.25", "network.tick": "2ms", "fault.6.loss": "0.25", "fault.7.rate": "+50000ppm", "fault.8.rate": "-90000ppm",
	}
	// Interpreting a script must change nothing: that is its promise.
	quiet := []string{"interpret", "search.most", "search.within", "search.away", "search.stays",
		"explore.behind", "explore.lost", "explore.deviations", "explore.unbounded", "explore.most", "explore.ticks",
		// No run on this stage can break these rules. Each has a mutant in the catalogue that shows it matters.
		"lock.own_time", "lock.renew.attempts", "lock.renew.compare", "lock.renew.quorum", "lock.renew.check", "lock.renew.confirm",
		"lock.renew.adds", "lock.extends", "lock.renew.keep_failed", "lock.renew.stop_at_release", "fencing.check", "fencing.reads_mark",
		"storage.engine"} // the database answers as the register does
	for _, k := range scenarios.Settings(&stage) {
		if ofOthers.MatchString(k.Key) {
			continue
		}
		before := snapshot(stage)
		for _, set := range needs[k.Key] {
			if err := before.Set(set); err != nil {
				t.Fatal(err)
			}
		}
		after, value := snapshot(before), values[k.Key]
		switch {
		case strings.HasSuffix(k.Key, ".on"):
			value = "n1"
		case value == "":
			value = other(k, &before)
		}
		if err := after.Set(k.Key + "=" + value); err != nil {
			t.Fatal(err)
		}
		if err := after.Check(); err != nil {
			t.Fatalf("%s=%s: %v", k.Key, value, err)
		}
		if noticed := differ(&before, &after); noticed == slices.Contains(quiet, k.Key) {
			t.Errorf("%s=%s instead of %s: noticed is %t", k.Key, value, k.Get(&before), noticed)
		}
	}
}

// differ reports whether the runs differ for one of a few seeds.
func differ(a, b *scenarios.Scenario) bool {
	for seed := range uint64(20) {
		if scenarios.Run(*a, seed).Hash() != scenarios.Run(*b, seed).Hash() {
			return true
		}
	}
	return false
}

func TestWrongValueIsRejectedWithoutChange(t *testing.T) {
	for _, s := range subjects() {
		before := snapshot(s)
		for i, k := range scenarios.Settings(&s) {
			for j, v := range []string{"", " ", "x", "-", "+", ".", "..", "1e3", "0x10", "1_000", "TRUE", "yes", "1s..", "..1s", "s", "10",
				"99999999999999999999", "99999999999999999999s", "0.0000001", "1.2.3", " 1s", "1s ", "\x00", "true,false", "true|false"} {
				if accepted(k.Form, v) || !long && (i+j)%4 > 0 {
					continue
				}
				err := s.Set(k.Key + "=" + v)
				if err == nil || !strings.HasPrefix(err.Error(), k.Key+": ") || strings.Contains(err.Error(), "\n") {
					t.Errorf("%s=%q: %v", k.Key, v, err)
				}
				if !same(s, before) {
					t.Fatalf("%s=%q changed the scenario", k.Key, v)
				}
			}
		}
	}
}

// accepted reports whether a value of that list is one of the few that are right for some setting.
func accepted(form, v string) bool {
	return v == "10" && (form == "whole number" || strings.HasPrefix(form, "fraction")) ||
		strings.HasPrefix(form, "host") && slices.Contains([]string{"x", "s", "-"}, v)
}

func TestUnknownSettingIsRejected(t *testing.T) {
	s := find(t, "kleppmann/gc-pause")
	before := snapshot(s)
	for set, says := range map[string]string{
		"":                 "write KEY=VALUE",
		"lock.ttl":         "write KEY=VALUE",
		"=":                `there is no setting ""`,
		"=5s":              `there is no setting ""`,
		"lock.tll=5s":      "did you mean lock.ttl?",
		"LOCK.TTL=5s":      "did you mean lock.ttl?",
		"ttl=5s":           "did you mean lock.ttl?",
		"fault.0.for=1s":   `there is no setting "fault.0.for"; did you mean fault.1.for`,
		"fault.2.for=1s":   `there is no setting "fault.2.for"; did you mean fault.1.for`,
		"fault.1.at=1s":    `there is no setting "fault.1.at"`, // it waits for a mark
		"fault.1.by=1s":    `there is no setting "fault.1.by"`, // it is a pause
		"fault.1.loss=1":   `there is no setting "fault.1.loss"`,
		"lock.kind=redlok": `lock.kind: there is no kind "redlok"; did you mean redlock`,
		" lock.ttl=5s":     `there is no setting " lock.ttl"; did you mean lock.ttl?`,
		"xyzzy-plugh=yes":  `there is no setting "xyzzy-plugh"`,
	} {
		if err := s.Set(set); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v\nwant %s", set, err, says)
		}
	}
	if !same(s, before) {
		t.Error("it changed the scenario")
	}
}

// The faults of a search can be set, though no list has the setting: a matrix does it.
func TestFaultsOfASearchCanBeSet(t *testing.T) {
	s := scenarios.Base()
	before := snapshot(s)
	for _, value := range []string{"delay,slow-node", "pause", "none"} {
		if err := s.Set("search.faults=" + value); err != nil {
			t.Fatal(err)
		}
		k, err := scenarios.Lookup(&s, "search.faults")
		if got := strings.Join(s.Search.Faults, ","); err != nil || k.Get(&s) != value || got != strings.TrimPrefix(value, "none") {
			t.Errorf("after %s it is %s and shows %s", value, got, k.Get(&s))
		}
	}
	if !same(s, before) {
		t.Error("none is not what it was")
	}
	for _, value := range []string{"", "puase", "delay,", "none,delay"} {
		if err := s.Set("search.faults=" + value); err == nil || !strings.Contains(err.Error(), "is not a list of classes or kinds of faults such as delay,loss; or none") {
			t.Errorf("%q: %v", value, err)
		}
	}
}

// Scenarios are values: who copies one and changes the copy must not change the original behind its back.
func TestSettingACopyLeavesTheOriginal(t *testing.T) {
	for _, s := range subjects() {
		before := snapshot(s)
		for _, k := range scenarios.Settings(&s) {
			duplicate := s
			if err := duplicate.Set(k.Key + "=" + other(k, &s)); err != nil {
				t.Error(err)
			}
			if !same(s, before) {
				t.Fatalf("%s: setting %s in a copy changed the original", s.ID, k.Key)
			}
		}
	}
}

func TestSharesAreReadAndShownToTheMillionth(t *testing.T) {
	for _, c := range []struct {
		text  string
		want  int64
		shown string
	}{
		{"0.01", 10_000, "0.01"}, {"0", 0, "0"}, {"1", 1_000_000, "1"}, {"1.", 1_000_000, "1"}, {".5", 500_000, "0.5"},
		{"0.000001", 1, "0.000001"}, {"0.100000", 100_000, "0.1"}, {"-0.5", -500_000, "-0.5"}, {"-.5", -500_000, "-0.5"},
		{"-1.5", -1_500_000, "-1.5"}, {"-0", 0, "0"}, {"+1", 1_000_000, "1"}, {"+.25", 250_000, "0.25"}, {"007", 7_000_000, "7"},
		{"10", 10_000_000, "10"}, {"100.000001", 100_000_001, "100.000001"}, {"-0.000001", -1, "-0.000001"},
		{"9223372036854.775807", math.MaxInt64, "9223372036854.775807"}, {"-9223372036854.775808", math.MinInt64, "-9223372036854.775808"},
	} {
		s := scenarios.Base()
		if err := s.Set("network.loss=" + c.text); err != nil || int64(s.Network.Loss) != c.want {
			t.Errorf("%s is read as %d, %v; want %d", c.text, s.Network.Loss, err, c.want)
		}
		if got := show(&s, "network.loss"); got != c.shown {
			t.Errorf("%d is shown as %s, want %s", c.want, got, c.shown)
		}
	}
	for _, wrong := range []string{"", ".", "-", "+", "-.", "+.", "1.2.3", "1..2", "0.0000001", "1.-5", "1.+5", ".-5", ".+5", "--1", "1e-3", "½", "9223372036854.775808",
		"9223372036855", strings.Repeat("9", 400), "0." + strings.Repeat("0", 400)} {
		s := scenarios.Base()
		if err := s.Set("network.loss=" + wrong); err == nil {
			t.Errorf("%q is read as %d", wrong, s.Network.Loss)
		}
	}
}

// show returns a setting's value.
func show(s *scenarios.Scenario, key string) string {
	for _, k := range scenarios.Settings(s) {
		if k.Key == key {
			return k.Get(s)
		}
	}
	return "no setting"
}

func TestEveryShareSurvivesItsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := scenarios.Base()
		s.Network.Loss = locks.Share(rapid.OneOf(rapid.IntRange(-2_000_000, 2_000_000), rapid.Int()).Draw(t, "loss"))
		text, want := show(&s, "network.loss"), s.Network.Loss
		s.Network.Loss = 17
		if err := s.Set("network.loss=" + text); err != nil || s.Network.Loss != want {
			t.Fatalf("%d is shown as %s, which is read as %d: %v", want, text, s.Network.Loss, err)
		}
	})
}

func TestNoTextBreaksASetting(t *testing.T) {
	s := everyFault()
	settings := scenarios.Settings(&s)
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom(settings).Draw(t, "setting")
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[-+]?[0-9]{0,25}\.{0,2}[0-9]{0,8}(s|ms|h)?(\.\.[0-9]{0,20}s)?`)).Draw(t, "text")
		changed := s
		if changed.Set(k.Key+"="+text) == nil {
			if err := changed.Set(k.Key + "=" + k.Get(&changed)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestExtents(t *testing.T) {
	for text, want := range map[string]sim.Range{
		"1ms..20ms": {Min: time.Millisecond, Max: 20 * time.Millisecond}, "5s": {Min: 5 * time.Second, Max: 5 * time.Second},
		"0s..0s": {}, "0..1s": {Max: time.Second}, "1.5s..2.5s": {Min: 1500 * time.Millisecond, Max: 2500 * time.Millisecond},
		"2s..1s":  {Min: 2 * time.Second, Max: time.Second}, // Check rejects it
		"-1s..1s": {Min: -time.Second, Max: time.Second}, "1m30s..1h": {Min: 90 * time.Second, Max: time.Hour},
	} {
		s := scenarios.Base()
		if err := s.Set("work.work=" + text); err != nil || s.Work.Work != want {
			t.Errorf("%s is read as %v, %v", text, s.Work.Work, err)
		}
	}
	for _, wrong := range []string{"", "..", "1s..", "..1s", "1s..2s..3s", "1s...2s3", "1..2", "1s-2s", "1s,2s", "1s .. 2s"} {
		s := scenarios.Base()
		if err := s.Set("work.work=" + wrong); err == nil || s.Work.Work != scenarios.Base().Work.Work {
			t.Errorf("%q is read as %v, %v", wrong, s.Work.Work, err)
		}
	}
}

func TestUnnamedValueIsShownAsANumber(t *testing.T) {
	s := scenarios.Base()
	s.Lock.Kind, s.Fencing.Source, s.Persistence = 77, 78, 79
	for key, want := range map[string]string{"lock.kind": "77", "fencing.source": "78", "persistence": "79"} {
		if got := show(&s, key); got != want {
			t.Errorf("%s is shown as %s, want %s", key, got, want)
		}
	}
}

func TestAFaultMayBeNamedByItsKindWhereItIsTheOnlyOne(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	if err := s.Set("pause.for=3s"); err != nil || s.Faults[0].For != 3*time.Second {
		t.Errorf("%v, and it lasts %s", err, s.Faults[0].For)
	}
	if k, err := scenarios.Lookup(&s, "pause.for"); err != nil || k.Key != "fault.1.for" {
		t.Errorf("it is %q", k.Key)
	}
	s.Faults = append(s.Faults, s.Faults[0])
	for key, want := range map[string]string{
		"pause.for":  `"pause.for" may mean fault.1.for or fault.2.for; say which`,
		"jump.by":    `there is no setting "jump.by"`,
		"pause.four": `"pause.four" may mean`,
	} {
		if err := s.Set(key + "=3s"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", key, err, want)
		}
	}
}
