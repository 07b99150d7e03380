package runs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/reports/suites"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// escape is a colour, as a terminal reads it.
var escape = regexp.MustCompile("\x1b\\[[0-9]+m")

// sample returns a suite of the tests of package suites.
func sample(t *testing.T, name string) suites.Suite {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "suites", "testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := suites.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return *s
}

// On a narrow screen, a usual and a wide one: the golden files have the screen's content, once plain and once with the
// colours spelt out.
func TestARunOnAScreen(t *testing.T) {
	s := reportstest.Scenario(t, "kleppmann/clock-jump")
	r, m := scenarios.Run(*s, 1), runs.Making{Command: "lockstorm run kleppmann/clock-jump --seed 1"}
	many := campaign.Plan{Scenario: s, First: 1, Runs: 10, Workers: 1}.Run()
	for _, width := range []int{40, 80, 120} {
		told := func(screen reports.Screen) string {
			suite := sample(t, "mixed")
			text := textOf(screen, r, m) + "\n" + campaigns.Tally(&many, s.ProofNote()).Text(screen) + "\n"
			for i := range suite.Scenarios {
				text += suites.Line(screen, suite, i)
			}
			return text + suites.End(screen, suite, 12345*time.Millisecond)
		}
		plain, coloured := told(reports.Screen{Width: width}), told(reports.Screen{Width: width, Colour: true})
		reportstest.Golden(t, fmt.Sprintf("screen-%d", width), plain)
		reportstest.Golden(t, fmt.Sprintf("screen-%d-coloured", width), strings.ReplaceAll(coloured, "\x1b", "ESC"))
		if escape.ReplaceAllString(coloured, "") != plain {
			t.Errorf("with %d columns, colours say what nothing else says:\n%s", width, coloured)
		}
	}
}

// The text of any run fits the screen: of every scenario of the catalogue, and of scenarios changed so that they fail.
func TestNoLineIsWiderThanTheScreen(t *testing.T) {
	all := append([]transcript{}, transcripts...)
	for _, s := range scenarios.Catalogue() {
		all = append(all, transcript{scenario: s.ID})
	}
	all = append(all, transcript{scenario: "baseline/fault-free", set: []string{"nodes=100", "clients=40", "work.cycles=1"}},
		transcript{scenario: "kleppmann/gc-pause", set: []string{"steps=500"}})
	for i, c := range all {
		if !reportstest.Long && i%16 > 0 {
			continue
		}
		s := reportstest.Scenario(t, c.scenario, c.set...)
		m := runs.Making{Command: strings.Join(append([]string{"go run ./cmd/lockstorm run", c.scenario, "--seed 1"}, c.set...), " ")}
		r := scenarios.Run(*s, 1)
		many := campaign.Plan{Scenario: s, First: 1, Runs: 1, Workers: 1}.Run()
		many.Command = m.Command
		for _, width := range []int{40, 57, 80, 300} {
			screen := reports.Screen{Width: width, Colour: true}
			fits(t, c.scenario, width, textOf(screen, r, m)+campaigns.Tally(&many, s.ProofNote()).Text(screen))
		}
	}
}

func fits(t *testing.T, what string, width int, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(escape.ReplaceAllString(line, ""), "\n")
		if n := shownColumns(line); n > width || n > 118 {
			t.Errorf("%s: %d columns on a screen of %d: %s", what, n, width, line)
		}
		if strings.TrimRight(line, " ") != line && line != "" {
			t.Errorf("%s: a line ends in blanks: %q", what, line)
		}
	}
}

// shownColumns counts columns independently: in these tests, East Asian letters and pictures take two.
func shownColumns(line string) (n int) {
	for _, r := range line {
		switch {
		case r == '\u0301':
		case r >= 0x3000:
			n += 2
		default:
			n++
		}
	}
	return n
}

func TestASuiteFitsTheScreenHoweverLongItsNames(t *testing.T) {
	long := sample(t, "mixed")
	long.Scenarios[1].File = strings.Repeat("長い名前", 40) + ".yaml"
	long.Scenarios[2].Claim.Says = "Une idée tre\u0301s " + strings.Repeat("longue", 40)
	deaths := sample(t, "killed")
	deaths.Mutants[1].Mutant = strings.Repeat("🔒", 70)
	for _, suite := range []suites.Suite{sample(t, "mixed"), sample(t, "killed"), long, deaths} {
		for _, width := range []int{0, 40, 64, 80, 118} {
			screen := reports.Screen{Width: width, Colour: true}
			text := suites.Head(screen, suite) + suites.End(screen, suite, time.Second) + suite.Claims().Text(screen)
			for i := range len(suite.Scenarios) + len(suite.Mutants) {
				text += suites.Line(screen, suite, i)
			}
			if width == 0 {
				width = 118
			}
			fits(t, "a suite", width, text)
		}
	}
	if line := suites.Line((reports.Screen{Width: 40}), long, 1); !strings.Contains(line, "長い名前") {
		t.Errorf("the name is not told: %s", line)
	}
	for _, width := range []int{40, 80} {
		fits(t, "the list", width, runs.List(scenarios.Catalogue()).Text(reports.Screen{Width: width}))
	}
}

// A long command continues after a backslash: a shell reads the same words.
func TestACommandThatIsTooLongCanStillBePasted(t *testing.T) {
	s := reportstest.Scenario(t, "kleppmann/gc-pause")
	r := scenarios.Run(*s, 1)
	m := runs.Making{Command: `lockstorm run kleppmann/gc-pause --seed 1 --set 'about=it'\''s  long and quoted' --set lock.ttl=10s`}
	text := textOf(reports.Screen{Width: 60}, r, m)
	const want = `Repeat it:
  lockstorm run kleppmann/gc-pause --seed 1 --set \
    'about=it'\''s  long and quoted' --set lock.ttl=10s
`
	if !strings.HasSuffix(text, want) {
		t.Errorf("it ends in\n%swant\n%s", text[len(text)-200:], want)
	}
	if file := textOf((reports.Screen{}), r, m); !strings.HasSuffix(file, "Repeat it: "+m.Command+"\n") {
		t.Errorf("a file ends in\n%s", file[len(file)-200:])
	}
}

// Names and titles come from files. They can't control a terminal, turn the direction of a line, or run on without
// end.
func TestHostileNamesAreHarmlessInATerminal(t *testing.T) {
	s := reportstest.Scenario(t, "kleppmann/gc-pause")
	s.ID = "../../\x1b]0;owned\x07<script>\u202egnp"
	s.Title = "\x1b[2J\x1b[31m\u202eeltit " + strings.Repeat("長", 3000)
	s.Claim = scenarios.Claim{By: "\x1b[1m", Says: "\x1b[1m", Finding: "\x1b[1m"}
	r := scenarios.Run(*s, 1)
	suite := sample(t, "mixed")
	suite.Scenarios[0].Scenario, suite.Scenarios[1].File = s.ID, s.Title
	suite.Scenarios[0].Claim = &suites.Claim{By: s.ID, Says: s.Title, Finding: s.Title}
	suite.Scenarios[1].Wrong = []string{s.Title}
	many := campaign.Tally{Scenario: s.ID, Seed: 1, Runs: 1, Verdict: scenarios.Pass}
	for _, width := range []int{0, 40, 80} {
		screen := reports.Screen{Width: width}
		text := textOf(screen, r, runs.Making{Command: "c"}) + campaigns.Tally(&many, s.ProofNote()).Text(screen) + suites.Line(screen, suite, 0) + suites.Line(screen, suite, 1) +
			suites.End(screen, suite, 0) + suite.Claims().Text(screen) + markdownOf(r, runs.Making{Command: "c"})
		for _, bad := range []string{"\x1b", "\x07", "\u202e"} {
			if strings.Contains(text, bad) {
				t.Errorf("with %d columns the text has %q in it", width, bad)
			}
		}
		if want := "../../�]0;owned�<script>�gnp, seed 1\n"; width != 40 && !strings.HasPrefix(text, want) {
			t.Errorf("it begins with %q", text[:80])
		}
	}
}

// A file has the same bytes as a pipe, and the same run as Markdown says the same.
func TestMarkdownAgreesWithText(t *testing.T) {
	s := reportstest.Scenario(t, "kleppmann/clock-jump")
	r, m := scenarios.Run(*s, 1), runs.Making{Command: "lockstorm run kleppmann/clock-jump --seed 1"}
	text, markdown := textOf(reports.Screen{}, r, m), markdownOf(r, m)
	reportstest.Golden(t, "run-markdown", "<!-- A run for the summary of a CI job. -->\n\n"+markdown)
	from := strings.Index(text, "  true time")
	drawn := text[from : from+strings.Index(text[from:], "\n\n")]
	if !strings.Contains(markdown, "```text\n"+drawn+"\n```\n") {
		t.Errorf("the timeline is another, or stands in no block of code:\n%s", markdown)
	}
	for line := range strings.Lines(text) {
		if at, said, found := strings.Cut(strings.TrimSpace(line), "s  "); found && strings.Contains(line, ".") && strings.HasPrefix(line, "     ") {
			if !strings.Contains(markdown, "| "+at+"s | "+strings.NewReplacer(">", "&gt;", "|", `\|`).Replace(strings.TrimSpace(said))) {
				t.Errorf("it does not tell %q", line)
			}
		}
	}
	many := campaign.Plan{Scenario: s, First: 1, Runs: 3, Workers: 1}.Run()
	many.Unexpected, many.Command = []uint64{2}, "lockstorm run `x` ``` --seed 2"
	told := campaigns.Tally(&many, s.ProofNote()).Markdown()
	for _, want := range []string{
		"**PASS**: kleppmann/clock-jump, seeds 1 to 3: 3 as expected, 0 not, 0 unknown.\n",
		"| belief | violated | 0 | 3 | 0 | 0 |\n", "| fenced | holds | 3 | 0 | 0 | 0 |\n", "| quorum-lost | 3 | 0 | 0 |\n",
		"Not as expected: seed 2.\n\nSee the first:\n\n````sh\nlockstorm run `x` ``` --seed 2\n````\n",
	} {
		if !strings.Contains(told, want) {
			t.Errorf("it does not say %q:\n%s", want, told)
		}
	}
}

// The troubles of a host are below its lane, and troubles that no host shows have a separate lane.
func TestTroublesAreBelowTheirHost(t *testing.T) {
	s := scenarios.Base()
	var err error
	s.Faults, err = faults.Parse("at 0s for 100ms pause c1\nat 10ms for 50ms restart n2\nat 20ms jump n3 +11s\nat 0s for 100ms cut c2>n1\nat 0s for 1s pause c2")
	if err != nil {
		t.Fatal(err)
	}
	text := textOf(reports.Screen{}, scenarios.Run(s, 1), runs.Making{})
	lines := strings.Split(text, "\n")
	below := func(name, want string) {
		t.Helper()
		for i, line := range lines[:len(lines)-1] {
			if strings.HasPrefix(line, "  "+name+" ") && !strings.Contains(line, "|0s") {
				if !strings.Contains(lines[i+1], want) {
					t.Errorf("below %s stands %q, want %q in it:\n%s", name, lines[i+1], want, text)
				}
				return
			}
		}
		t.Errorf("no lane of %s:\n%s", name, text)
	}
	below("c1", "paused 100ms")
	below("n2", "off 50ms")
	below("n3", "^ clock +11s")
	if n := strings.Count(text, "\n  fault  "); n != 1 || !strings.Contains(text, "cut c2>n1") {
		t.Errorf("%d lanes of faults, want that of the cut alone:\n%s", n, text)
	}
}

func TestEveryScreenHasAGoldenFile(t *testing.T) {
	if found, _ := filepath.Glob(filepath.Join("testdata", "screen-*.txt")); len(found) != 6 {
		t.Errorf("%d screens are on file, want 6", len(found))
	}
	if text, err := os.ReadFile(filepath.Join("testdata", "screen-80-coloured.txt")); err != nil || !strings.Contains(string(text), "ESC[31mviolated") {
		t.Errorf("what is violated is not red: %v", err)
	}
}
