package debate_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/lockstorm/lockstorm/reports/internal/debate"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// tried makes a few runs of all steps of an argument; bounds are measured where they are asked for.
func tried(t testing.TB, a *debate.Argument, runs, searched int, bounds bool) *debate.Debate {
	t.Helper()
	d := &debate.Debate{Argument: a, Version: "9.9.9", Command: "lockstorm debate", Seed: 1, Runs: runs, Seeds: 1}
	for _, s := range a.Steps() {
		trial := debate.NewTrial(s)
		rows := func(n int, set campaign.Cell) []campaign.Row {
			return (&campaign.Job{Scenario: trial.Scenario, Cells: []campaign.Cell{set}, First: 1, Runs: n, Size: 50}).All(2, nil)
		}
		if trial.Searched() {
			trial.Rows = rows(searched, nil)
		} else {
			trial.Rows = rows(runs, nil)
			for _, m := range trial.Scenario.Mutants {
				trial.Mutants = append(trial.Mutants, rows(max(runs, m.Within), m.Set))
			}
			trial.Drawn = scenarios.Run(*trial.Scenario, 1)
		}
		if bounds {
			trial.Edges = campaign.EdgesOf(trial.Scenario, 1, 1)
		}
		d.Trials = append(d.Trials, trial)
	}
	return d
}

// short is an argument with an assertion of each kind.
const short = `
# summary: In one page
All is well {pause: storage violated}.

# chapter: A chapter
As [kleppmann] says in ` + "`code`" + `, *never* alone; see §chapter.

## kleppmann/gc-pause: A pause
figure
An update is lost {storage violated}, the windows
do not overlap {validity holds}, and {stale-write-refused happened}.

Right: Kleppmann.
Scope: One pause.

## kleppmann/pause-before-reply: A pause before the reply
It is refused {kleppmann/gc-pause: fenced holds} {no-validity-check: belief violated} {figure attempts}.

## antirez/delayed-restart-short: A bound
{bound quorum} and {wait-max shorter than kleppmann/gc-pause}

## redlock/any under restart as forgetting: A search
{validity sometimes violated}
`

func parse(t testing.TB, text string) *debate.Argument {
	t.Helper()
	a, err := debate.ParseArgument(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

var shortly = strings.Replace(short, "{pause: ", "{kleppmann/gc-pause: ", 1)

// Everybody whose debate it is has a word in it for each claim; if the catalogue gets another, so must the document.
func TestEveryClaimOfTheDebateHasItsStep(t *testing.T) {
	steps := map[string]*debate.Step{}
	for _, s := range debate.TheArgument().Steps() {
		steps[s.Key] = s
	}
	claims := 0
	for _, s := range scenarios.Catalogue() {
		if !slices.Contains([]string{"the Redis documentation", "Kleppmann", "antirez"}, s.Claim.By) {
			continue
		}
		claims++
		step := steps[s.ID]
		if step == nil {
			t.Errorf("%s tests a claim by %s, and has no step in reports/internal/debate/argument.txt: write one, ## %s: TITLE, with the assertions that its sentences make", s.ID, s.Claim.By, s.ID)
			continue
		}
		words := map[string]bool{}
		asserted := false
		for _, p := range step.Text {
			words[p.Word] = true
			asserted = asserted || slices.ContainsFunc(p.Spans, func(s debate.Span) bool { return s.Claim != nil })
		}
		if !asserted || !words["Right"] || !words["Open"] || !words["Scope"] {
			t.Errorf("the step of %s in reports/internal/debate/argument.txt must assert something, and say Right, Open and Scope", s.ID)
		}
	}
	if claims < 29 {
		t.Errorf("only %d claims found", claims)
	}
}

// A claim that nobody has written of yet is told all the same, in a chapter of its own.
func TestClaimsWithoutAStepComeLast(t *testing.T) {
	a := parse(t, shortly)
	before := len(a.Steps())
	a.Rest([]scenarios.Scenario{*reportstest.Scenario(t, "kleppmann/gc-pause"), *reportstest.Scenario(t, "kleppmann/delayed-write"), *reportstest.Scenario(t, "baseline/fault-free")})
	if last := a.Chapters[len(a.Chapters)-1]; len(a.Steps()) != before+1 || last.ID != "more" || last.Steps[0].Scenario != "kleppmann/delayed-write" {
		t.Errorf("the last chapter is %+v", last)
	}
	chapters := len(a.Chapters)
	if a.Rest(nil); len(a.Chapters) != chapters {
		t.Error("there is a chapter for nothing")
	}
}

func TestTheTextOfAnArgumentIsReadOrRefused(t *testing.T) {
	for text, want := range map[string]string{
		"Prose.\n":                              "stands before the first chapter",
		"figure\n":                              "a figure stands in no step",
		"# one\n":                               "want # ID: TITLE",
		"## kleppmann/gc-pause: A pause\n":      "begins no step",
		"# a: A\n## kleppmann/gc-pause\n":       "begins no step",
		"# a: A\n## kleppmann/never: A pause\n": `"kleppmann/never", which is not in the catalogue`,
		"# a: A\n## kleppmann/gc-pause: A\n## kleppmann/gc-pause: B\n":                        "two steps",
		"# a: A\n## kleppmann/gc-pause with lock.tll=5s as x: A\n":                            `lock.tll`,
		"# a: A\n## kleppmann/gc-pause with lock.ttl=1us as x: A\n":                           "step x",
		"# a: A\nAs [nobody] says.\n":                                                         "cites [nobody]",
		"# a: A\nSee §nowhere.\n":                                                             "no such chapter",
		"# a: A\nLost {storage violated}.\n":                                                  "is not a step",
		"# a: A\n## kleppmann/gc-pause: A\nLost {storage is violated}.\n":                     "asserts nothing that is known",
		"# a: A\n## kleppmann/gc-pause: A\nLost {beauty violated}.\n":                         `no "beauty" to be violated`,
		"# a: A\n## kleppmann/gc-pause: A\nLost {refused-too-late happened}.\n":               "refused-too-late",
		"# a: A\n## kleppmann/gc-pause: A\nLost {figure beauty}.\n":                           "beauty",
		"# a: A\n## kleppmann/gc-pause: A\nLost {bound quorum}.\n":                            "quorum",
		"# a: A\n## kleppmann/gc-pause: A\nLost {wait-max shorter than nothing}.\n":           `"nothing" is not a step`,
		"# a: A\n## kleppmann/gc-pause: A\nLost {kleppmann/gc-pause odd: storage violated}\n": `no mutant "odd"`,
	} {
		if _, err := debate.ParseArgument(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
}

// Nothing is expected of a changed scenario but what the text asserts, and its command has the changes.
func TestAStepMayChangeItsScenario(t *testing.T) {
	text := "# a: A\n## kleppmann/gc-pause with lock.ttl=30s work.cycles=1 as long: A\nNothing is lost {storage %s}.\n"
	for says, want := range map[string]scenarios.Verdict{"holds": scenarios.Pass, "violated": scenarios.Fail} {
		d := tried(t, parse(t, strings.Replace(text, "%s", says, 1)), 2, 2, false)
		if wrong, worst := d.Wrong(); worst != want {
			t.Errorf("storage %s: %v, %q", says, worst, wrong)
		}
		page := d.Document().HTML()
		for _, part := range []string{"Changed: lock.ttl=30s work.cycles=1.", `<span class="word">--set</span> lock.ttl=30s <span class="word">--set</span> work.cycles=1</pre>`} {
			if !strings.Contains(page, part) {
				t.Errorf("the page does not say %q", part)
			}
		}
		if strings.Contains(page, "expected</th>") {
			t.Error("the page says what the scenario expects as it was")
		}
	}
}

func TestATrueArgumentPasses(t *testing.T) {
	d := tried(t, parse(t, shortly), 2, 200, true)
	wrong, worst := d.Wrong()
	page := d.Document().HTML()
	if len(wrong) > 0 || worst != scenarios.Pass || strings.Contains(page, "alarm violated") || strings.Contains(page, "NOT") {
		t.Errorf("%v %v", worst, wrong)
	}
	for _, want := range []string{
		`>2.1: storage`, `storage violated in all 2<`, `validity held in all 2<`, `mutant no-validity-check: belief violated in all 2<`,
		"quorum: computed 9.898 s; measured to hold at 9.89", "href=\"#ref-kleppmann\"", "section 1</a>",
	} {
		if want = strings.Replace(want, "2.1", "1.1", 1); !strings.Contains(page, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	again := tried(t, parse(t, shortly), 2, 200, false)
	for i := range again.Trials { // they take long
		again.Trials[i].Edges = d.Trials[i].Edges
	}
	if again.Document().HTML() != page || d.Document().HTML() != page {
		t.Error("the same runs gave another page")
	}
}

// Whatever a sentence asserts, the opposite is found out, and told at the head of the document.
func TestALieIsFoundAndToldLoudly(t *testing.T) {
	for truth, lie := range map[string]string{
		"{storage violated}, the":                                  "{storage holds}, the",
		"{validity holds}":                                         "{validity violated}",
		"{stale-write-refused happened}":                           "{quorum sometimes violated}",
		"{kleppmann/gc-pause: fenced holds}":                       "{kleppmann/gc-pause: fenced sometimes violated}",
		"{no-validity-check: belief violated}":                     "{no-validity-check: belief holds}",
		"{validity sometimes violated}":                            "{tokens sometimes violated}",
		"{wait-max shorter than kleppmann/gc-pause}\n\n## redlock": "{wait-max shorter than antirez/delayed-restart-short}\n\n## redlock",
	} {
		if !strings.Contains(shortly, truth) {
			t.Fatalf("there is no %q", truth)
		}
		d := tried(t, parse(t, strings.Replace(shortly, truth, lie, 1)), 1, 60, false)
		for i := range d.Trials { // bounds are another matter, and take long
			d.Trials[i].Edges = edges(d.Trials[i].Scenario, "9.898s", "9.9s", "9.8s")
		}
		alarmed(t, d, strings.TrimSuffix(lie, "\n\n## redlock"), "The text asserts {")
	}
}

// edges returns made-up edges for the bounds of a scenario.
func edges(s *scenarios.Scenario, computed, holds, breaks string) (all []campaign.Edge) {
	for _, b := range s.Bounds {
		all = append(all, campaign.Edge{Bound: b, Stated: true, Computed: computed, Holds: holds, Breaks: breaks})
	}
	return all
}

// alarmed sees that a debate fails in one thing, and that its page says so.
func alarmed(t *testing.T, d *debate.Debate, what, want string) {
	t.Helper()
	wrong, worst := d.Wrong()
	page := d.Document().HTML()
	if worst != scenarios.Fail || len(wrong) == 0 || !strings.Contains(wrong[0], want) {
		t.Errorf("%s: %v, %q", what, worst, wrong)
	}
	for _, loud := range []string{`<div class="alarm violated" role="alert">`, "The runs contradict this document", "Do not cite it"} {
		if !strings.Contains(page, loud) {
			t.Errorf("%s: the page does not say %q", what, loud)
		}
	}
	if !strings.HasPrefix(debate.Summary(d), "FAIL: ") {
		t.Errorf("%s: %s", what, debate.Summary(d))
	}
}

func TestAnUnsafeBoundIsALie(t *testing.T) {
	for _, c := range []struct{ computed, holds, breaks string }{{"9.7s", "9.9s", "9.8s"}, {"9.85s", "9.8s", "9.85s"}, {"9.9s", "9.7s", "9.8s"}} {
		d := tried(t, parse(t, "# summary: S\n## antirez/delayed-restart-short: A bound\n{bound quorum}"), 1, 1, false)
		d.Trials[0].Edges = edges(d.Trials[0].Scenario, c.computed, c.holds, c.breaks)
		alarmed(t, d, "a bound", "{antirez/delayed-restart-short: bound quorum}")
	}
}

// The finding of a claim is not checked word by word; but what its scenario expects is, and that its mutants die.
func TestARunThatGoesOtherwiseThanItsScenarioExpectsIsTold(t *testing.T) {
	text := "# summary: S\n## kleppmann/pause-before-reply: A pause\nProse."
	for name, c := range map[string]struct {
		want string
		harm func(r *debate.Trial)
	}{
		"a promise breaks": {"belief should hold, and is violated in 1 of 2 runs", func(r *debate.Trial) { r.Rows[1].Violated = 1 }},
		"nothing happened": {"refused-too-late should happen", func(r *debate.Trial) {
			r.Rows[0].Missing = 1 << slices.Index(r.Scenario.Sometimes, "refused-too-late")
		}},
		"a mutant survives":      {"the mutant no-validity-check should break belief, and did in 0 of", func(r *debate.Trial) { spare(r.Mutants[0]) }},
		"the other one survives": {"the mutant full-validity-after-late-votes should break belief and validity", func(r *debate.Trial) { spare(r.Mutants[1]) }},
	} {
		d := tried(t, parse(t, text), 2, 1, false)
		c.harm(&d.Trials[0])
		alarmed(t, d, name, c.want)
	}
}

// spare lets a mutant break nothing.
func spare(rows []campaign.Row) {
	for i := range rows {
		rows[i].Violated = 0
	}
}

// What was cut short is not known, and that is said; it is no contradiction.
func TestWhatIsNotKnownIsSaid(t *testing.T) {
	d := tried(t, parse(t, "# summary: S\n## kleppmann/gc-pause: A pause\nIt holds {validity holds}."), 3, 1, false)
	d.Trials[0].Rows[2].Unknown = 1 << 1
	wrong, worst := d.Wrong()
	page := d.Document().HTML()
	if worst != scenarios.Unknown || len(wrong) != 2 || !strings.Contains(page, "The runs leave open whether this document is right") || !strings.Contains(page, "NOT KNOWN: validity violated in 0 of 3, not known in 1") {
		t.Errorf("%v %q", worst, wrong)
	}
}

// Seeds that agree about what was planned are no sample: an interval stands only where something was drawn, or where seeds differ.
func TestAnIntervalStandsOnlyBesideWhatWasDrawn(t *testing.T) {
	const one = "shown by one run, the same in 3 seeds"
	d := tried(t, parse(t, "# summary: S\n## kleppmann/gc-pause: A pause\n{validity holds}\n\n"+
		"## kleppmann/gc-pause with network.loss=0.01 as lossy: Loss\n{validity holds}\n\n## redlock/any under pause as drawn: A search\n{validity holds}"), 3, 3, false)
	for _, want := range []string{
		"0.1,kleppmann/gc-pause,belief,violated,3 of 3,\"" + one, "0.1,kleppmann/gc-pause,validity,holds,0 of 3,\"" + one,
		"0.2,kleppmann/gc-pause,belief,,3 of 3,above 29.2 %", "0.2,kleppmann/gc-pause,validity,,0 of 3,below 70.8 %", "0.3,redlock/any,validity,,0 of 3,below 70.8 %",
	} {
		if csv := d.Document().CSV(); !strings.Contains(csv, want) {
			t.Errorf("no row is %q in\n%s", want, csv)
		}
	}
	if page := d.Document().HTML(); !strings.Contains(page, "(0 of 3 runs each, "+one+").") || !strings.Contains(page, "(0 of 3 runs each, below 70.8 %).") {
		t.Error("of what held, a planned step should have no interval, and a searched one should")
	}
	d.Trials[0].Rows[1].Violated = 0
	if csv := d.Document().CSV(); strings.Contains(csv, one) || !strings.Contains(csv, "0.1,kleppmann/gc-pause,validity,holds,0 of 3,below 70.8 %") {
		t.Errorf("seeds differ, and no interval says so:\n%s", csv)
	}
}

// The skeleton of the document: all that a reader reads, without the pictures, and with # for numbers, which are those of
// the runs. Rewrite it with go test ./reports/internal/debate -update.
func TestTheDocumentOfTheDebate(t *testing.T) {
	a := debate.TheArgument()
	a.Rest(scenarios.Catalogue())
	d := tried(t, a, 1, 100, false)
	page := d.Document().HTML()
	text := page[strings.Index(page, "<body"):]
	for _, c := range []struct{ from, to string }{
		{`(?s)<svg.*?</svg>`, ""}, {`(?s)<div class="alarm.*?</div>`, ""}, {`</(th|td|dt)>`, " | "}, {`<[^>]+>`, ""}, {`&#39;|&#34;`, "'"}, {`[0-9a-f]{64}`, "#"},
		{`\d+(,\d{3})*(\.\d+)?`, "#"}, {`all #`, "# of #"}, {`[ \t|]+\n`, "\n"}, {`\n{2,}`, "\n"},
	} {
		text = regexp.MustCompile(c.from).ReplaceAllString(text, c.to)
	}
	reportstest.Golden(t, "debate", "The document of lockstorm debate, without its pictures and its numbers.\n\n"+strings.TrimLeft(text, "\n"))
	if n := len(page); n > 3_000_000 {
		t.Errorf("it has %d bytes", n)
	}
	for _, outside := range []string{"<script", "src=", "@import", "url(http"} {
		if strings.Contains(page, outside) {
			t.Errorf("it needs something from outside: %s", outside)
		}
	}
	ids := regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(page, -1)
	known := map[string]bool{}
	for _, id := range ids {
		if known[id[1]] {
			t.Errorf("two things have the ID %s", id[1])
		}
		known[id[1]] = true
	}
	for _, link := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if !known[link[1]] {
			t.Errorf("a link leads to #%s, which is not there", link[1])
		}
	}
}

// The document is quiet and legible in both themes, fits a phone, and needs no script. So it is when it raises its alarm.
func TestTheDocumentIsQuietAndLegibleInABrowser(t *testing.T) {
	b := reportstest.Browse(t)
	b.Call(func() error {
		_, err := chromedp.Call(b.Ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	})
	good := tried(t, debate.TheArgument(), 1, 100, false)
	lying := tried(t, parse(t, strings.ReplaceAll(shortly, "{validity holds}", "{validity violated}")), 1, 60, false)
	for name, d := range map[string]*debate.Debate{"the document": good, "one that lies": lying} {
		page := []byte(d.Document().HTML())
		for _, theme := range []string{"light", "dark"} {
			b.Theme(theme)
			b.Open(page)
			for _, text := range reportstest.Ask[[]string](b, reportstest.Faint) {
				t.Errorf("%s, %s: too faint: %s", name, theme, text)
			}
		}
		b.Do(chromedp.EmulateViewport(400, 800))
		if wide := reportstest.Ask[int](b, `document.documentElement.scrollWidth`); wide > 400 {
			t.Errorf("%s: on a phone the page is %d pixels wide", name, wide)
		}
		b.Do(chromedp.EmulateViewport(1280, 800))
		b.Quiet(name)
	}
}
