package browse_test

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/reports/site/internal/browse"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// shelf is a store with a run of each kind.
var shelf = browse.Store{Name: "store", Runs: []browse.Run{
	{Place: "a/b/10", Scenario: "a/b", Seed: 10, Verdict: "pass", Violated: []string{"belief"}},
	{Place: "a/b/2", Scenario: "a/b", Seed: 2, Verdict: "fail", Odd: []string{"storage"}, Settings: []string{"lock.ttl=20s"}},
	{Place: "c/1", Scenario: "c", Seed: 1, Verdict: "unknown", Unknown: []string{"quorum"}, Odd: []string{"quorum"}},
	{Place: "d/3", Wrong: "result.json can't be read: it ends in the middle"},
}}

var row = regexp.MustCompile(`<th scope="row">(?:<input [^>]*> )?<a href="/run/([^"]*)">`)

// listed returns the places on a page of the list, in their order.
func listed(page *reports.Document) (places []string) {
	for _, m := range row.FindAllStringSubmatch(page.HTML(), -1) {
		places = append(places, m[1])
	}
	return places
}

func TestAListShowsWhatIsAskedFor(t *testing.T) {
	for query, want := range map[string]string{
		"":                                "a/b/2 a/b/10 c/1 d/3",
		"verdict=pass":                    "a/b/10",
		"verdict=fail":                    "a/b/2",
		"verdict=unknown":                 "c/1",
		"verdict=unreadable":              "d/3",
		"property=belief":                 "a/b/10",
		"property=quorum":                 "",
		"text=A/B":                        "a/b/2 a/b/10",
		"text=ttl+a":                      "a/b/2",
		"sort=seed":                       "d/3 c/1 a/b/2 a/b/10",
		"sort=verdict":                    "d/3 a/b/2 c/1 a/b/10",
		"verdict=evil&sort=1&property=no": "a/b/2 a/b/10 c/1 d/3",
		"page=-7":                         "a/b/2 a/b/10 c/1 d/3",
		"page=99999999999999999999":       "a/b/2 a/b/10 c/1 d/3",
		"page=2":                          "a/b/2 a/b/10 c/1 d/3",
	} {
		v, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(listed(browse.Index(shelf, browse.ParseQuery(v))), " "); got != want {
			t.Errorf("%q lists %q, want %q", query, got, want)
		}
	}
}

func TestAPageOfTheListHoldsAHundredRunsAndLeadsToTheOthers(t *testing.T) {
	var s browse.Store
	for i := range 250 {
		s.Runs = append(s.Runs, browse.Run{Place: fmt.Sprintf("x/%d", i), Scenario: "x", Seed: uint64(i), Verdict: "pass"})
	}
	var all []string
	for at := "text=x"; at != ""; {
		v, _ := url.ParseQuery(at)
		page := browse.Index(s, browse.ParseQuery(v))
		all = append(all, listed(page)...)
		next := regexp.MustCompile(`href="/\?([^"]*)">Later`).FindStringSubmatch(page.HTML())
		if at = ""; next != nil {
			at = html.UnescapeString(next[1])
		}
	}
	if len(all) != 250 || all[0] != "x/0" || all[249] != "x/249" {
		t.Errorf("%d runs are listed: %v", len(all), all)
	}
}

func TestTheListSaysWhatWentOtherwiseThanExpected(t *testing.T) {
	page := browse.Index(shelf, browse.ParseQuery(nil)).HTML()
	for _, want := range []string{
		"4 runs: 1 as expected, 1 not as expected, 1 unknown, 1 can&#39;t be read. 0 campaigns.",
		`<span class="chip">belief</span>`, `<span class="chip odd">storage holds, not as expected</span>`,
		`<span class="chip odd">quorum unknown, not as expected</span>`, "it ends in the middle", "lock.ttl=20s",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("it does not say %q:\n%s", want, page)
		}
	}
}

// viewOf returns a run as it is shown.
func viewOf(t *testing.T, id string, seed uint64, set ...string) browse.View {
	t.Helper()
	s, ok := scenarios.Find(id)
	if !ok {
		t.Fatalf("no scenario %s", id)
	}
	for _, change := range set {
		if err := s.Set(change); err != nil {
			t.Fatal(err)
		}
	}
	r := scenarios.Run(s, seed)
	return browse.View{Place: fmt.Sprintf("%s/%d", id, seed), Run: runs.Describe(r, runs.Making{Settings: set}), Scenario: &s}
}

// text leaves the markup out.
func text(page *reports.Document) string {
	cells := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(strings.ReplaceAll(page.HTML(), "</td>", "|"), "")
	return strings.ReplaceAll(html.UnescapeString(cells), "\u00a0", " ")
}

func TestTwoRunsSideBySideShowWhereTheyDiffer(t *testing.T) {
	a, b := viewOf(t, "kleppmann/gc-pause", 1), viewOf(t, "kleppmann/gc-pause", 2, "lock.ttl=20s")
	page := browse.ComparePage(a, b)
	for _, want := range []string{"beliefviolated|holds|≠|violated|", "validityholds|holds||holds|", "lock.ttl10s|20s|",
		"expired-while-heldhappened|never happened|≠|happened|", "when c1 read pause c1 for 15swhen c1 read pause c1 for 15s|"} {
		if !strings.Contains(text(page), want) {
			t.Errorf("it does not say %q:\n%s", want, text(page))
		}
	}
	if strings.Contains(page.HTML(), "the same run") || !strings.Contains(browse.ComparePage(a, a).HTML(), "the same run") {
		t.Error("it takes two runs for one, or one for two")
	}
	other := text(browse.ComparePage(a, viewOf(t, "kleppmann/clock-jump", 1)))
	if want := "when c1 read pause c1 for 15s|"; !strings.Contains(other, want) {
		t.Errorf("it does not say %q:\n%s", want, other)
	}
}

// The colour of an alarm is for what the scenario does not expect.
func TestAPromiseThatBreaksAsExpectedIsNoAlarm(t *testing.T) {
	const broken, planned = `<td><span class="violated">violated`, `<td><span class="expected">violated`
	view := viewOf(t, "kleppmann/gc-pause", 1)
	if page := browse.RunPage(view).HTML(); strings.Contains(page, broken) || !strings.Contains(page, planned) {
		t.Error("a break that the scenario expects looks like one that it does not")
	}
	view.Run.Properties = slices.Clone(view.Run.Properties)
	for i := range view.Run.Properties {
		view.Run.Properties[i].Expect = "holds"
	}
	if page := browse.ComparePage(view, view).HTML(); !strings.Contains(page, broken) || strings.Contains(page, planned) {
		t.Error("a break that the scenario does not expect looks like one that it does")
	}
}

func TestASideThatCanNotBeReadIsNamed(t *testing.T) {
	page := text(browse.ComparePage(viewOf(t, "kleppmann/gc-pause", 1), browse.View{Place: "x/1", Wrong: "result.json can't be read", Unparsed: "scenario.yaml can't be read"}))
	for _, want := range []string{"x/1", "result.json can't be read", "scenario.yaml can't be read", "The settings can’t be compared"} {
		if !strings.Contains(page, want) {
			t.Errorf("it does not say %q:\n%s", want, page)
		}
	}
}

func TestSchedulesAreAlignedByTheLinesTheyShare(t *testing.T) {
	a, b := viewOf(t, "kleppmann/gc-pause", 1), viewOf(t, "kleppmann/gc-pause", 1)
	for v, lines := range map[*browse.View]string{
		&a: "at 1s for 1s pause c1\nat 2s for 1s pause c2\nat 4s for 1s pause c1\n",
		&b: "at 1s for 1s pause c1\nat 3s for 1s pause c2\nat 4s for 1s pause c1\n",
	} {
		schedule, err := faults.Parse(lines)
		if err != nil {
			t.Fatal(err)
		}
		v.Scenario.Faults = schedule
	}
	var got []string
	for _, m := range regexp.MustCompile(`<tr( class="marked")?><th scope="row">(?:<code>(at .*?)</code>)?</th><td>(?:<code>(.*?)</code>)?</td>`).FindAllStringSubmatch(browse.ComparePage(a, b).HTML(), -1) {
		got = append(got, fmt.Sprintf("%v %s|%s", m[1] != "", m[2], m[3]))
	}
	want := []string{"false at 1s for 1s pause c1|at 1s for 1s pause c1", "true at 2s for 1s pause c2|", "true |at 3s for 1s pause c2", "false at 4s for 1s pause c1|at 4s for 1s pause c1"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}

func TestTheSameGivesTheSameBytes(t *testing.T) {
	for range 3 {
		a, b := viewOf(t, "kleppmann/gc-pause", 1), viewOf(t, "kleppmann/clock-jump", 1)
		if browse.ComparePage(a, b).HTML() != browse.ComparePage(viewOf(t, "kleppmann/gc-pause", 1), viewOf(t, "kleppmann/clock-jump", 1)).HTML() ||
			browse.RunPage(a).HTML() != browse.RunPage(viewOf(t, "kleppmann/gc-pause", 1)).HTML() {
			t.Fatal("a page is made in two ways")
		}
	}
}

// A matrix is read as it was asked: which lock breaks under which faults.
func TestAMatrixHasARowForEachLockAndAColumnForEachClassOfFaults(t *testing.T) {
	calm, hit := browse.Tally{Runs: 50, Counts: []stats.Count{{Violated: 0, Unknown: 0, Runs: 50}, {Violated: 0, Unknown: 0, Runs: 50}}}, browse.Tally{Runs: 50, Broken: 9, Counts: []stats.Count{{Violated: 9, Unknown: 0, Runs: 50}, {Violated: 0, Unknown: 0, Runs: 50}}}
	cut := browse.Tally{Runs: 50, Counts: []stats.Count{{Violated: 0, Unknown: 2, Runs: 50}, {Violated: 0, Unknown: 0, Runs: 50}}}
	c := browse.Campaign{Place: "m", Kind: "matrix", Scenario: "redlock/any", First: 1, Runs: 50, Cells: 4, Settings: []string{"a", "b", "c", "d"}, Blocks: 4, Of: 4,
		Counted: true, Properties: []string{"belief", "tokens"}, Tallies: []browse.Tally{calm, hit, cut, calm},
		Locks: []string{"redlock", "single, aof-always"}, Faults: []string{"none", "delay, loss"}}
	page := browse.CampaignPage(c).HTML()
	for _, want := range []string{
		`<th scope="col"></th><th scope="col" class="n">none</th><th scope="col" class="n">delay, loss</th>`,
		`<tr><th scope="row">redlock</th><td class="n" title="redlock, none: 0 of 50: below 7.1 % at 95 % confidence">0</td><td class="n" title="redlock, delay, loss: 9 of 50`,
		`<tr><th scope="row">single, aof-always</th><td class="n" title="single, aof-always, none: 0 of 50, 2 unknown`, `<span class="unknown">0?</span>`, `<span class="violated">18</span>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("it lacks %s:\n%s", want, page)
		}
	}
	if strings.Count(page, `class="grid"`) != 1 || strings.Contains(page, "Violations by cell") {
		t.Errorf("it has a table for what never broke, or one of cells:\n%s", page)
	}
	c.Views = []string{"mutex"} // which redlock's runs have, and those of the other lock have not
	for i, n := range []int{0, 3, 0, 0} {
		c.Tallies[i].Counts = append(slices.Clone(c.Tallies[i].Counts), stats.Count{Violated: n, Unknown: i / 2 * 50, Runs: 50})
	}
	for _, want := range []string{`<h3>blackbox.mutex</h3>`, `>6</span></td>`, `<tr><th scope="row">single, aof-always</th><td class="n"></td><td class="n"></td></tr>`} {
		if page := browse.CampaignPage(c).HTML(); !strings.Contains(page, want) {
			t.Errorf("it lacks %s:\n%s", want, page)
		}
	}
	c.Views = nil
	c.Tallies[1] = calm
	if page := text(browse.CampaignPage(c)); !strings.Contains(page, "No property is violated in any cell.") {
		t.Errorf("nothing broke:\n%s", page)
	}
}

func TestACampaignIsCountedByPropertyAndByCell(t *testing.T) {
	c := browse.Campaign{Place: "hunt", Kind: "fuzz", Scenario: "redlock/any", First: 1, Runs: 1000, Cells: 1, Settings: []string{""}, Blocks: 2, Of: 2, Counted: true,
		Properties: []string{"belief", "tokens"}, Tallies: []browse.Tally{{Runs: 1000, Broken: 17, Counts: []stats.Count{{Violated: 17, Unknown: 3, Runs: 1000}, {Violated: 0, Unknown: 0, Runs: 1000}}}}}
	for _, want := range []string{"fuzz of redlock/any", "1,000 runs, from seed 1. All rows are there.", "belief17 of 1,000, 3 unknown: between 0.99 % and 3.1 % at 95 % confidence|3|", "tokens0 of 1,000: below 0.37 % at 95 % confidence|0|"} {
		if page := text(browse.CampaignPage(c)); !strings.Contains(page, want) {
			t.Errorf("it does not say %q:\n%s", want, page)
		}
	}
	c.Views = []string{"mutex", "rwlock"} // the runs are held to one of them
	c.Tallies[0].Counts = append(c.Tallies[0].Counts, stats.Count{Violated: 17, Runs: 1000}, stats.Count{Unknown: 1000, Runs: 1000})
	if page := text(browse.CampaignPage(c)); !strings.Contains(page, "blackbox.mutex17 of 1,000: between") || strings.Contains(page, "rwlock") {
		t.Errorf("of two views the runs have one:\n%s", page)
	}
	c.Views, c.Tallies[0].Counts = nil, c.Tallies[0].Counts[:2]
	c.Cells, c.Blocks, c.Settings = 300, 1, []string{"lock.ttl=1s", "lock.ttl=2s"}
	c.Tallies = append(c.Tallies, browse.Tally{Runs: 0, Counts: []stats.Count{{Violated: 0, Unknown: 0, Runs: 0}, {Violated: 0, Unknown: 0, Runs: 0}}})
	for _, want := range []string{"300 cells of 1,000 runs", "1 of 2 blocks of rows are there.", "lock.ttl=1s1,000|17 (0.99 % to 3.1 %)|", "lock.ttl=2s0|0 (0 % to 100 %)|", "298 more cells are not shown"} {
		if page := text(browse.CampaignPage(c)); !strings.Contains(page, want) {
			t.Errorf("it does not say %q:\n%s", want, page)
		}
	}
}
