package command

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A sweep measures: it passes whatever breaks. Its JSON says enough to repeat each run.
func TestSweepCountsAndNamesAViolatingRun(t *testing.T) {
	args := []string{"sweep", "kleppmann/gc-pause", "--axis", "lock.ttl=5s,20s", "--axis", "pause.for=1s..16s:log:3", "--runs", "60",
		"--set", "nodes=3", "--format", "json"}
	var s sweepJSON
	if err := json.Unmarshal([]byte(mustRun(t, 0, args...)), &s); err != nil {
		t.Fatal(err)
	}
	if last := s.Cells[len(s.Cells)-1]; s.SchemaVersion != 1 || s.Lockstorm != cli.Version || len(s.Cells) != 12 ||
		last.Line != "lock.ttl=20s" || last.Value != "16" || last.Measure != "storage" || last.Runs != 60 {
		t.Errorf("%+v", s)
	}
	if !strings.Contains(s.Command, "--set nodes=3 --set lock.ttl=5s --set pause.for=16s") {
		t.Errorf("it is made again by %s", s.Command)
	}
	again := append(strings.Fields(s.Command)[1:], "--no-store")
	if out := mustRun(t, 0, append(again, "--verbose")...); !strings.Contains(out, "(belief)              violated  ") {
		t.Errorf("%s prints\n%s", s.Command, out)
	}
}

func TestSweepIsTheSameWithOneWorkerAndThree(t *testing.T) {
	run := func(workers string) string {
		return mustRun(t, 0, "sweep", "redlock/any", "--axis", "nodes=3..7:lin:3", "--runs", "120", "--workers", workers)
	}
	if one, three := run("1"), run("3"); one != three {
		t.Errorf("with one:\n%s\nwith three:\n%s", one, three)
	}
}

func TestHeadlineHasClopperPearsonInterval(t *testing.T) {
	out := mustRun(t, 0, "sweep", "kleppmann/gc-pause", "--runs", "1000", "--property", "validity,quorum")
	if !strings.Contains(strings.Join(strings.Fields(out), " "), "It breaks in no cell: 0 of 1000: below 0.37% at 95% confidence") {
		t.Error(out)
	}
}

// A page shows the figure, and the README has two of its shares: this sweep's shares lie strictly between 0 and 100%.
// Look at the figure when it changes.
func TestFigureOfThePageIsCurrent(t *testing.T) {
	dir := t.TempDir()
	var s sweepJSON
	out := mustRun(t, 0, "sweep", "kleppmann/gc-pause", "--set", "work.work=1ms..10s", "--axis", "pause.for=2s..12s:lin:6", "--runs", "200",
		"-q", "--format", "json", "--figures", dir)
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{".svg", ".csv"} {
		shown := filepath.Join("..", "..", "..", "..", "reports", "pictures", "pauses.sweep"+form)
		reportstest.GoldenFile(t, shown, fileText(t, filepath.Join(dir, "sweep"+form)))
	}
	readme := strings.Join(strings.Fields(fileText(t, "../../../README.md")), " ")
	percent := func(cell int) float64 { return float64(s.Cells[cell].Violated) / 2 }
	words := fmt.Sprintf("A pause of 2 s loses an update in %g%% of 200 runs, and one of 6 s in %g%%.", percent(1), percent(5))
	if s.Cells[1].Measure != "storage" || !strings.Contains(readme, words) {
		t.Errorf("the README does not say %q", words)
	}
}

func TestMatrixOfOneLockIsPrinted(t *testing.T) {
	out := mustRun(t, 0, "study", "matrix", "--only", "single instance", "--runs", "20", "--measure", "validity,fenced", "--least", "40")
	for _, want := range []string{"single instance", "partition", "fenced: Is an update lost", fmt.Sprintf("It breaks in no cell: 0 of %d", 20*len(campaign.Columns())), " validity-restart-"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	if md := mustRun(t, 0, "study", "matrix", "--only", "single instance", "--runs", "5", "--least", "0", "--format", "markdown"); !strings.Contains(md, "| single instance | 0 |") {
		t.Error(md)
	}
	if brief := mustRun(t, 0, "study", "matrix", "--only", "redlock, plain delete", "--runs", "5", "--least", "0", "--summary"); !strings.Contains(brief, "without a fault 100") {
		t.Error(brief)
	}
}

func TestBadMeasuringInputGetsOneLineErrors(t *testing.T) {
	const s = "sweep kleppmann/gc-pause "
	for _, c := range []struct{ args, says string }{
		{"sweep", "takes one SCENARIO"},
		{"sweep kleppmann/gc-puase", "did you mean kleppmann/gc-pause"},
		{s + "--axis lock.ttl", "is not an axis; write KEY=FROM..TO:lin:STEPS"},
		{s + "--axis lock.tll=1s,2s", "did you mean lock.ttl"},
		{s + "--axis jump.by=1s,2s", `there is no setting "jump.by"`},
		{"sweep kleppmann/clock-jump --axis partition.for=1s,2s", `"partition.for" may mean fault.1.for or fault.2.for`},
		{s + "--axis lock.ttl=", "lock.ttl: it has no values"},
		{s + "--axis lock.ttl=1s,fast", `lock.ttl: "fast" is not a time such as`},
		{s + "--axis lock.ttl=1s..30s", "1s..30s lacks its spacing; write 1s..30s:lin:5, or log"},
		{s + "--axis lock.ttl=1s:lin:5", `"1s" is not a range; write FROM..TO`},
		{s + "--axis lock.ttl=1s..30s:cubic:5", `"cubic:5" is not a spacing; write lin:STEPS or log:STEPS`},
		{s + "--axis lock.ttl=1s..30s:lin", `"" is not a number of steps; give 2 to 200`},
		{s + "--axis lock.ttl=1s..30s:lin:0", `"0" is not a number of steps; give 2 to 200`},
		{s + "--axis lock.ttl=1s..30s:log:1", `"1" is not a number of steps`},
		{s + "--axis lock.ttl=1s..30s:lin:1000000", `"1000000" is not a number of steps`},
		{s + "--axis lock.ttl=1s..30s:lin:-3", `"-3" is not a number of steps`},
		{s + "--axis lock.ttl=30s..1s:lin:5", "30s lies above 1s; give the lower end first"},
		{s + "--axis lock.ttl=5s..5s:lin:5", "from 5s to itself is an empty range"},
		{s + "--axis pause.for=0s..5s:log:5", "0s has no logarithm; start above 0, or use lin spacing"},
		{"sweep antirez/rate-drift --axis clocks.n3=-5ppm..5ppm:log:5", "-5ppm has no logarithm"},
		{s + "--axis lock.contact=parallel..sequential:lin:2", "it is not a number; list its values: A,B,C"},
		{s + "--axis pause.for=1s,2s --axis fault.1.for=3s,4s", "fault.1.for is an axis already"},
		{s + "--axis pause.for=1s..9s:lin:200 --axis lock.ttl=1s..9s:lin:200 --axis nodes=3,5", "the axes before the last have more than 1000 combinations"},
		{s + "--axis lock.ttl=soon", `--axis: lock.ttl: "soon" is not a time`},
		{s + "--axis lock.ttl=10ms,1s", "at 0.01: lock.timeout: 50ms is not less than lock.ttl"},
		{s + "--axis nodes=0,3 --axis lock.quorum=2,9", "nodes=0, at 2: "},
		{s + "--axis nodes=3,5 --property belif", "did you mean belief"},
		{"sweep redlock/any --axis search.most=1,2", "is what a search draws; it can't be an axis"},
		{s + "--runs 0", "--runs: 0 is not positive"},
		{s + "--seed 9007199254740992", "seeds go up to"},
		{s + "--workers -1", "--workers: -1 is negative"},
		{s + "--format xml", `--format: "xml" is not one of text, markdown, html, json, csv`},
		{s + "--set lock.tll=1s", "did you mean lock.ttl"},
		{"study bounds --measure storage", "antirez/delayed-restart-short: it states no bound of that"},
		{"study bounds --store rows", "--store: bounds halves ranges, and keeps no rows"},
		{"study bounds --figures figures --runs 1", "--figures: bounds has a table, and no figure"},
		{"study matrix --only raft", `no line matches "raft"`},
		{"study matrix --measure belif", "did you mean belief"},
		{"study matrix --runs 0", "--runs: 0 is not positive"},
		{"study matrix --least -1", "--least: -1 is negative"},
		{"study matrix --workers -1", "--workers: -1 is negative"},
		{"study matrix --format xml", `--format: "xml" is not one of text, markdown, html, json, csv`},
		{"study matrix --seed 9007199254740992", "seeds go up to"},
	} {
		dir := t.TempDir()
		t.Chdir(dir)
		out, errs, code := lockstorm(strings.Fields(c.args)...)
		if code != cli.BadInput || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, c.says) {
			t.Errorf("lockstorm %s\nexit %d, want 254 and one line that says %q: %s%s", c.args, code, c.says, out, errs)
		}
		if left := entries(t, dir); len(left) > 0 {
			t.Errorf("lockstorm %s leaves %v behind", c.args, left)
		}
	}
}
