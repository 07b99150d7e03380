package command

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// gridIn stores the rows of a small grid.
func gridIn(t *testing.T, dir string) {
	t.Helper()
	mustRun(t, 0, "sweep", "kleppmann/gc-pause", "--axis", "lock.ttl=10s,20s", "--axis", "pause.for=5s,15s", "--runs", "25", "--store", dir, "-q")
}

// A name is only a text: it leads nowhere, and nothing in it is carried out.
func TestHostileCampaignNameIsOnlyText(t *testing.T) {
	for i, name := range []string{"../../<script>alert(1)</script>\u202egnp.exe", strings.Repeat("x", 1<<20)} {
		if !long && i > 0 { // each pass makes all figures
			break
		}
		s, _ := scenarios.Find("kleppmann/gc-pause")
		s.ID, s.Title = name, name[:min(len(name), 100)]
		dir := filepath.Join(t.TempDir(), "rows")
		job := &campaign.Job{Kind: "rows", Scenario: &s, Cells: []campaign.Cell{nil}, First: 1, Runs: 2, Size: 2}
		if err := (&archive.Work{Job: job, Dir: dir, Lockstorm: cli.Version, Workers: 1}).Do(); err != nil {
			t.Fatal(err)
		}
		mustRun(t, cli.AsExpected, "report", dir)
		page := reportstest.Tree(t, dir)["report.html"]
		if strings.Contains(page, "<script>alert") || strings.Contains(page, "\u202e") || len(page) > 300_000 {
			t.Errorf("%.20q goes into a page of %d bytes as it is", name, len(page))
		}
	}
}

func TestCampaignReportHasAllFigures(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "grid")
	gridIn(t, dir)
	before := reportstest.Tree(t, dir)
	mustRun(t, cli.AsExpected, "report", dir)
	after := reportstest.Tree(t, dir)
	for _, figure := range []string{"sweep"} {
		for _, form := range []string{".svg", ".png", ".pdf", ".csv", "-slide.svg", "-slide.png", "-slide.pdf"} {
			if len(after["figures/"+figure+form]) < 40 {
				t.Errorf("figures/%s%s has %d bytes", figure, form, len(after["figures/"+figure+form]))
			}
		}
	}
	for name, text := range before {
		if after[name] != text {
			t.Errorf("%s has changed", name)
		}
	}
	page := after["report.html"]
	for _, link := range regexp.MustCompile(`<a href="([^#"][^"]*)"`).FindAllStringSubmatch(page, -1) {
		if after[link[1]] == "" {
			t.Errorf("the page links to %s, which is not there", link[1])
		}
	}
	for _, want := range []string{"100 runs, 4 cells: belief and storage broke.", "lockstorm study study.yaml --store DIR"} {
		if !strings.Contains(unmarked(page), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for one := range strings.Lines(after[store.LedgerFile]) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(one, "\n"), "  ")
		if got := sha256.Sum256([]byte(after[name])); hex.EncodeToString(got[:]) != sum {
			t.Errorf("%s is not what report.sha256 says", name)
		}
	}
	if !long {
		return
	}
	again := filepath.Join(t.TempDir(), "again")
	mustRun(t, cli.AsExpected, "report", dir, "--out", again)
	for name, text := range reportstest.Tree(t, again) {
		if after[name] != text {
			t.Errorf("%s is another the second time", name)
		}
	}
}

// unmarked removes from a page the tags that keep the words of its commands together.
func unmarked(page string) string {
	return regexp.MustCompile(`<span class="word">([^<]*)</span>`).ReplaceAllString(page, "$1")
}

// Each counterexample does what its report says. The report links to the files that fuzz wrote, and does not write
// them again.
func TestFuzzedCounterexamplesCanBeRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rows")
	mustRun(t, cli.AsExpected, "fuzz", "kleppmann/gc-pause", "--faults", "none", "--runs", "30", "--store", dir, "-q")
	if long { // it draws all figures once more
		mustRun(t, cli.AsExpected, "report", dir)
		linked(t, dir)
	}
	out := filepath.Join(t.TempDir(), "elsewhere")
	mustRun(t, cli.AsExpected, "report", dir, "--out", out)
	command := regexp.MustCompile(`lockstorm run (counterexamples/\S+\.yaml) --seed (\d+)`).FindStringSubmatch(unmarked(reportstest.Tree(t, out)["report.html"]))
	if command == nil {
		t.Fatal("no command")
	}
	mustRun(t, cli.AsExpected, "run", filepath.Join(out, command[1]), "--seed", command[2], "--no-store")
}

// linked says whether a report in the folder of its rows leads to the file that fuzz wrote.
func linked(t *testing.T, dir string) {
	t.Helper()
	files := reportstest.Tree(t, dir)
	if files["counterexamples/belief-pause.html"] == "" || files["counterexamples/belief-pause.yaml"] != "" || !strings.Contains(files["report.html"], `href="found/belief-pause.yaml"`) {
		t.Error("belief-pause is not linked to as it should be")
	}
}

// A paper's figures have the words of the study, the paper's size and no caption. The page keeps the caption.
func TestReportForAPaper(t *testing.T) {
	need.Long(t)
	dir, out := filepath.Join(t.TempDir(), "grid"), filepath.Join(t.TempDir(), "paper")
	gridIn(t, dir)
	figure := func(flags ...string) string {
		mustRun(t, cli.AsExpected, append([]string{"report", dir, "--out", out}, flags...)...)
		return fileText(t, filepath.Join(out, "figures", "sweep.svg"))
	}
	usual := figure()
	for _, flags := range [][]string{{"--font-size", "9pt"}, {"--no-caption"}} {
		if figure(flags...) == usual {
			t.Errorf("%q changes no figure", flags)
		}
	}
	if want := `width="340.16pt" height="226.77pt"`; !strings.Contains(figure("--size", "120mmx80mm"), want) {
		t.Errorf("the figure lacks %s", want)
	}
	if page := fileText(t, filepath.Join(out, "report.html")); !strings.Contains(page, "from seed 1 on") {
		t.Error("the caption is not in the page")
	}
	file := filepath.Join(dir, "study.yaml")
	write(t, file, strings.Replace(fileText(t, file), "label: pause.for [s]", "label: length of the pause [s]", 1))
	if figure() == usual {
		t.Error("the words of the study change no figure")
	}
}

func TestBadPaperFiguresGetOneLineErrors(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "grid")
	gridIn(t, dir)
	for _, c := range [][]string{
		{"85", "is not a size; write a width from 22mm", "--size"}, {"85mmx", "is not a size", "--size"}, {"1pt", "from 3pt to 72pt", "--font-size"},
	} {
		if _, errs, code := lockstorm("report", dir, c[2], c[0]); code != cli.BadInput || !strings.Contains(errs, c[1]) {
			t.Errorf("%s %s: exit %d: %s", c[2], c[0], code, errs)
		}
	}
}

func TestUnreportableCampaignIsAnError(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rows")
	mustRun(t, cli.AsExpected, "run", "kleppmann/gc-pause", "--runs", "60", "--store", dir, "-q")
	change := func(file, from, to string) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(strings.Replace(string(text), from, to, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	fails := func(what, want string, args ...string) {
		t.Helper()
		before := reportstest.Tree(t, dir)
		if out, errs, code := lockstorm(append([]string{"report", dir}, args...)...); code != cli.BadInput || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d; it does not say %q\n%s%s", what, code, want, out, errs)
		}
		if len(reportstest.Tree(t, dir)) != len(before) {
			t.Errorf("%s: files were left behind", what)
		}
	}
	fails("no figure", `there is no figure "hold"; did you mean held or holds?`, "--figure", "hold")
	change("manifest.json", `"schema_version": 1`, `"schema_version": 2`)
	fails("a newer schema", "it has schema version 2, and this Lockstorm reads version 1")
	change("manifest.json", `"schema_version": 2`, `"schema_version": 1`)
	blocks, _ := filepath.Glob(filepath.Join(dir, "block-*"))
	slices.Sort(blocks)
	text, _ := os.ReadFile(blocks[1])
	if err := os.WriteFile(blocks[1], text[:len(text)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	fails("half a block", "Remove that file, and repeat the command")
	if err := os.Remove(blocks[1]); err != nil {
		t.Fatal(err)
	}
	out := mustRun(t, cli.Unknown, "report", dir)
	if want := "blocks are not made yet. To make them:\n  lockstorm run --resume --store " + dir + "\n"; !strings.Contains(out, "It is not whole: 1 of ") ||
		!strings.HasSuffix(out, want) {
		t.Errorf("the report of a part does not end with %q:\n%s", want, out)
	}
	if !strings.Contains(reportstest.Tree(t, dir)["report.html"], "It is incomplete: 1 of ") {
		t.Error("a page of a part does not say so")
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	fails("a directory that can't be made", "choose another directory", "--out", filepath.Join(dir, "file", "below"))
	for _, b := range blocks {
		os.Remove(b)
	}
	fails("no rows", "has no row yet")
}

// A study is reported from its file, which is kept with its rows. Without the file, or with rows of an older
// Lockstorm, one line says what to do.
func TestStoreWithoutItsStudyIsRejected(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "grid")
	gridIn(t, dir)
	file, manifest := filepath.Join(dir, "study.yaml"), filepath.Join(dir, "manifest.json")
	for _, c := range []struct {
		change func()
		args   []string
		want   string
	}{
		{func() {}, []string{"--figure", "held"}, "--figure: the rows are of a study, which draws what it measures; change measure in "},
		{func() { write(t, file, strings.Replace(fileText(t, file), "5 15", "5 15 20", 1)) }, nil, "the study has 6 cells, and its rows are of 4"},
		{func() { os.Remove(file) }, nil, "lacks study.yaml, which says what to show; repeat the command that began this work, with --resume"},
		{func() { write(t, manifest, strings.Replace(fileText(t, manifest), `"study sweep"`, `"sweep"`, 1)) }, nil,
			"it is a sweep of an older Lockstorm, and sweeps are studies now; repeat the sweep with another --store"},
	} {
		c.change()
		out, errs, code := lockstorm(append([]string{"report", dir}, c.args...)...)
		if code != cli.BadInput || out != "" || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("exit %d: %s%s; want %s", code, out, errs, c.want)
		}
	}
}
