package campaigns_test

import (
	"bytes"
	"fmt"
	"os"
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

// figurePlaces describes where checker's figures stand.
func figurePlaces() map[string]int {
	at := map[string]int{}
	for i, f := range new(checker.Judge).Figures(&checker.Evidence{}) {
		at[f.Name] = i
	}
	return at
}

// invented makes up the rows of a job: belief breaks in every run of a cell whose seed is below the number of the cell,
// at that many tenths of a second; each other run goes on for two seconds, but for that of seed 4, which is soon over.
func invented(t *testing.T, j *campaign.Job, figures ...string) *campaign.Survey {
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
			r.Figures[at["end"]], r.Figures[at["unavailable"]] = 2e9, int64(cell)*1e7
			r.Figures[at["wait-median"]], r.Figures[at["wait-max"]], r.Figures[at["held"]] = int64(seed)*1e6, int64(seed)*1e8, 1e9
			if seed == 4 {
				r.Figures[at["end"]] = 15e7
			}
			if seed < uint64(cell) {
				r.Violated, r.Verdict, r.Figures[at["first-violation"]] = 1, scenarios.Fail, int64(seed)*1e8
			}
			s.AddAll([]campaign.Row{r})
		}
	}
	return s
}

// jobOf is a sweep's job.
func jobOf(t *testing.T, id string, runs int, axes ...string) *campaign.Job {
	t.Helper()
	s := reportstest.Scenario(t, id)
	w := &campaign.Sweep{Scenario: s, First: 1, Runs: runs}
	for _, text := range axes {
		a, err := campaign.ParseAxis(s, text)
		if err != nil {
			t.Fatal(err)
		}
		w.Axes = append(w.Axes, a)
	}
	return w.Job()
}

func namesOf(all []*plot.Picture) (names []string) {
	for _, p := range all {
		names = append(names, p.Name)
	}
	return names
}

func TestWhichFiguresThereAreFollowsFromTheCells(t *testing.T) {
	_, two := shipped(t, "matrix", "", 3, "redlock, [ad]*")
	matrix := two.Job
	odd := jobOf(t, "kleppmann/gc-pause", 3, "pause.for=1s,2s,3s")
	odd.Cells = append(odd.Cells, nil)
	for name, c := range map[string]struct {
		job  *campaign.Job
		want string
	}{
		"one cell, nothing broke": {jobOf(t, "kleppmann/gc-pause", 20), "violations latency"},
		"an axis":                 {jobOf(t, "kleppmann/gc-pause", 3, "pause.for=1s,2s,3s"), "violations survival latency availability"},
		"one value":               {jobOf(t, "kleppmann/gc-pause", 3, "pause.for=1s"), "violations latency availability"},
		"two axes":                {jobOf(t, "kleppmann/gc-pause", 3, "pause.for=1s,2s", "lock.ttl=1s,2s"), "violations map-belief survival latency availability"},
		"three axes":              {jobOf(t, "kleppmann/gc-pause", 3, "pause.for=1s,2s", "lock.ttl=1s,2s", "clients=2,3"), "violations survival latency availability"},
		"words":                   {jobOf(t, "redlock/any", 3, "persistence=none,aof-always,aof-everysec"), "violations survival latency availability"},
		"a matrix":                {matrix, "matrix matrix-belief survival latency"},
		"no grid":                 {odd, "violations survival latency"},
	} {
		got := namesOf(campaigns.Charts(invented(t, c.job), nil))
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v; want %s", name, got, c.want)
		}
	}
	all := campaigns.Charts(invented(t, jobOf(t, "kleppmann/gc-pause", 3, "pause.for=1s,2s"), "held", "renewals"), nil)
	if got := namesOf(all); !slices.Contains(got, "figure-held") || !slices.Contains(got, "figure-renewals") {
		t.Error(got)
	}
}

// Cell 3 of runs with seeds 1 to 4 broke in two: after 0.1 s and after 0.2 s; one ended in between. All waits and shares can be counted.
func TestTheDataOfFiguresIsWhatWasCounted(t *testing.T) {
	all := campaigns.Charts(invented(t, jobOf(t, "kleppmann/gc-pause", 4, "pause.for=1s,2s,3s,10s")), nil)
	for _, p := range all {
		reportstest.GoldenFile(t, filepath.Join("charts", p.Name+".csv"), string(p.CSV()))
		if p.Name == "violations" { // look at it when it changes
			reportstest.GoldenFile(t, filepath.Join("charts", p.Name+".svg"), string(p.SVG(plot.Column, p.Name, true)))
		}
	}
}

func TestTheBoundOverAMapIsTheOneThatIsComputed(t *testing.T) {
	j := jobOf(t, "antirez/delayed-restart-short", 3, "restart.for=8s,9s,10s,11s", "lock.ttl=9s,10s")
	s := invented(t, j)
	s.Cells[0].Properties[2].Violated = 1 // quorum has a bound
	for _, p := range campaigns.Charts(s, nil) {
		h, is := p.Drawing.(*plot.Heat)
		if !is {
			continue
		}
		if p.Name != "map-quorum" {
			if len(h.Bounds) > 0 {
				t.Errorf("%s has a bound", p.Name)
			}
			continue
		}
		// T - A is 9s - 92ms and 10s - 102ms: between 8s and 9s, and between 9s and 10s; then on to the edges.
		want := fmt.Sprint([]float64{0.908, 0.908, 1.898, 1.898}, []float64{-0.5, 0, 1, 1.5})
		if got := fmt.Sprint(rounded(h.Bounds[0].X), h.Bounds[0].Y); len(h.Bounds) != 1 || got != want {
			t.Errorf("it lies at %s; want %s", got, want)
		}
	}
}

func rounded(all []float64) (some []float64) {
	for _, v := range all {
		some = append(some, float64(int(v*1000+0.5))/1000)
	}
	return some
}

func storedOf(t *testing.T, s *campaign.Survey) *campaigns.Campaign {
	t.Helper()
	least := parsed(t, "at 1s for 2s pause c1")
	least.Clients = 2
	c := &campaigns.Campaign{
		Survey: *s, Version: "0.0.0", Command: "lockstorm sweep kleppmann/gc-pause", Hash: strings.Repeat("ab", 32),
		Ways: []campaigns.Way{{Signature: campaign.Signature{Property: "belief", Kinds: campaign.KindsOf(least.Faults), Runs: 3, First: 7,
			From: 4, Shrunk: true, Least: campaign.Shrinker{Least: least, Seed: 7, Runs: 9}, File: "counterexamples/belief-pause.yaml"},
			Cell: campaign.Cell{{Key: "pause.for", Value: "2s"}}, YAML: "title: belief breaks\nschedule: |\n  at 1s for 2s  pause c1\n",
			Page: "counterexamples/belief-pause.html"}},
	}
	c.Draw()
	return c
}

func TestACampaignsPageSaysWhatItTakesToTrustIt(t *testing.T) {
	c := storedOf(t, invented(t, jobOf(t, "kleppmann/gc-pause", 4, "pause.for=1s,2s,3s,10s")))
	whole := []byte(c.Document().HTML())
	c.Missing = 2
	page := strings.ReplaceAll(c.Document().HTML(), "\u00a0", " ")
	for _, want := range []string{
		"16 runs, 4 cells: belief broke, as expected.", "It is not whole: 2 of 4 blocks are not made yet",
		`<td><span class="expected">2 of 4 cells: 3 of 16 runs, as expected</span></td>`, `<span class="expected">broke, as the scenario expects</span>`, `<td><span class="holds">0 of 16: below 20.6 % at 95 % confidence</span></td>`,
		`lockstorm sweep <span class="word">kleppmann/gc-pause</span></pre>`, strings.Repeat("ab", 32), "1 to 4", `<a href="figures/survival.pdf">PDF</a>`,
		`<a href="counterexamples/belief-pause.html">The report of its run</a>`, "at 1s for 2s pause c1", "bands: Wilson, 95 %", "At pause.for=2s. First with seed 7; shrunk from 4 faults to 1 in 9 runs.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	again := storedOf(t, invented(t, jobOf(t, "kleppmann/gc-pause", 4, "pause.for=1s,2s,3s,10s")))
	if !bytes.Equal([]byte(again.Document().HTML()), whole) || bytes.Contains(whole, []byte("not whole")) {
		t.Error("the same campaign gives another page")
	}
	if len(page) > 400_000 {
		t.Errorf("it has %d bytes", len(page))
	}
}

func TestHostileTextsDoNothingInACampaignsPage(t *testing.T) {
	for _, name := range []string{`</title></style><script>alert(1)</script><img src=x onerror=alert(1)>`, "../../etc/passwd", strings.Repeat("x", 1<<20), "\u202egnp.exe", "a\x00b\x1b[31m"} {
		j := jobOf(t, "kleppmann/gc-pause", 4, "pause.for=1s,10s")
		j.Scenario.ID, j.Scenario.Title, j.Scenario.About, j.Kind = name, name, name, name
		c := storedOf(t, invented(t, j))
		c.Command, c.Version, c.Ways[0].YAML, c.Ways[0].Command = name, name, name, name
		page := []byte(c.Document().HTML())
		if bytes.Contains(page, []byte("<script")) || bytes.Contains(page, []byte("<img")) || bytes.ContainsRune(page, '\u202e') || bytes.ContainsAny(page, "\x00\x1b") || len(page) > 500_000 {
			t.Errorf("%.20q goes into a page of %d bytes as it is", name, len(page))
		}
		for _, p := range campaigns.Charts(&c.Survey, nil) {
			if svg := p.SVG(plot.Column, "p", true); bytes.Contains(svg, []byte("<script")) || len(svg) > 200_000 {
				t.Errorf("%.20q goes into %s, of %d bytes", name, p.Name, len(svg))
			}
		}
	}
}

// A page shows it, and the README has two of its shares: of a sweep whose answer is neither 0 nor 100 %. Look at it when it changes.
func TestTheFigureInTheReadmeIsCurrent(t *testing.T) {
	x := reportstest.Scenario(t, "kleppmann/gc-pause")
	if err := x.Set("work.work=1ms..10s"); err != nil {
		t.Fatal(err)
	}
	axis, err := campaign.ParseAxis(x, "pause.for=2s..12s:lin:6")
	if err != nil {
		t.Fatal(err)
	}
	j := (&campaign.Sweep{Scenario: x, First: 1, Runs: 200, Axes: []campaign.Axis{axis}}).Job()
	s := &campaign.Survey{Job: j, Figures: campaigns.ChartFigures}
	if err := s.Begin(); err != nil {
		t.Fatal(err)
	}
	j.Each(2, func(rows []campaign.Row) bool { s.AddAll(rows); return true })
	p := campaigns.Charts(s, nil)[0]
	shown := filepath.Join("..", "..", "pictures", "pauses.violations") // a page shows it
	reportstest.GoldenFile(t, shown+".svg", string(p.SVG(plot.Column, p.Name, true)))
	reportstest.GoldenFile(t, shown+".csv", string(p.CSV()))
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	const storage = 3
	for cell, words := range map[int]string{0: "a pause of 2 s loses an update in %s % of 200 runs", 2: "and one of 6 s in %s %."} {
		n := s.Cells[cell].Properties[storage]
		if want := strings.Replace(words, "%s", n.PerCent(1), 1); n.Unknown > 0 || !strings.Contains(strings.Join(strings.Fields(string(readme)), " "), want) {
			t.Errorf("%s: the README does not say %q", n, want)
		}
	}
}

// A matrix has other locks than its scenario, which must not be said to be what its cells are of.
func TestTheMatrixsPageSaysNothingOfItsScenariosOwnLock(t *testing.T) {
	_, matrix := shipped(t, "matrix", "", 2, "redlock")
	for j, want := range map[*campaign.Job]bool{jobOf(t, "redlock/any", 2, "lock.ttl=1s,2s"): true, matrix.Job: false} {
		page := storedOf(t, invented(t, j)).Document().HTML()
		if strings.Contains(page, j.Scenario.Title) != want || strings.Contains(page, "a matrix of redlock") == want {
			t.Errorf("the page of a %s says %q: %t", j.Kind, j.Scenario.Title, !want)
		}
	}
}

// Runs of different settings are never counted together: a band over the values of another axis would be one of a mixture
// that nobody ran.
func TestAPictureAlongAnAxisDoesNotPoolTheOthers(t *testing.T) {
	s := invented(t, jobOf(t, "kleppmann/gc-pause", 10, "pause.for=1s,2s,3s", "lock.ttl=9s,5s"))
	s.Cells[1].Properties[3].Violated, s.Cells[1].Broken = 10, 10 // storage, with a TTL of 5 s and a pause of 1 s
	for _, p := range campaigns.Charts(s, nil) {
		if p.Name == "map-belief" || p.Name == "map-storage" {
			continue
		}
		panels, is := p.Drawing.(*plot.Lines)
		if !is || len(panels.Panels) != 2 || panels.Panels[0].Title != "lock TTL = 5 s" || panels.Panels[1].Title != "lock TTL = 9 s" {
			t.Errorf("%s is no panel for each TTL: %T", p.Name, p.Drawing)
			continue
		}
		if !strings.Contains(p.Caption, "a panel for each lock TTL") || strings.Contains(p.Caption, "over all values") {
			t.Errorf("%s says %q", p.Name, p.Caption)
		}
		if !slices.Contains(p.Table[0], "lock.ttl") {
			t.Errorf("the data of %s do not say which TTL: %v", p.Name, p.Table[0])
		}
		if p.Name == "violations" {
			storage, other := panels.Panels[0].Series[1], panels.Panels[1].Series[1]
			if storage.Name != "storage" || storage.Y[0] != 100 || storage.Low[0] < 70 || other.Y[0] != 0 {
				t.Errorf("storage breaks in %v with 5 s, and in %v with 9 s", storage.Y, other.Y)
			}
		}
	}
}

// Where only one property broke, and the other axis has few values, a line for each stands in one picture.
func TestOnePropertyHasALineForEachValue(t *testing.T) {
	p := campaigns.Charts(invented(t, jobOf(t, "kleppmann/gc-pause", 5, "pause.for=1s,2s", "lock.ttl=1s,2s")), nil)[0]
	l, is := p.Drawing.(*plot.Lines)
	if !is || len(l.Panels) != 1 || len(l.Panels[0].Series) != 2 || l.Panels[0].Series[0].Name != "lock TTL = 1 s" || l.Y.Label != "runs in which belief breaks [%]" || !strings.Contains(p.Caption, "a line for each lock TTL") {
		t.Errorf("%T: %+v %s", p.Drawing, p.Drawing, p.Caption)
	}
}

// Of many values some have a panel, and the caption says how many.
func TestOfManyPanelsSomeAreDrawn(t *testing.T) {
	s := invented(t, jobOf(t, "kleppmann/gc-pause", 3, "pause.for=1s,2s", "lock.ttl=1s..20s:lin:20"))
	for _, p := range campaigns.Charts(s, nil) {
		if l, is := p.Drawing.(*plot.Lines); is && (len(l.Panels) != 12 || !strings.Contains(p.Caption, "(12 of 20; the data has all)")) {
			t.Errorf("%s has %d panels: %s", p.Name, len(l.Panels), p.Caption)
		}
	}
}

// Where nothing broke, intervals are those of cells, not of the grid.
func TestAnIntervalIsOfOneSetting(t *testing.T) {
	s := invented(t, jobOf(t, "kleppmann/gc-pause", 3, "pause.for=1s,2s", "lock.ttl=1s,2s"))
	for i := range s.Cells {
		s.Cells[i].Broken = 0
		for k := range s.Cells[i].Properties {
			s.Cells[i].Properties[k].Violated = 0
		}
	}
	v, is := campaigns.Charts(s, nil)[0].Drawing.(*plot.Intervals)
	if !is || len(v.Names) != 4 || v.High[0] < 50 {
		t.Errorf("%+v", v)
	}
	odd := jobOf(t, "kleppmann/gc-pause", 3, "pause.for=1s,2s,3s")
	odd.Cells = append(odd.Cells, nil)
	for _, p := range campaigns.Charts(invented(t, odd), nil) {
		if l, is := p.Drawing.(*plot.Lines); is && p.Name == "survival" && (l.Panels[0].Series[0].Low != nil || !strings.Contains(p.Caption, "there is no band, because the runs have different settings")) {
			t.Errorf("a curve over different settings has a band: %s", p.Caption)
		}
	}
}

// A figure's labels are words with units; keys are for those who write files.
func TestLabelsAreWordsWithUnits(t *testing.T) {
	for axis, want := range map[string]string{
		"lock.ttl=1s,2s": "lock TTL [s]", "pause.for=1s,2s": "duration of pause c1 [s]", "fault.1.after=1ms,2ms": "delay of pause c1 [ms]",
		"network.loss=0.1,0.2": "network loss [%]", "lock.drift_factor=0.1,0.2": "lock drift factor [%]", "clients=2,3": "clients", "lock.clock=wall,monotonic": "lock clock",
	} {
		if got := labelOf(t, axis, nil); got != want {
			t.Errorf("%s is labelled %q; want %q", axis, got, want)
		}
	}
	if got := labelOf(t, "lock.ttl=1s,2s", campaigns.Labels{"lock.ttl": "lease time", "belief": "two holders"}); got != "lease time [s]" {
		t.Errorf("with a label of one's own it is %q", got)
	}
	p := campaigns.Charts(invented(t, jobOf(t, "kleppmann/gc-pause", 3, "pause.for=1s,2s,3s")), campaigns.Labels{"belief": "two holders"})[0]
	if l := p.Drawing.(*plot.Lines); l.Panels[0].Series[0].Name != "two holders" {
		t.Errorf("the property is called %q", l.Panels[0].Series[0].Name)
	}
}

func labelOf(t *testing.T, axis string, labels campaigns.Labels) string {
	t.Helper()
	for _, p := range campaigns.Charts(invented(t, jobOf(t, "kleppmann/gc-pause", 3, axis)), labels) {
		if p.Name == "availability" {
			return p.Drawing.(*plot.Lines).X.Label
		}
	}
	return "nothing"
}
