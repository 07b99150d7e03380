package faults_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
)

func TestEachFaultReadsAsTheLanguageSays(t *testing.T) {
	for _, c := range []struct {
		text  string
		fault faults.Fault
	}{
		{"at 1.2s for 300ms pause c2", faults.Fault{Kind: faults.Pause, At: at(1200 * ms), For: 300 * ms, Host: "c2"}},
		{"at 0s pause c2", faults.Fault{Kind: faults.Pause, Host: "c2"}},
		{"at 0.0000015s for 1.5µs pause c2", faults.Fault{Kind: faults.Pause, At: 1500, For: 1500, Host: "c2"}},
		{"at 2s for 1m30s restart n1", faults.Fault{At: at(2 * s), For: 90 * s, Kind: faults.Restart, Host: "n1"}},
		{"at 2s for 1s restart n1 cleanly", faults.Fault{At: at(2 * s), For: s, Kind: faults.Restart, Host: "n1", Clean: true}},
		{"at 3.5s jump n3 +11s", faults.Fault{At: at(3500 * ms), Kind: faults.Jump, Host: "n3", By: 11 * s}},
		{"at 3.5s jump n3 -11s", faults.Fault{At: at(3500 * ms), Kind: faults.Jump, Host: "n3", By: -11 * s}},
		{"at 3.5s jump n3 +0s", faults.Fault{At: at(3500 * ms), Kind: faults.Jump, Host: "n3"}},
		{"at 3.1s drift n4 +800ppm", faults.Fault{At: at(3100 * ms), Kind: faults.Drift, Host: "n4", Rate: 800 * clock.PPM}},
		{"at 3.1s drift n4 -0.5ppm", faults.Fault{At: at(3100 * ms), Kind: faults.Drift, Host: "n4", Rate: -500}},
		{"at 1s slew n4 -10ms at 500ppm",
			faults.Fault{At: at(s), Kind: faults.Slew, Host: "n4", By: -10 * ms, Rate: 500 * clock.PPM}},
		{"at 2s for 4s partition c1 n1 n2 | n3 n4 n5", faults.Fault{At: at(2 * s), For: 4 * s, Kind: faults.Partition,
			Groups: [][]string{{"c1", "n1", "n2"}, {"n3", "n4", "n5"}}}},
		{"at 0s partition a | b | c d", faults.Fault{Kind: faults.Partition, Groups: [][]string{{"a"}, {"b"}, {"c", "d"}}}},
		{"at 0s partition c1 c2 > n1 n2", faults.Fault{Kind: faults.Partition, OneWay: true, Groups: [][]string{{"c1", "c2"}, {"n1", "n2"}}}},
		{"at 0s partition a > b > c", faults.Fault{Kind: faults.Partition, OneWay: true, Groups: [][]string{{"a"}, {"b"}, {"c"}}}},
		{"at 0s partition minority | majority", faults.Fault{Kind: faults.Partition, Groups: [][]string{{faults.Minority}, {faults.Majority}}}},
		{"at 0s partition isolate n3", faults.Fault{Kind: faults.Partition, Shape: faults.Isolate, Host: "n3"}},
		{"at 0s partition split", faults.Fault{Kind: faults.Partition, Shape: faults.Split}},
		{"at 0s partition ring", faults.Fault{Kind: faults.Partition, Shape: faults.Ring}},
		{"at 0s for 2s partition bridge", faults.Fault{Kind: faults.Partition, Shape: faults.Bridge, For: 2 * s}},
		{"at 0s crash c1", faults.Fault{Kind: faults.Crash, Host: "c1"}},
		{"at 0s for 3s crash c1", faults.Fault{Kind: faults.Crash, Host: "c1", For: 3 * s}},
		{"at 0s for 15s suspend holder", faults.Fault{Kind: faults.Suspend, Host: faults.Holder, For: 15 * s}},
		{"at 0s for 2s strobe n3 200ms every 50ms", faults.Fault{Kind: faults.Strobe, Host: "n3", By: 200 * ms, Every: 50 * ms, For: 2 * s}},
		{"at 0s slow-node n3 by 200ms", faults.Fault{Kind: faults.SlowNode, Host: "n3", By: 200 * ms}},
		{"when any acquired 2nd cut holder>s for 1s", faults.Fault{
			When: faults.Mark{Host: faults.Any, Name: "acquired", Nth: 2}, Kind: faults.Cut, From: faults.Holder, To: "s", For: s}},
		{"at 0s for 1s cut c1>n1", faults.Fault{For: s, Kind: faults.Cut, From: "c1", To: "n1"}},
		{"at 0s for 1s hold c1>n1", faults.Fault{For: s, Kind: faults.Hold, From: "c1", To: "n1"}},
		{"at 0s for 1s slow c1>n1 by 30ms", faults.Fault{For: s, Kind: faults.Slow, From: "c1", To: "n1", By: 30 * ms}},
		{"at 0s for 1s lossy c1>n1 20000ppm", faults.Fault{For: s, Kind: faults.Lossy, From: "c1", To: "n1", Loss: 20_000}},
		{"when c1 acquired pause c1 for 15s", faults.Fault{Kind: faults.Pause, When: faults.Mark{Host: "c1", Name: "acquired"}, For: 15 * s, Host: "c1"}},
		{"when c1 acquired pause c1", faults.Fault{Kind: faults.Pause, When: faults.Mark{Host: "c1", Name: "acquired"}, Host: "c1"}},
		{"when c1 acquired pause c1", faults.Fault{Kind: faults.Pause, When: faults.Mark{Host: "c1", Name: "acquired", Nth: 1}, Host: "c1", At: 5}},
		{"when c1 before-write 2nd +10ms hold c1>s for 15s", faults.Fault{
			When: faults.Mark{Host: "c1", Name: "before-write", Nth: 2, After: 10 * ms}, For: 15 * s, Kind: faults.Hold, From: "c1", To: "s"}},
	} {
		if got := c.fault.String(); got != c.text {
			t.Errorf("got  %s\nwant %s", got, c.text)
		}
		if !strings.Contains(c.text, c.fault.What()) || strings.HasPrefix(c.fault.What(), "at ") {
			t.Errorf("%q: what it does is told as %q", c.text, c.fault.What())
		}
	}
}

func TestAScheduleIsAFaultALine(t *testing.T) {
	both := faults.Schedule{{Kind: faults.Pause, Host: "c1"}, {Kind: faults.Restart, Host: "n1", For: s}}
	if got, want := both.String(), "at 0s pause c1\nat 0s for 1s restart n1\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (faults.Schedule)(nil).String(); got != "" {
		t.Errorf("no faults are told as %q", got)
	}
}

func TestOrdinals(t *testing.T) {
	for n, want := range map[int]string{
		0: "c1 m", 1: "c1 m", 2: "c1 m 2nd", 3: "c1 m 3rd", 4: "c1 m 4th", 10: "c1 m 10th", 11: "c1 m 11th", 12: "c1 m 12th",
		13: "c1 m 13th", 20: "c1 m 20th", 21: "c1 m 21st", 22: "c1 m 22nd", 23: "c1 m 23rd", 101: "c1 m 101st",
		111: "c1 m 111th", 112: "c1 m 112th", 1013: "c1 m 1013th", 1021: "c1 m 1021st",
	} {
		if got := (faults.Mark{Host: "c1", Name: "m", Nth: n}).String(); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}

func TestKindsKeepTheirPlaces(t *testing.T) {
	const want = "pause suspend crash restart jump drift slew strobe partition cut hold slow slow-node lossy stall-disk"
	if got := strings.ReplaceAll(kinds, ",", ""); !strings.HasPrefix(got, want) {
		t.Errorf("rows of campaigns number them: got %s, want %s", got, want)
	}
	if f := (faults.Fault{}); f.String() != "at 0s no kind" {
		t.Errorf("what is no kind is written %q", f)
	}
	if s := faults.Shape(200); s.String() != "shape 200" || faults.Grouped.String() != "groups" {
		t.Errorf("what is no shape is called %q, and groups are called %q", s, faults.Grouped)
	}
}

// Faults of links leave hosts and clocks alone: pictures draw them between hosts.
func TestKindsOfLinks(t *testing.T) {
	var got []string
	for _, k := range faults.Kinds {
		if k.Links {
			got = append(got, k.Name)
		}
	}
	if want := "partition cut hold slow slow-node lossy"; !strings.HasPrefix(strings.Join(got, " "), want) {
		t.Errorf("got %s, want %s and newer kinds", strings.Join(got, " "), want)
	}
}
