package debate_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports/debate"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/sentence"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// tried makes a few runs of everything that an argument is about, and measures bounds if the caller asks for them.
func tried(t testing.TB, a *debate.Argument, runs, searched int, bounds bool) *debate.Debate {
	t.Helper()
	d := &debate.Debate{Argument: a, Trials: a.Trials(), Version: "9.9.9", Command: "lockstorm debate", Seed: 1, Runs: runs, Seeds: 1}
	for i := range d.Trials {
		trial := &d.Trials[i]
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
	}
	for _, s := range a.Studied() {
		study := debate.NewStudy(s, 1, runs)
		study.Rows = study.Job.All(2, nil)
		d.Studies = append(d.Studies, study)
	}
	return d
}

// short is an argument with an assertion of each kind.
const short = `
# summary: In one page
An update is lost {kleppmann/gc-pause: storage violated}, as [kleppmann] says in ` + "`code`" + `, *indeed*; see §chapter. Loss takes votes {no run: reasoning}.

helps kleppmann/gc-pause storage with work.recheck=true: a client that looks again

plot steps

Where all messages arrive one step does no harm {plot steps: jump1 none 1000} {plot steps: jump3 all 1000}.

# chapter: A chapter

# appendix: The appendix

# steps: Steps

## kleppmann/gc-pause: A pause
figure
An update is lost {storage violated}, the windows
do not overlap {validity holds}, and a write is refused {stale-write-refused happened}. Clients that look again keep it {with work.recheck=true: storage holds}.

## kleppmann/pause-before-reply: A pause before the reply
The lock is refused {refused-too-late happened} after {figure attempts}. Without the step it is not {no-validity-check: belief violated} {belief holds}.
Open: When the pause comes.

## antirez/delayed-restart-short: A bound
It is computed {bound quorum}.

## kleppmann/delayed-write: A comparison
The next waits for a time that is shorter than with another TTL {wait-max shorter than with lock.ttl=30s}.

# search: A search
Restarts break it {redlock/any under restart: validity sometimes violated}, and disks mend that {redlock/any under restart with persistence=aof-always: validity holds}.
`

func parse(t testing.TB, text string) *debate.Argument {
	t.Helper()
	a, err := debate.ParseArgument(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Each author in the debate has a step for each claim; a new claim in the catalogue needs a new step.
func TestEveryClaimHasItsStep(t *testing.T) {
	steps := map[string]bool{}
	for _, s := range debate.TheArgument().Steps() {
		steps[s.Scenario] = true
	}
	claims := 0
	for _, s := range scenarios.Catalogue() {
		if !slices.Contains([]string{"the Redis documentation", "Kleppmann", "antirez"}, s.Claim.By) {
			continue
		}
		if claims++; !steps[s.ID] {
			t.Errorf("%s tests a claim by %s, and has no step in reports/debate/argument.txt: write one, ## %s: TITLE", s.ID, s.Claim.By, s.ID)
		}
	}
	if claims < 29 {
		t.Errorf("only %d claims found", claims)
	}
}

// Each of these sentences says more than its evidence, or names something that does not exist. Reading rejects it,
// whatever the runs are.
func TestSentenceBeyondItsEvidenceIsRejected(t *testing.T) {
	const chapter, step = "# a: A\n", "# a: A\n## kleppmann/gc-pause: A\n"
	for text, want := range map[string]string{
		"Prose.\n":                                                               "before the first chapter",
		"# no chapter\n":                                                         "begins no chapter",
		"## kleppmann/gc-pause: A\n":                                             "begins no step",
		chapter + "## kleppmann/none: A\n":                                       `"kleppmann/none", which is not in the catalogue`,
		step + "## kleppmann/gc-pause: B\n":                                      "two steps",
		chapter + "plot nothing\n":                                               `no study "nothing"`,
		chapter + "figure kleppmann/gc-pause\n":                                  "is not a step",
		step + "plot pauses\n":                                                   "stands where nothing is drawn",
		step + "As [nobody] says.\n":                                             "not among the sources",
		step + "See §nowhere.\n":                                                 "no such chapter",
		step + "Something {storage is violated}.\n":                              "asserts nothing that is known",
		step + "Something {beauty violated}.\n":                                  `no "beauty" to be violated`,
		step + "Something {refused-too-late happened}.\n":                        "refused-too-late",
		step + "Something {figure beauty}.\n":                                    "beauty",
		step + "Something {bound quorum}.\n":                                     "quorum",
		step + "Something {odd: storage violated}.\n":                            `no mutant "odd"`,
		step + "Something {plot pauses: odd zero}.\n":                            "has no such line",
		step + "Something {plot pauses: never at 77}.\n":                         "has no value",
		chapter + "helps kleppmann/gc-pause storage: it\n":                       "helps nothing",
		chapter + "helps kleppmann/gc-pause beauty with work.recheck=true: it\n": `no "beauty"`,

		// The kinds of false sentences.
		step + "The pause takes 12 s {storage violated}.\n":                                                     "12 is neither a setting nor counted",
		step + "Two clients go on {belief violated} in 27 of 1,500 runs.\n":                                     "27 is neither a setting nor counted",
		step + "An update is lost.\n":                                                                           "rests on nothing",
		step + "An update is lost {belief violated}.\n":                                                         "rests on none of storage violated",
		step + "Fencing always keeps the data {fenced holds}.\n":                                                "more than runs of one plan show",
		step + "An update is lost {storage violated} more often than elsewhere, without the step.\n":            "no pair",
		step + "Clients that look keep it {with work.recheck=true: storage holds}.\n":                           "one setting less: no pair",
		step + "It is lost {storage violated}. It is kept {with work.recheck=true lock.ttl=30s: storage holds}": "no pair",
		step + "It is sooner {attempts shorter than kleppmann/clock-jump}.\n":                                   "in a pair one setting differs",
		step + "It is sooner {attempts shorter than with lock.ttl=5s work.recheck=true}.\n":                     "here 2 do",
		step + "No lock that expires does better.\n":                                                            `it says "No lock", and rests on nothing`,
		step + "As such {no run}.\n":                                                                            "asserts nothing that is known",
		step + "As such {no run: because}.\n":                                                                   `"because" is no reason`,
		step + "It lasts 12 s {no run: definition}.\n":                                                          `it says "12"`,
		step + "No lock can do it {no run: reasoning}.\n":                                                       `it says "No lock"`,
		step + "It is safer {no run: judgement}.\n":                                                             `it says "safer"`,
		step + "The lock is lost {no run: reasoning}.\n":                                                        `it says "lost"`,
		step + "Some say so {no run: source}.\n":                                                                "it names no source",
		step + "It never fails {storage violated} {no run: reasoning}.\n":                                       "more than runs of one plan show",
		chapter + "It is alike {plot pauses: looks like fenced}.\n":                                             "more than one setting: no pair",
		chapter + "It is less {plot pauses: looks below fenced}.\n":                                             "more than one setting: no pair",
	} {
		if _, err := debate.ParseArgument(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
}

// The assumptions of a step's scenario follow the result.
func TestStepStatesItsAssumptions(t *testing.T) {
	page := tried(t, parse(t, "# a: A\n\n# appendix: B\n\n# c: C\n## kleppmann/crash-restart: A restart"), 1, 1, false).Document().HTML()
	for _, want := range []string{"Assumed: ", "stay parted", "nodes write nothing to a disk", "reads carry tokens too"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// Each study that the argument names ships, and its runs can be made.
func TestStudiesHaveRunsThatCanBeMade(t *testing.T) {
	named := debate.TheArgument().Studied()
	if len(named) < 6 {
		t.Errorf("the argument names %q", named)
	}
	for _, name := range named {
		s := debate.NewStudy(name, 1, 1)
		if err := s.Job.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name == "grid" && len(s.Job.Cells) != 10*len(campaign.Columns()) {
			t.Errorf("the grid has %d places", len(s.Job.Cells))
		}
	}
}

func TestATrueArgumentPasses(t *testing.T) {
	d := tried(t, parse(t, short), 2, 200, true)
	wrong, worst := d.Wrong()
	page := strings.ReplaceAll(d.Document().HTML(), "\u00a0", " ")
	if len(wrong) > 0 || worst != scenarios.Pass || strings.Contains(page, "alarm violated") || strings.Contains(page, "NOT") {
		t.Errorf("%v %v", worst, wrong)
	}
	for _, want := range []string{
		">[A.1]<", "quorum: computed 9.898 s; measured to hold at 9.89", "href=\"#ref-kleppmann\"", "section 1</a>", "Without the step it is not.", " of 200, between",
		"<td>in each run</td><td>in none</td>", "Breaks belief and storage.", "mutant no-validity-check: belief", "plot-steps",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	if strings.Contains(page, "in all 2") {
		t.Error("a share that is all of them is shown")
	}
	again := tried(t, parse(t, short), 2, 200, false)
	for i := range again.Trials { // they take long
		again.Trials[i].Edges = d.Trials[i].Edges
	}
	if made := d.Document().HTML(); again.Document().HTML() != made || d.Document().HTML() != made {
		t.Error("the same runs gave another page")
	}
}

// Each sentence is turned into its opposite: the run finds the lie, and the head of the document reports it.
func TestLieIsFoundAndReportedFirst(t *testing.T) {
	lies := map[string]string{
		"An update is lost {storage violated}, the":                               "It is kept {storage holds}, the",
		"{validity holds}, and":                                                   "{validity violated}, and",
		"{stale-write-refused happened}":                                          "{quorum sometimes violated}",
		"{with work.recheck=true: storage holds}":                                 "{with work.recheck=true: storage violated}",
		"{no-validity-check: belief violated}":                                    "{no-validity-check: belief holds}",
		"{redlock/any under restart with persistence=aof-always: validity holds}": "{redlock/any under restart with persistence=aof-always: validity sometimes violated}",
		"{wait-max shorter than with lock.ttl=30s}":                               "{with lock.ttl=30s: wait-max shorter than kleppmann/delayed-write}",
		"{plot steps: jump1 none 1000}":                                           "{plot steps: jump1 all 1000}",
		"storage with work.recheck=true":                                          "belief with work.recheck=true",
	}
	for i, truth := range slices.Sorted(maps.Keys(lies)) {
		lie := lies[truth]
		if !strings.Contains(short, truth) {
			t.Fatalf("there is no %q", truth)
		}
		if !simtest.Long && i%2 > 0 {
			continue
		}
		d := tried(t, parse(t, strings.Replace(short, truth, lie, 1)), 1, 60, false)
		for i := range d.Trials { // bounds are another matter, and take long
			d.Trials[i].Edges = edges(d.Trials[i].Scenario, "9.898s", "9.9s", "9.8s")
		}
		alarmed(t, d, lie, "The text asserts ")
	}
}

// edges returns made-up edges for the bounds of a scenario.
func edges(s *scenarios.Scenario, computed, holds, breaks string) (all []campaign.Edge) {
	for _, b := range s.Bounds {
		all = append(all, campaign.Edge{Stated: true, Bound: campaign.Bound{Property: b.Property, Setting: b.Setting, Computed: computed,
			Holds: holds, Breaks: breaks}})
	}
	return all
}

// alarmed checks that a debate fails in one thing, and that its page says so.
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
		d := tried(t, parse(t, "# summary: S\n## antirez/delayed-restart-short: A bound\nIt is {bound quorum}"), 1, 1, false)
		d.Trials[0].Edges = edges(d.Trials[0].Scenario, c.computed, c.holds, c.breaks)
		alarmed(t, d, "a bound", "{antirez/delayed-restart-short: bound quorum}")
	}
}

// The finding of a claim is not checked word by word. But its scenario's expectations are checked, and its mutants
// must die.
func TestUnexpectedRunIsReported(t *testing.T) {
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

// The result of a run that was cut short is unknown, and the document says so; it is no contradiction.
func TestUnknownResultIsReported(t *testing.T) {
	d := tried(t, parse(t, "# summary: S\n## kleppmann/gc-pause: A pause\nIt holds {validity holds}."), 3, 1, false)
	d.Trials[0].Rows[2].Unknown = 1 << 1
	wrong, worst := d.Wrong()
	page := d.Document().HTML()
	if worst != scenarios.Unknown || len(wrong) != 2 || !strings.Contains(page, "The runs leave open whether this document is right") || !strings.Contains(page, "NOT KNOWN: validity violated in 0 of 3, not known in 1") {
		t.Errorf("%v %q", worst, wrong)
	}
}

// Seeds that agree about a planned schedule are no sample. A sentence has an interval only where something was random,
// or where seeds differ.
func TestOnlyRandomResultsHaveIntervals(t *testing.T) {
	const one = "shown by one run, the same in 3 seeds"
	d := tried(t, parse(t, "# summary: S\n## kleppmann/gc-pause: A pause\nIt holds {validity holds}."), 3, 3, false)
	for _, want := range []string{".1,kleppmann/gc-pause,belief,violated,3 of 3,\"" + one, ".1,kleppmann/gc-pause,validity,holds,0 of 3,\"" + one} {
		if csv := d.Document().CSV(); !strings.Contains(csv, want) {
			t.Errorf("no row is %q in\n%s", want, csv)
		}
	}
	d.Trials[0].Rows[1].Violated = 0
	if csv := d.Document().CSV(); strings.Contains(csv, one) || !strings.Contains(csv, ".1,kleppmann/gc-pause,validity,holds,0 of 3,below 70.8%") {
		t.Errorf("seeds differ, and no interval says so:\n%s", csv)
	}
}

// A sentence that rests on no run is an author's word. Each is listed here with its reason, so that an addition is
// seen.
func TestSentencesWithoutRunsAreListedWithReasons(t *testing.T) {
	var list []string
	add := func(where, text string) {
		for _, one := range sentence.Split(text) {
			if all := sentence.Assertions(one); slices.ContainsFunc(all, sentence.IsExempt) {
				list = append(list, where+": "+one)
			}
		}
	}
	a := debate.TheArgument()
	for _, text := range debate.Texts(a) {
		add("debate", text)
	}
	for _, s := range scenarios.Catalogue() {
		add(s.ID, s.Claim.Finding)
	}
	if len(list) > 23 {
		t.Errorf("%d sentences rest on no run, and 23 are enough: find a run for one", len(list))
	}
	reportstest.Golden(t, "norun", "The sentences of the debate and of findings that rest on no run, each with its reason.\n\n"+strings.Join(list, "\n")+"\n")
}

// document is the document of the debate, with few runs, once it was made.
var document string

// theDocument returns the document of the debate.
func theDocument(t *testing.T) string {
	t.Helper()
	if document == "" {
		a := debate.TheArgument()
		a.Rest(scenarios.Catalogue())
		document = tried(t, a, 1, simtest.Times(50, 100), false).Document().HTML()
	}
	return document
}

// Readers read the main part, and cite the whole: the test notices if either grows.
func TestTheDocumentStaysShort(t *testing.T) {
	page := theDocument(t)
	words := func(text string) int {
		text = regexp.MustCompile(`(?s)<svg.*?</svg>|<div class="alarm.*?</div>|<[^>]+>`).ReplaceAllString(text, " ")
		return len(strings.Fields(text))
	}
	body := page[strings.Index(page, "<body"):]
	end := strings.Index(body, `<section id="appendix"`)
	if main, whole := words(body[:end]), words(body); main > 4_000 || whole > 14_900 {
		t.Errorf("the main part has %d words and the whole %d; 4,000 and 14,900 are enough", main, whole)
	}
}

// The skeleton of the document: all of its text, without the pictures, and with # for the numbers of the runs. Rewrite
// it with go test ./reports/debate -update.
func TestTheDocumentOfTheDebate(t *testing.T) {
	page := theDocument(t)
	text := page[strings.Index(page, "<body"):]
	for _, c := range []struct{ from, to string }{
		{`(?s)<svg.*?</svg>`, ""}, {`(?s)<div class="alarm.*?</div>`, ""}, {`</(th|td|dt)>`, " | "}, {`<[^>]+>`, ""}, {`&#39;|&#34;`, "'"}, {"\u00a0", " "}, {`[0-9a-f]{64}`, "#"},
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
