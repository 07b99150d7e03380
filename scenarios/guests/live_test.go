package guests_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

var (
	liveRuns     = flag.Int("live", 2, "with -update: how many live runs of each scenario to make")
	liveParallel = flag.Int("parallel", 1, "with -update: how many live runs to make at once")
)

// TestMain lets the test binary be the clients and the watchdog of live runs.
func TestMain(m *testing.M) {
	if !live.Main(os.Args[1:]) {
		os.Exit(m.Run())
	}
}

// onServers are the scenarios that are run live too: one or two of each kind of fault.
var onServers = []string{
	"antirez/majority-crash", "antirez/one-node-steps", "distlock/blind-delete", "distlock/even-nodes", "distlock/extend-after-expiry",
	"distlock/late-release", "distlock/one-node-forgets", "distlock/partition-after-acquire", "distlock/single-point-of-failure",
	"distlock/slow-last-reply", "distlock/slow-node", "distlock/slow-replies", "kleppmann/clock-jump", "kleppmann/crash-restart",
	"kleppmann/delayed-reply", "kleppmann/delayed-write", "kleppmann/disk-stall", "kleppmann/gc-pause", "kleppmann/pause-after-check",
	"kleppmann/pause-before-reply", lateRelease,
}

// lateRelease is the scenario of finding 15, which the catalogue does not have.
const lateRelease = "redsync-late-release"

// enterLive puts a library into a scenario that is run live too.
func enterLive(l *guests.Library, id string) (s scenarios.Scenario, err error) {
	if id != lateRelease {
		return enter(l, id)
	}
	if l.Kind != scenarios.Redlock {
		return s, errOneNode
	}
	file := "findings/" + id + ".yaml"
	text, err := os.ReadFile(file)
	if err == nil {
		s, err = scenarios.Parse(file, text)
	}
	return s, errors.Join(err, l.Fit(&s))
}

// wholeTimes is the scale of live runs: a library's own timeouts keep their ratio to the lock's times.
const wholeTimes live.Scale = 1000

// longest is how long a live run may take: a call that hangs would take all of the horizon.
const longest = 2 * time.Minute

// narrow are the scenarios whose gaps no machine keeps at whole times: their scale depends on the machine's lateness.
var narrow = []string{"distlock/late-release"}

// A liveRow is the outcome of live runs of a scenario.
type liveRow struct {
	Scenario string `json:"scenario"`
	live.Verdicts
}

// A liveTable is the outcome of live runs with a library. It is kept in testdata/live.
type liveTable struct {
	Versions []string
	Rows     []liveRow
}

func liveFile(name string) string { return "testdata/live/" + name + ".json" }

// loadLive reads the outcome of live runs; it is empty if no runs exist.
func loadLive(t *testing.T, name string) (all liveTable) {
	t.Helper()
	b, err := os.ReadFile(liveFile(name))
	if err == nil {
		err = json.Unmarshal(b, &all)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return all
}

// row returns the row of a scenario.
func (l *liveTable) row(id string) *liveRow {
	if i := slices.IndexFunc(l.Rows, func(r liveRow) bool { return r.Scenario == id }); i >= 0 {
		return &l.Rows[i]
	}
	return nil
}

// A contestant is a library, or our own lock of a kind, with the command of its adapter.
type contestant struct {
	name    string
	library *guests.Library // nil: our own lock
	kind    scenarios.Kind
	adapter []string
}

// contestants are the locks that live runs can use: our own, and each library that speaks to Redis.
func contestants(adapter string) []contestant {
	all := []contestant{
		{name: scenarios.Redlock.String(), kind: scenarios.Redlock}, {name: scenarios.Single.String(), kind: scenarios.Single},
	}
	for i := range guests.Libraries {
		if l := &guests.Libraries[i]; l.Wire == nil {
			all = append(all, contestant{l.Name, l, l.Kind, []string{adapter, l.Name}})
		}
	}
	return all
}

// as returns the library; for our own lock, one of its kind.
func (c *contestant) as() *guests.Library {
	if c.library == nil {
		return &guests.Library{Kind: c.kind, Extends: true}
	}
	return c.library
}

// trials are the scenarios that a contestant is in.
func (c *contestant) trials(late live.Options) (all []live.Trial) {
	for _, id := range onServers {
		s, err := enterLive(c.as(), id)
		if err != nil {
			continue
		}
		o := late
		if o.Adapter = c.adapter; !slices.Contains(narrow, id) {
			o.Scale = wholeTimes
		}
		s = reference(s)
		s.Horizon = min(s.Horizon, longest)
		if o.Check(&s) == nil {
			all = append(all, live.Trial{Name: id, Scenario: s, Options: o})
		}
	}
	return all
}

// With -update, live runs are made of each library on real servers, and kept after each scenario. Without it, nothing
// is run: how late the machine is must fail no test.
func TestLibrariesLive(t *testing.T) {
	if !*update {
		t.Skip("live runs are made with -update")
	}
	adapter := filepath.Join(t.TempDir(), "adapter")
	if out, err := exec.Command("go", "build", "-o", adapter, "./adapter").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	options := live.Options{Late: live.Lateness(), Attempts: 1} // a call that hangs would hang again
	t.Logf("this machine was late by %s", options.Late)
	for _, c := range contestants(adapter) {
		if *library != "" && *library != c.name {
			continue
		}
		all, was := c.trials(options), loadLive(t, c.name)
		if !*more {
			was = liveTable{}
		}
		all = slices.DeleteFunc(all, func(r live.Trial) bool { return was.row(r.Name) != nil })
		if c.library != nil {
			was.Versions = versions(t, c.library)
		}
		for i, v := range live.Judge(context.Background(), all, live.Plan{Seed: 1, Runs: *liveRuns, Parallel: *liveParallel}) {
			var hangs []string // who has not answered what, without tokens, which are chance
			for _, text := range v.Notes {
				if text, _, _ = strings.Cut(text, " token="); strings.Contains(text, "has not answered") {
					hangs = append(hangs, text)
				}
			}
			slices.Sort(hangs)
			v.Notes = slices.Compact(hangs)
			was.Rows = append(was.Rows, liveRow{all[i].Name, v})
			slices.SortFunc(was.Rows, func(a, b liveRow) int { return strings.Compare(a.Scenario, b.Scenario) })
			b, err := json.MarshalIndent(was, "", " ")
			if err == nil {
				err = os.WriteFile(liveFile(c.name), append(b, '\n'), 0o644)
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
}

// A side counts the outcome of runs of a scenario, simulated or live: in how many each promise broke.
type side struct {
	runs   int
	broken counts
	open   counts // in how many that is unknown
	hangs  bool
}

// simulated returns the side of the simulator. Of a run with unknown verdicts, none is known that is not broken.
func simulated(v *verdicts) side {
	s := side{v.Seeds, v.Broken, counts{}, v.Broken["hangs"] > 0}
	for _, p := range checker.Properties {
		s.open[p.Name] = min(v.Broken["unknown"], v.Seeds-v.Broken[p.Name])
	}
	return s
}

// onMachine returns the side of real servers. At the end, an extension may be open; an open acquire or release hangs.
func onMachine(r *liveRow) side {
	hangs := func(text string) bool { return !strings.Contains(text, "extend") }
	return side{r.Runs, r.Broken, r.Unknown, slices.ContainsFunc(r.Notes, hangs)}
}

// always reports whether a promise broke in each run with a verdict, or never in any; neither, if no run has a verdict.
func (s *side) always(p string) (always, never bool) {
	known := s.runs - s.open[p]
	return known > 0 && s.broken[p] == known, known > 0 && s.broken[p] == 0
}

// differences are the promises that broke in all runs of one side and no run of the other, or only sometimes on one
// side.
func differences(simulated, onMachine side) (all []string) {
	for _, p := range checker.Properties {
		simAlways, simNever := simulated.always(p.Name)
		liveAlways, liveNever := onMachine.always(p.Name)
		if simNever && !liveNever && onMachine.broken[p.Name] > 0 || simAlways && !liveAlways && onMachine.runs > onMachine.open[p.Name] ||
			liveAlways && simNever || liveNever && simAlways {
			all = append(all, p.Name)
		}
	}
	return all
}

// unknown reports whether some promise is not known of any run.
func (s *side) unknown() bool {
	return slices.ContainsFunc(checker.Properties, func(p checker.Property) bool { return s.runs > 0 && s.open[p.Name] == s.runs })
}

// String says what broke: in all runs, or in how many.
func (s *side) String() string {
	var all, open []string
	for _, p := range checker.Properties {
		switch n := s.broken[p.Name]; {
		case n > 0 && n == s.runs:
			all = append(all, p.Name)
		case n > 0:
			all = append(all, fmt.Sprintf("%s in %d of %d", p.Name, n, s.runs))
		}
		if s.open[p.Name] == s.runs {
			open = append(open, p.Name)
		}
	}
	if s.hangs {
		all = append(all, "hangs")
	}
	if len(all) == 0 {
		all = []string{"nothing"}
	}
	text := strings.Join(all, ", ")
	switch {
	case len(open) > 4:
		text += "; the rest is unknown"
	case len(open) > 0:
		text += "; unknown: " + strings.Join(open, ", ")
	}
	return text
}

// beyond returns the promises that broke and that our own lock keeps.
func (s *side) beyond(keeps func(p string) bool) (all []string) {
	for _, p := range checker.Properties {
		if s.broken[p.Name] > 0 && keeps(p.Name) {
			all = append(all, p.Name)
		}
	}
	return all
}

// A reason is why live runs of some libraries differ from simulated ones.
type reason struct {
	libraries, scenarios, promises []string // empty: all
	why                            int      // the number in the page's list
}

// covers reports whether it is the reason for a difference.
func (r *reason) covers(library, scenario, promise string) bool {
	in := func(all []string, one string) bool { return len(all) == 0 || slices.Contains(all, one) }
	return in(r.libraries, library) && in(r.scenarios, scenario) && in(r.promises, promise)
}

// sideTable says what each configuration breaks in the simulator and live, and why that differs. It lists equal ones.
func sideTable(t *testing.T) string {
	s := head("kind", "scenarios", "agree", "unknown", "simulated, breaks what our own lock keeps", "live, likewise", "differ")
	used, whole, same := map[int]bool{}, [4]int{}, []string{}
	for _, c := range contestants("") {
		table := loadLive(t, c.name)
		agree, unknown, both := 0, 0, 0
		sim, live := map[string]int{}, map[string]int{}
		var differ []string
		for i := range table.Rows {
			r := &table.Rows[i]
			v := c.simulated(t, r.Scenario)
			if v == nil || r.Runs == 0 {
				continue
			}
			both++
			one, other := simulated(v), onMachine(r)
			for _, p := range one.beyond(func(p string) bool { return v.Reference[p] == 0 }) {
				sim[p]++
			}
			for _, p := range other.beyond(func(p string) bool { return !slices.Contains(r.Twin, p) }) {
				live[p]++
			}
			switch not := differences(one, other); {
			case len(not) > 0:
				differ = append(differ, r.Scenario+": "+explained(t, c.name, r.Scenario, not, used))
			case other.unknown():
				unknown++
			default:
				agree++
			}
		}
		for i, n := range []int{both, agree, unknown, len(differ)} {
			whole[i] += n
		}
		if both == 0 {
			t.Errorf("no live run was made with %s: go test -run LibrariesLive -update -library %s", c.name, c.name)
		}
		if agree == both {
			same = append(same, "`"+c.name+"`")
			continue
		}
		s += row("`"+c.name+"`", fmt.Sprint(both), fmt.Sprint(agree), fmt.Sprint(unknown), inScenarios(sim), inScenarios(live),
			strings.Join(differ, "<br>"))
	}
	s += row("all", fmt.Sprint(whole[0]), fmt.Sprint(whole[1]), fmt.Sprint(whole[2]), "", "", fmt.Sprint(whole[3]))
	s += "\nIn these all scenarios agree: " + strings.Join(same, ", ") + ".\n"
	for i := range reasons {
		if !used[i] {
			t.Errorf("reason %d explains no difference any more: %+v", i, reasons[i])
		}
	}
	return s
}

// simulated returns a contestant's outcome in the simulator; nil, if it was not tried there.
func (c *contestant) simulated(t *testing.T, id string) *verdicts {
	s, err := enterLive(c.as(), id)
	if err != nil {
		return nil
	}
	v := noVerdicts(id)
	switch {
	case c.library == nil:
		r := scenarios.NewRunner()
		defer r.Close()
		for s = reference(s); v.Seeds < 5; v.Seeds++ {
			findings := r.Run(&s, uint64(v.Seeds)+1).Findings
			v.Broken.add(findings)
			v.Reference.add(findings)
		}
		return &v
	case id == lateRelease:
		v.try(t, c.library, s, 5)
		return &v
	}
	all := load(t, c.library).Verdicts
	if i := slices.IndexFunc(all, func(v verdicts) bool { return v.Scenario == id }); i >= 0 {
		return &all[i]
	}
	return nil
}

// explained lists the promises that differ, with the numbers of the reasons. A difference without one fails the test.
func explained(t *testing.T, library, scenario string, promises []string, used map[int]bool) string {
	t.Helper()
	numbers := map[int]bool{}
	for _, p := range promises {
		i := slices.IndexFunc(reasons, func(r reason) bool { return r.covers(library, scenario, p) })
		if i < 0 {
			t.Errorf("%s, %s: live and simulated runs differ in %s, and no reason is given", library, scenario, p)
			continue
		}
		used[i], numbers[reasons[i].why] = true, true
	}
	var all []string
	for _, n := range slices.Sorted(maps.Keys(numbers)) {
		all = append(all, fmt.Sprint(n))
	}
	return fmt.Sprintf("%s (%s)", strings.Join(promises, ", "), strings.Join(all, ", "))
}

// liveRows returns rows for each scenario: what each library breaks, simulated and live. Equal libraries share a row.
func liveRows(t *testing.T) [][]string {
	rows := [][]string{{"scenario", "kinds", "simulated", "live"}}
	for _, id := range onServers {
		first := len(rows)
		for _, c := range contestants("") {
			table := loadLive(t, c.name)
			r, v := table.row(id), c.simulated(t, id)
			if r == nil || v == nil {
				continue
			}
			one, other := simulated(v), onMachine(r)
			cells := []string{one.String(), other.String()}
			if r.Runs == 0 {
				cells[1] = "refused"
			}
			i := first + slices.IndexFunc(rows[first:], func(row []string) bool { return slices.Equal(row[2:], cells) })
			if i < first {
				rows = append(rows, []string{id, c.name, cells[0], cells[1]})
				continue
			}
			rows[i][1] += ", " + c.name
		}
	}
	return rows
}

// reasons are why live and simulated runs differ. The first that covers a difference counts.
var reasons = []reason{
	{[]string{"redsync-readme"}, []string{"distlock/slow-node", "kleppmann/clock-jump", "kleppmann/crash-restart"}, nil, 1},
	{[]string{"redsync-redigo-readme"}, []string{"distlock/even-nodes"}, []string{"fault-tolerant"}, 1},
	{[]string{"redsync-loop"}, []string{"distlock/blind-delete"}, []string{"leak-free"}, 2},
	{[]string{"redsync-rueidis-readme"}, []string{lateRelease}, nil, 3},
	{[]string{"rueidis"}, []string{"kleppmann/pause-before-reply"}, []string{"belief", "storage"}, 4},
	{[]string{"redsync-rueidis-readme"}, []string{"kleppmann/crash-restart"}, nil, 5},
}

func TestPageShowsLiveRuns(t *testing.T) {
	checkPage(t, "live.md", map[string]string{"sides": sideTable(t)})
	checkCSV(t, "live.csv", liveRows(t))
}

// A difference is one where a promise breaks on one side alone; what is unknown is none.
func TestDifferencesBetweenSimulatedAndLiveRuns(t *testing.T) {
	for _, c := range []struct {
		simulated, live side
		want            string
	}{
		{side{runs: 50, broken: counts{"belief": 50}}, side{runs: 2, broken: counts{"belief": 2}}, ""},
		{side{runs: 50, broken: counts{"belief": 50}}, side{runs: 2, broken: counts{"belief": 1}}, "belief"},
		{side{runs: 50, broken: counts{"belief": 50}}, side{runs: 2, broken: counts{"belief": 1}, open: counts{"belief": 1}}, ""},
		{side{runs: 50, broken: counts{"belief": 9}}, side{runs: 2, broken: counts{}}, ""},
		{side{runs: 50, broken: counts{"belief": 9}}, side{runs: 2, broken: counts{"belief": 2}}, ""},
		{side{runs: 50, broken: counts{}}, side{runs: 2, broken: counts{"storage": 1}}, "storage"},
		{side{runs: 50, broken: counts{}, open: counts{"storage": 50}}, side{runs: 2, broken: counts{"storage": 1}}, ""},
		{side{runs: 50, broken: counts{"quorum": 50}}, side{runs: 2, broken: counts{}, open: counts{"quorum": 2}}, ""},
	} {
		if got := strings.Join(differences(c.simulated, c.live), " "); got != c.want {
			t.Errorf("%+v and %+v differ in %q; want %q", c.simulated, c.live, got, c.want)
		}
	}
}
