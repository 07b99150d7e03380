package runs_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

// In a pause c1 does not know that its lock has ended. The checker sees two holders, and a register on which every
// write counts.
func TestRunReportsBlackBoxViews(t *testing.T) {
	r := scenarios.Run(*reportstest.Scenario(t, "kleppmann/gc-pause"), 1)
	var m runs.Making
	has := func(where, text string, all ...string) {
		t.Helper()
		for _, want := range all {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", where, want, text)
			}
		}
	}
	has("a brief text", briefOf(reports.Screen{}, r, m),
		"From the clients' calls alone: mutex, lease and fenced-mutex violated (porcupine\nagrees); register and fenced-register hold.\n")
	has("a text", textOf(reports.Screen{}, r, m), "\n  mutex            violated  Two holders at once", "\n  register         holds\n", "Operations 0, 1, 4 and 5")
	has("Markdown", markdownOf(r, m), "| **mutex** | **violated** | Two holders at once", "| **register** | holds |  |")
	page := string(htmlOf(r, m))
	has("a page", page, "What a linearizability checker sees", "no legal order by themselves, as porcupine confirms", `<tr class="marked"><th scope="row" class="n">4</th>`,
		"operation 5: acquire, ok at 10.648979 s")
	if n := strings.Count(page, `<tr class="marked">`); n != 4 {
		t.Errorf("%d rows are marked", n)
	}
	has("CSV", runs.Document(r, m, true).CSV(), "\nblackbox.mutex,violated,violated,,\n", "\nblackbox.fenced-register,,holds,,\n")
}

func TestTheVerdictsOfACheckerCanBeReadFromJSON(t *testing.T) {
	r := scenarios.Run(*reportstest.Scenario(t, "kleppmann/gc-pause"), 1)
	var read runs.Run
	if err := json.Unmarshal([]byte(runs.Document(r, runs.Making{}, true).JSON()), &read); err != nil {
		t.Fatal(err)
	}
	if len(read.BlackBox) != 5 {
		t.Fatalf("there are %d views", len(read.BlackBox))
	}
	for i, v := range read.BlackBox {
		b := r.BlackBox[i]
		if v.Model != b.Model || v.Verdict != b.Verdict || v.Reason != b.Reason || (v.Expect != nil) != slices.Contains([]string{"mutex", "lease", "register"}, v.Model) || v.Confirmed != (b.Verdict == checker.Violated) {
			t.Errorf("%+v, and it was %+v", v, b)
		}
	}
	if got := read.BlackBox[0].Excerpt; !slices.Equal(got, []int{0, 1, 4, 5}) {
		t.Errorf("of the mutex the excerpt is %v", got)
	}
}

// If a view differs from what a scenario expects, each format of the run's report says so.
func TestUnexpectedViewIsReportedInEachFormat(t *testing.T) {
	s := reportstest.Scenario(t, "kleppmann/gc-pause")
	s.Expect = slices.DeleteFunc(slices.Clone(s.Expect), func(e scenarios.Expectation) bool { return e.Property == "blackbox.mutex" })
	s.Expect = append(s.Expect, scenarios.Expectation{Property: "blackbox.mutex", Verdict: checker.Holds})
	r := scenarios.Run(*s, 1)
	var m runs.Making
	if got, want := runs.Summary(r), "FAIL: kleppmann/gc-pause, seed 1: from the clients' calls alone, mutex is violated, and should hold."; got != want {
		t.Errorf("it sums up as %q, want %q", got, want)
	}
	for where, text := range map[string]string{"a text": strings.Join(strings.Fields(textOf(reports.Screen{}, r, m)), " "),
		"Markdown": strings.ReplaceAll(markdownOf(r, m), "&lt;", "<"), "a page": strings.ReplaceAll(string(htmlOf(r, m)), `<span class="violated">not`, "<< not")} {
		if !strings.Contains(strings.ReplaceAll(text, "</span>", ""), wording.Differs+", should hold") {
			t.Errorf("%s does not say it:\n%s", where, text)
		}
	}
	if got := runs.Describe(r, m).BlackBox[0].Expect; got == nil || *got != checker.Holds {
		t.Error("JSON does not say what was expected")
	}
}
