package command

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/debate"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// pauses is an argument that takes little time.
const pauses = `
# summary: In one page
Two delays.

# appendix: The steps

# steps: The steps

## kleppmann/gc-pause: A pause
An update is lost {storage violated}, and fencing saves it {fenced holds}.

## kleppmann/delayed-write: A search
Nobody shares it {redlock/any under pause: validity holds}.
`

// debated writes the document of an argument, and returns what was printed.
func debated(t *testing.T, text, out string, workers int) (told, errs string, code int) {
	t.Helper()
	h := debateCommand{format: "html", out: out, argument: text, searchLeast: 70,
		Work:   work.Work{Workers: workers, Quiet: true},
		Debate: debate.Debate{Version: cli.Version, Command: "lockstorm debate --runs 3 --seed 1", Seed: 1, Runs: 3, Seeds: 1}}
	var o, e bytes.Buffer
	code = end(h.hold(&o, &e), &e)
	return o.String(), e.String(), code
}

func TestDebateIsTheSameDocumentEachTime(t *testing.T) {
	file := filepath.Join(t.TempDir(), "debate.html")
	told, errs, code := debated(t, pauses, file, 1)
	if code != 0 || errs != "" || told != "PASS: 2 claims, 3 assertions of the text, 0 contradicted or not known; 3 runs of each scenario from seed 1.\n"+file+"\n" {
		t.Errorf("exit %d: %s%s", code, told, errs)
	}
	page, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(page), "Breaks belief and storage.") || !strings.Contains(unmarked(string(page)), "<code>lockstorm debate --runs 3 --seed 1</code>") {
		t.Errorf("%v: the document lacks what it should have", err)
	}
	for _, workers := range []int{1, 3} {
		if again, _, code := debated(t, pauses, "-", workers); again != string(page) || code != 0 {
			t.Errorf("with %d workers, exit %d, it is another document", workers, code)
		}
	}
}

func TestContradictedDebateExitsWithOne(t *testing.T) {
	file := filepath.Join(t.TempDir(), "debate.html")
	told, errs, code := debated(t, strings.Replace(pauses, "{fenced holds}", "{fenced violated}", 1), file, 2)
	page, _ := os.ReadFile(file)
	if code != 1 || !strings.HasPrefix(told, "FAIL: ") || !strings.Contains(errs, "The text asserts {kleppmann/gc-pause: fenced violated}, and the runs say: fenced violated in 0 of 3.") {
		t.Errorf("exit %d: %s%s", code, told, errs)
	}
	if !strings.Contains(string(page), "The runs contradict this document") || !strings.Contains(string(page), "NOT SO: fenced violated in 0 of 3") {
		t.Error("the document does not say so")
	}
}

func TestWholeDebateHoldsInFewRuns(t *testing.T) {
	need.Long(t)
	var out, errs bytes.Buffer
	h := debateCommand{format: "html", out: "-", searchLeast: 250, Work: work.Work{Workers: 2, Quiet: true},
		Debate: debate.Debate{Version: cli.Version, Seed: 1, Runs: 1, Seeds: 1}}
	err := h.hold(&out, &errs)
	if code := end(err, &errs); code != 0 || errs.Len() > 0 || out.Len() > 3_000_000 || !strings.Contains(out.String(), "Bound of quorum along") {
		t.Errorf("exit %d, %d bytes: %s", code, out.Len(), &errs)
	}
}

func TestImpossibleDebateIsRejectedImmediately(t *testing.T) {
	dir := t.TempDir()
	for want, args := range map[string][]string{
		"--runs: 0 is not positive":       {"--runs", "0"},
		"--runs: -3 is not positive":      {"--runs", "-3"},
		"--workers: -1 is negative":       {"--workers", "-1"},
		"--seed: seeds go up to":          {"--seed", "9007199254740991"},
		"a search takes 20 times as many": {"--runs", "9223372036854775807"},
		"--out: the file is missing":      {"--out", ""},
		"exists and is not a file":        {"--out", dir},
		"can't be written":                {"--out", filepath.Join(dir, "no", "such", "dir.html")},
		`"xml" is not one of text`:        {"--format", "xml"},
		`lockstorm debate takes no argument, not "kleppmann"; lockstorm debate --help lists its flags`: {"kleppmann"},
		"--runs must be a whole number, not \"many\"":                                                  {"--runs", "many"},
		"/dev/null exists and is not a file; choose":                                                   {"--out", "/dev/null"},
	} {
		out, errs, code := lockstorm(append([]string{"debate"}, args...)...)
		if code != cli.BadInput || out != "" || !strings.Contains(errs, want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: exit %d, %q %q; want %q", args, code, out, errs, want)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v was left behind", left)
	}
}

// A node that forgets breaks Redlock in about one of a hundred runs with lost messages. Three runs seldom show that, so
// the assertion has its own number of runs, and a change of one setting has too.
func TestARareEventHasItsOwnNumberOfRuns(t *testing.T) {
	rare := strings.Replace(pauses, "{fenced holds}",
		"{fenced holds}. Loss takes votes {distlock/one-node-forgets with network.loss=0.05: validity sometimes violated} {distlock/one-node-forgets: validity holds}", 1)
	for text, want := range map[string]int{rare: 1, strings.Replace(rare, "sometimes violated}", "sometimes violated in 2000 runs}", 1): 0} { // order: each is a separate test
		if told, errs, code := debated(t, text, "-", 2); code != want {
			t.Errorf("exit %d, want %d: %s %s", code, want, errs, told[:min(200, len(told))])
		}
	}
	for text, want := range map[string]string{
		"in 0 runs}":              "0 runs; give 1 to 10000",
		"in 10001 runs}":          "10001 runs; give 1 to 10000",
		"in 99999999999999 runs}": "give 1 to 10000",
	} {
		_, errs, code := debated(t, strings.Replace(rare, "sometimes violated}", "sometimes violated "+text, 1), "-", 1)
		if code == 0 || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %s; want %q", text, code, errs, want)
		}
	}
}

// unmarked removes from a page the tags that keep the words of its commands together.
func unmarked(page string) string {
	return regexp.MustCompile(`<span class="word">([^<]*)</span>`).ReplaceAllString(page, "$1")
}
