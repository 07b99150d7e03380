package command

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

// The page of a store shows suites, runs and campaigns, and links to the files next to it.
func TestStorePageLinksToItsReports(t *testing.T) {
	t.Chdir(t.TempDir())
	mustRun(t, 0, "run", "kleppmann/gc-pause", "--store", "sto re", "-q")
	mustRun(t, 1, "fuzz", "redlock/any", "--faults", "jump", "--runs", "40", "--store", "sto re/hunt", "-q")
	mustRun(t, 0, "test", "kleppmann/clock-jump", "--runs", "3", "--store", "sto re", "--json", "sto re/suite.json")
	write(t, "sto re/other.json", "{}")
	if out, want := mustRun(t, 0, "report", "sto re", "--out", "public"), "1 run, 1 campaign\npublic/index.html\n"; out != want {
		t.Errorf("it prints %q, want %q", out, want)
	}
	page := fileText(t, "public/index.html")
	for _, want := range []string{"1 of 1 scenario as expected", `href="kleppmann/gc-pause/1/report.html"`, "belief, storage",
		"fuzz of redlock/any", `href="hunt/found/belief-jump.yaml"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, file := range []string{"kleppmann/gc-pause/1/report.html", "hunt/found/belief-jump.yaml"} {
		if fileText(t, "public/"+file) != fileText(t, "sto re/"+file) {
			t.Errorf("%s is no copy", file)
		}
	}
	write(t, "sto re/kleppmann/gc-pause/1/result.json", `{"schema_version":1,"scenario":"<script>alert(1)</script>","verdict":"</td>"`)
	mustRun(t, 0, "report", "sto re")
	if page := fileText(t, "sto re/index.html"); strings.Contains(page, "<script>alert") || !strings.Contains(page, "can&#39;t be read") {
		t.Errorf("a result that is cut short stands there as\n%s", page)
	}
	write(t, "sto re/suite.json", strings.Replace(fileText(t, "sto re/suite.json"), `"pass": 3`, `"pass": 4`, 1))
	for dir, says := range map[string]string{"sto re": "suite.json is not a suite: scenarios[0]: runs is 3", "nowhere": "nowhere is not a stored result: ",
		"public/hunt/found": "has no run, campaign or suite below it"} {
		if _, errs, code := lockstorm("report", dir); code != cli.BadInput || !strings.Contains(errs, says) {
			t.Errorf("%s: exit %d: %s", dir, code, errs)
		}
	}
}
