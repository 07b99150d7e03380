package campaigns_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// figurePlaces returns the places of checker's figures.
func figurePlaces() map[string]int {
	at := map[string]int{}
	for i, f := range new(checker.Judge).Figures(&checker.Evidence{}) {
		at[f.Name] = i
	}
	return at
}

// invented makes up the rows of a job. Belief breaks in every run whose seed is below broken, at that many tenths of a
// second. Each other run lasts two seconds, except for seed 4, which soon ends.
func invented(t *testing.T, j *campaign.Job, broken uint64, figures ...string) *campaign.Survey {
	t.Helper()
	s := &campaign.Survey{Job: j, Figures: slices.Concat(campaigns.ChartFigures, figures)}
	if err := s.Begin(); err != nil {
		t.Fatal(err)
	}
	at := figurePlaces()
	for cell := range j.Cells {
		for seed := j.First; seed < j.First+uint64(j.Runs); seed++ {
			r := campaign.Row{Cell: cell, Seed: seed, Figures: make([]int64, len(at))}
			for i := range r.Figures {
				r.Figures[i] = campaign.Absent
			}
			r.Figures[at["end"]] = 2e9
			r.Figures[at["wait-median"]], r.Figures[at["wait-max"]], r.Figures[at["held"]] = int64(seed)*1e6, int64(seed)*1e8, 1e9
			if seed == 4 {
				r.Figures[at["end"]] = 15e7
			}
			if seed < broken {
				r.Violated, r.Verdict, r.Figures[at["first-violation"]] = 1, scenarios.Fail, int64(seed)*1e8
			}
			s.AddAll([]campaign.Row{r})
		}
	}
	return s
}

// jobOf is a job of one cell.
func jobOf(t *testing.T, id string, runs int) *campaign.Job {
	t.Helper()
	return &campaign.Job{Kind: "rows", Scenario: reportstest.Scenario(t, id), Cells: []campaign.Cell{nil}, First: 1, Runs: runs, Size: runs}
}

func namesOf(all []*plot.Picture) (names []string) {
	for _, p := range all {
		names = append(names, p.Name)
	}
	return names
}

func TestRowsDecideTheFigures(t *testing.T) {
	for broken, want := range map[uint64]string{0: "violations latency figure-held figure-renewals",
		2: "violations survival latency figure-held"} {
		got := namesOf(campaigns.Charts(invented(t, jobOf(t, "kleppmann/gc-pause", 20), broken, "held", "renewals")))
		if !strings.HasPrefix(want, strings.Join(got, " ")) && !strings.HasPrefix(strings.Join(got, " "), want) {
			t.Errorf("%d broke: %v; want %s", broken, got, want)
		}
	}
}

// Of runs with seeds 1 to 4 two broke, after 0.1 s and after 0.2 s; one ended in between. All waits and shares can be
// counted.
func TestFigureDataEqualsTheCounts(t *testing.T) {
	for _, p := range campaigns.Charts(invented(t, jobOf(t, "kleppmann/gc-pause", 4), 3)) {
		reportstest.GoldenFile(t, filepath.Join("charts", p.Name+".csv"), string(p.CSV()))
		if p.Name == "violations" { // look at it when it changes
			reportstest.GoldenFile(t, filepath.Join("charts", p.Name+".svg"), string(p.SVG(plot.Column, p.Name, true)))
		}
	}
}

func storedOf(t *testing.T, s *campaign.Survey) *campaigns.Campaign {
	t.Helper()
	least := parsed(t, "at 1s for 2s pause c1")
	least.Clients = 2
	c := &campaigns.Campaign{
		Survey: *s, Version: "0.0.0", Command: "lockstorm run kleppmann/gc-pause", Hash: strings.Repeat("ab", 32),
		Ways: []campaigns.Way{{Signature: campaign.Signature{Property: "belief", Kinds: campaign.KindsOf(least.Faults), Runs: 3, First: 7,
			From: 4, Shrunk: true, Least: campaign.Shrinker{Least: least, Seed: 7, Runs: 9}, File: "counterexamples/belief-pause.yaml"},
			Cell: campaign.Cell{{Key: "pause.for", Value: "2s"}}, YAML: "title: belief breaks\nschedule: |\n  at 1s for 2s  pause c1\n",
			Page: "counterexamples/belief-pause.html"}},
	}
	c.Draw()
	return c
}

func TestCampaignPageStatesItsEvidence(t *testing.T) {
	c := storedOf(t, invented(t, jobOf(t, "kleppmann/gc-pause", 4), 3))
	whole := []byte(c.Document().HTML())
	c.Missing = 2
	page := strings.ReplaceAll(c.Document().HTML(), "\u00a0", " ")
	for _, want := range []string{
		"4 runs, 1 cell: belief broke, as this scenario is meant to show.", "It is incomplete: 2 of 1 blocks have not run yet",
		`, as this scenario is meant to show</span></td>`, `<span class="holds">0 of 4: below 60.2% at 95% confidence</span>`,
		`lockstorm run <span class="word">kleppmann/gc-pause</span></pre>`, strings.Repeat("ab", 32), "1 to 4", `<a href="figures/survival.pdf">PDF</a>`,
		`<a href="counterexamples/belief-pause.html">The report of its run</a>`, "at 1s for 2s pause c1", "intervals: Clopper and Pearson, 95%", "At pause.for=2s. First with seed 7; shrunk from 4 faults to 1 in 9 runs.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	again := storedOf(t, invented(t, jobOf(t, "kleppmann/gc-pause", 4), 3))
	if !bytes.Equal([]byte(again.Document().HTML()), whole) || bytes.Contains(whole, []byte("incomplete")) {
		t.Error("the same campaign gives another page")
	}
	if len(page) > 400_000 {
		t.Errorf("it has %d bytes", len(page))
	}
}

func TestHostileTextsAreHarmlessInACampaignPage(t *testing.T) {
	for _, name := range []string{`</title></style><script>alert(1)</script><img src=x onerror=alert(1)>`, "../../etc/passwd", strings.Repeat("x", 1<<20), "\u202egnp.exe", "a\x00b\x1b[31m"} {
		j := jobOf(t, "kleppmann/gc-pause", 4)
		j.Scenario.ID, j.Scenario.Title, j.Scenario.About, j.Kind = name, name, name, name
		c := storedOf(t, invented(t, j, 3))
		c.Command, c.Version, c.Ways[0].YAML, c.Ways[0].Command = name, name, name, name
		page := []byte(c.Document().HTML())
		if bytes.Contains(page, []byte("<script")) || bytes.Contains(page, []byte("<img")) || bytes.ContainsRune(page, '\u202e') || bytes.ContainsAny(page, "\x00\x1b") || len(page) > 500_000 {
			t.Errorf("%.20q goes into a page of %d bytes as it is", name, len(page))
		}
		for _, p := range campaigns.Charts(&c.Survey) {
			if svg := p.SVG(plot.Column, "p", true); bytes.Contains(svg, []byte("<script")) || len(svg) > 200_000 {
				t.Errorf("%.20q goes into %s, of %d bytes", name, p.Name, len(svg))
			}
		}
	}
}

// A study may have other locks than its scenario. The page must not describe its cells by the scenario's lock.
func TestStudyPageOmitsItsScenariosTitle(t *testing.T) {
	s, v := shipped(t, "matrix", "", 2, "redlock")
	x := campaigns.NewStudy(s, v)
	c := &campaigns.Campaign{Survey: *v, Study: &x}
	if c.Draw() != 1 {
		t.Error("it has no figure")
	}
	page := c.Document().HTML()
	if strings.Contains(page, v.Job.Scenario.Title) || !strings.Contains(page, "A study of redlock") || !strings.Contains(page, s.Title) {
		t.Error("it has the title of its scenario")
	}
}
