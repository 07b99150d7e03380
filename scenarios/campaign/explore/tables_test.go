package explore_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/explore"
)

// long reports whether the long proofs run too; CONTRIBUTING says what they are.
var long = os.Getenv("LOCKSTORM_LONG") == "1"

var update = flag.Bool("update", false, "write redlock.csv and flaws.csv again")

// A cell is one question to an exploration: redlock/small with these settings and bounds, and the smallest number of
// deviations that breaks the property; holds for none.
type cell struct {
	set      []string
	bounds   scenarios.Explore
	property string
	want     int
	dear     bool // it takes more than some seconds
}

const holds = -1

// answer explores, and checks that the counterexample repeats and that nothing of it can be left out.
func (c *cell) answer(t *testing.T) (v explore.Verdict, count explore.Extent) {
	t.Helper()
	u, rep := explored(t, func(x *scenarios.Explore) { *x = c.bounds }, c.set, c.property)
	v = rep.Verdicts[0]
	if want := c.want != holds; want != (v.Verdict == checker.Violated) || want && v.Level != c.want || v.Verdict == checker.Unknown {
		t.Errorf("%v: %s is %s, with %d: %s", c.set, c.property, v.Verdict, v.Level, v.Schedule)
	}
	if v.Verdict == checker.Violated {
		c.minimal(t, u, &v)
	}
	return v, rep.Counts[len(rep.Counts)-1]
}

// minimal runs the counterexample, which must break the property, and each schedule that lacks one line of it, which
// must not.
func (c *cell) minimal(t *testing.T, u *explore.Universe, v *explore.Verdict) {
	t.Helper()
	s := u.Counterexample(v)
	again, err := scenarios.Parse("again.yaml", s.Brief())
	if err != nil {
		t.Fatal(err)
	}
	if r := scenarios.Run(again, 1); r.Verdict != scenarios.Pass || !breaks(again, c.property) {
		t.Errorf("%v: the file does not repeat it: %s", c.set, r.Verdict)
	}
	all := again.Faults
	for i := range all {
		if again.Faults = slices.Delete(slices.Clone(all), i, i+1); breaks(again, c.property) {
			t.Errorf("%v: %s breaks without %s too", c.set, c.property, all[i])
		}
	}
}

// breaks reports whether a run breaks a property.
func breaks(s scenarios.Scenario, property string) bool {
	return slices.ContainsFunc(scenarios.Run(s, 1).Findings, func(f checker.Finding) bool {
		return f.Property == property && f.Verdict == checker.Violated
	})
}

// otherwise describes bounds in few words.
func otherwise(x *scenarios.Explore) string {
	var words []string
	if len(x.Late) > 0 {
		late := "late by " + join(x.Late)
		if len(x.Late) > 9 {
			late = fmt.Sprintf("late by each of %s to %s", x.Late[0], x.Late[len(x.Late)-1])
		}
		words = append(words, late)
	}
	if x.Behind {
		words = append(words, "behind")
	}
	if x.Lost {
		words = append(words, "lost")
	}
	text := ""
	if x.Deviations > 0 {
		text = fmt.Sprintf("%d × %s", x.Deviations, strings.Join(words, ", "))
	}
	if x.Most > 0 {
		at := ""
		if x.Ticks {
			at = ", at ticks too"
		}
		text += strings.Repeat("; ", min(x.Deviations, 1)) + fmt.Sprintf("%d × %s%s", x.Most, join(x.Faults), at)
	}
	return text
}

func join(values []scenarios.Value) string {
	var words []string
	for _, v := range values {
		words = append(words, string(v))
	}
	return strings.Join(words, ", ")
}

// verdict describes what an exploration found.
func verdict(v *explore.Verdict, c *explore.Extent) string {
	if v.Verdict != checker.Violated {
		return fmt.Sprintf("holds in %d schedules, %d states", c.Schedules, c.States)
	}
	return "breaks: " + lines(v.Schedule)
}

func lines(s faults.Schedule) string {
	if len(s) == 0 {
		return "without any"
	}
	return strings.ReplaceAll(strings.TrimSuffix(s.String(), "\n"), "\n", "; ")
}

func settings(set []string) string { return strings.Join(set, "; ") }

// inCSV wants the rows in a file. Rows that were not made, because they are dear, stay as they are.
func inCSV(t *testing.T, file string, rows [][]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	old, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		if row == nil && i < len(old) {
			rows[i] = old[i]
		}
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	switch {
	case bytes.Equal(b.Bytes(), text):
	case *update:
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not current: run this test with -update, and look at it\n%s", file, &b)
	}
}

var (
	anything = func(messages, strikes int, faults ...scenarios.Value) scenarios.Explore {
		return scenarios.Explore{Late: []scenarios.Value{"1ms", "6ms", "25ms"}, Behind: true, Lost: true, Deviations: messages, Most: strikes, Faults: faults}
	}
	only = func(strikes int, faults ...scenarios.Value) scenarios.Explore {
		return scenarios.Explore{Most: strikes, Faults: faults}
	}
	late = func(messages int, by ...scenarios.Value) scenarios.Explore {
		return scenarios.Explore{Late: by, Deviations: messages}
	}
	behind = func(messages int) scenarios.Explore { return scenarios.Explore{Behind: true, Deviations: messages} }
	lost   = func(messages int) scenarios.Explore { return scenarios.Explore{Lost: true, Deviations: messages} }
	each   = func() (all []scenarios.Value) {
		for i := range 25 {
			all = append(all, scenarios.Value(fmt.Sprintf("%dms", i+1)))
		}
		return all
	}()
)

// Settings that several rows share.
const (
	busy       = "work.work=18ms..18ms" // the holder stays until its validity ends
	sequential = "lock.contact=sequential"
	patient    = "lock.timeout=19ms"
	unchecked  = "lock.validity_check=false"
)

// The promises that Redlock keeps and the deviations that break it, each in all schedules within its bounds.
func TestRedlockKeepsAndBreaksWhatTheArgumentSays(t *testing.T) {
	rows := [][]string{{"property", "settings", "what may go otherwise", "verdict"}}
	fine := []string{"work.work=20ms..20ms", "network.tick=200µs", "network.latency=200µs..200µs", "lock.drift_constant=0s"} // and no allowance
	cut := func(faults ...scenarios.Value) scenarios.Explore {
		return scenarios.Explore{Behind: true, Deviations: 1, Most: 1, Faults: faults}
	}
	for i, c := range []cell{
		{nil, only(1, "pause clients for 25ms"), "belief", 1, false},
		{[]string{unchecked, sequential, patient}, late(2, "17ms"), "belief", 2, false},
		{[]string{unchecked, sequential, patient}, late(1, each...), "belief", holds, false},
		{[]string{unchecked, patient}, late(1, each...), "belief", holds, false},
		{[]string{sequential, patient}, late(2, "17ms"), "belief", holds, false},
		{[]string{busy}, anything(1, 1, "pause clients for 25ms"), "validity", holds, false},
		{[]string{busy}, anything(1, 1, "pause clients for 25ms"), "quorum", holds, false},
		{[]string{busy}, anything(2, 1, "pause clients for 25ms"), "validity", holds, true},
		{[]string{busy}, anything(2, 1, "pause clients for 25ms"), "quorum", holds, true},
		{[]string{busy}, anything(1, 1, "jump nodes +25ms"), "validity", 2, false},
		{[]string{busy}, anything(1, 1, "jump nodes +25ms"), "quorum", 2, false},
		{[]string{busy}, anything(1, 1, "restart nodes for 1ms"), "validity", 2, false},
		{[]string{busy}, anything(1, 1, "restart nodes for 1ms"), "quorum", 2, false},
		{[]string{busy}, anything(1, 1, "restart nodes for 17ms"), "quorum", 2, false},
		{[]string{busy}, anything(1, 1, "restart nodes for 18ms", "restart nodes for 19ms", "restart nodes for 20ms"), "quorum", holds, false},
		{[]string{busy}, anything(1, 1, "restart nodes for 20ms"), "validity", holds, false},
		{fine, cut("restart nodes for 19ms"), "quorum", 2, false},
		{fine, cut("restart nodes for 19600µs"), "quorum", 2, false},
		{fine, cut("restart nodes for 19800µs", "restart nodes for 20ms"), "quorum", holds, false},
		{[]string{busy}, only(2, "restart nodes for 20ms", "jump nodes +25ms"), "quorum", 2, false},
		{nil, anything(1, 1, "pause clients for 25ms"), "fenced", holds, false},
	} {
		if !long && (c.dear || i%5 > 0) {
			rows = append(rows, nil)
			continue
		}
		v, count := c.answer(t)
		rows = append(rows, []string{c.property, settings(c.set), otherwise(&c.bounds), verdict(&v, &count)})
	}
	inCSV(t, "redlock.csv", rows)
}

// Flaws of the lock that a universe of this size can show, each with the shortest schedule that does. The reference
// keeps the promise in the same universe, so it is the flaw that breaks it.
func TestExploringFindsFlawsOfTheLock(t *testing.T) {
	renewed := []string{"lock.renew.every=6ms", "lock.renew.attempts=2", "work.work=30ms..30ms"}
	rows := [][]string{{"mutant", "flaw", "settings", "what may go otherwise", "promise", "shortest schedule", "the reference keeps it in"}}
	for i, c := range []struct {
		mutants string // of the catalogue
		flaw    []string
		cell
	}{
		{"half-is-enough", []string{"lock.quorum=2"}, cell{[]string{"nodes=4"}, behind(2), "validity", 2, false}},
		{"elapsed-not-deducted, full-validity-after-late-votes", []string{"lock.deduct_elapsed=false"}, cell{[]string{busy}, only(1, "pause clients for 25ms"), "validity", 1, false}},
		{"elapsed-on-wall-clock", []string{"lock.clock=wall"}, cell{[]string{busy}, only(1, "jump clients -15ms"), "quorum", 1, false}},
		{"clock-blind-to-suspend", []string{"lock.clock=awake"}, cell{[]string{busy}, only(1, "suspend clients for 25ms"), "validity", 1, false}},
		{"no-drift-constant, no-drift-allowance", []string{"lock.drift_constant=0s"}, cell{[]string{busy}, scenarios.Explore{
			Lost: true, Deviations: 1, Most: 1, Ticks: true, Faults: []scenarios.Value{"drift nodes +60000ppm for 60ms"}}, "quorum", 2, false}},
		{"no-validity-check, no-validity-check-on-late-replies, no-validity-check-on-stalled-disks", []string{unchecked},
			cell{[]string{sequential, patient}, late(2, "17ms"), "belief", 2, false}},
		{"validity-before-last-reply", []string{"lock.counted=at-quorum"}, cell{[]string{"nodes=5", sequential, patient, busy}, late(2, "15ms"), "belief", 2, false}},
		{"blind-delete", []string{"lock.free=delete"}, cell{[]string{busy}, only(1, "pause clients for 25ms"), "validity", 0, false}},
		{"get-then-delete", []string{"lock.free=get-then-delete"}, cell{[]string{busy}, only(1, "pause clients for 8ms"), "quorum", 1, false}},
		{"get-then-set", []string{"lock.take=get-then-set"}, cell{[]string{busy}, only(1, "pause clients for 25ms"), "validity", 0, false}},
		{"setnx-then-expire", []string{"lock.take=setnx-then-expire"}, cell{nil, only(1, "crash clients for 3ms"), "leak-free", 1, false}},
		{"absolute-expiry", []string{"lock.take=set-nx-pxat"}, cell{[]string{busy}, only(1, "jump clients -15ms"), "quorum", 1, false}},
		{"token-reused", []string{"lock.fresh_token=false"}, cell{[]string{busy}, late(2, "15ms", "25ms"), "quorum", 2, false}},
		{"no-cleanup", []string{"lock.cleanup=none"}, cell{nil, behind(1), "leak-free", 1, false}},
		{"cleanup-where-answered", []string{"lock.cleanup=answered"}, cell{nil, lost(2), "leak-free", 2, false}},
		{"cleanup-abandoned", []string{"lock.own_time=false"}, cell{[]string{"lock.patience=5ms"}, lost(2), "leak-free", 2, false}},
		{"extend-recreates", []string{"lock.renew.compare=false", "lock.renew.check=false"}, cell{renewed, only(1, "pause clients for 25ms"), "continuity", 1, false}},
		{"failed-extension-releases", []string{"lock.renew.keep_failed=false"}, cell{renewed, lost(2), "belief", 2, false}},
		{"extend-without-validity", []string{"lock.renew.check=false", "lock.deduct_elapsed=false"}, cell{renewed, only(1, "pause clients for 25ms"), "validity", 1, false}},
		{"deadline-before-confirmation", []string{"lock.renew.confirm=false"}, cell{renewed, lost(2), "quorum", 2, false}},
		{"extend-without-quorum", []string{"lock.renew.quorum=false"}, cell{renewed, lost(2), "quorum", 2, false}},
		{"reads-do-not-mark", []string{"fencing.reads_mark=false"}, cell{nil, late(1, each...), "fenced", 1, false}},
	} {
		if !long && i%6 > 0 {
			rows = append(rows, nil)
			continue
		}
		reference := c.cell
		reference.want = holds
		_, kept := reference.answer(t)
		universe := settings(c.set)
		c.set = slices.Concat(c.set, c.flaw)
		v, _ := c.answer(t)
		rows = append(rows, []string{c.mutants, settings(c.flaw), universe, otherwise(&c.bounds), c.property, lines(v.Schedule), strconv.Itoa(kept.Schedules)})
	}
	inCSV(t, "flaws.csv", rows)
}
