package debate

import (
	_ "embed" // for the text of the argument
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// An Argument is the debate about Redlock as data: a main part of a few chapters, and an appendix that has each claim as a step,
// which stands on the runs of one scenario. Whatever a sentence tells of runs stands in it as an Assertion, which the runs must
// bear out. A sentence that tells a result and asserts nothing is refused, and so is one that compares and rests on no pair.
//
// Its text is written so:
//
//	# pause: The pause                        a chapter: its anchor and its title; below # appendix it is one of that
//	Prose, in paragraphs with an empty line between them.
//	plot pauses                               a study that ships is drawn here
//	figure kleppmann/gc-pause                 the diagram of a step is drawn here
//	helps kleppmann/gc-pause storage with work.recheck=true: a client that looks again
//	helps kleppmann/clock-jump fenced without fencing.reads_mark=false: reads that carry tokens
//
//	## kleppmann/gc-pause: A title            a step: the scenario it stands on
//	figure                                    its diagram can be unfolded
//	An update is lost {storage violated}, as [kleppmann] says; see §fencing.
//	Open: …                                   what stays open
//	- An item of a list.
//
// An assertion is one of these.
//
//	{storage violated}  {fenced holds}  {nothing violated}   in every run
//	{validity sometimes violated}             in some run, of those that are made; its share is shown
//	{refused-too-late happened}               in every run
//	{figure unavailable}  {figure requests}   shows a figure's median, and asserts that it is known; requests are of one run
//	{total struck-while-held}                 shows the sum of a figure over all runs
//	{bound quorum}                            that the computed bound is a safe one
//	{first-winner shorter than with lock.contact=parallel}   by the medians
//	{plot pauses: looks below never}  {plot pauses: fenced zero}   of a study: a line is nowhere above another, or never above 0
//	{plot pauses: single like never}          nowhere are they surely apart
//	{plot moments: never overall}             shows the share of all its runs
//	{plot steps: lossless none minority}  {plot steps: lossless all majority}  {plot pauses: never at 1}   at a value; the last shows a share
//	{no run: source}                          the sentence rests on no run, for this reason: see package sentence
//
// Before it may stand whose runs it is about, if not those of the step's scenario: another scenario, a search with some faults, a
// mutant, and settings that are changed.
//
//	{no-validity-check: belief violated}  {kleppmann/gc-pause with work.recheck=true: storage holds}
//	{redlock/any under jump with expiry=monotonic: quorum holds}
//
// Where settings are changed the same paragraph, or step, must tell what is so with one of them less: a pair.
type Argument struct {
	Chapters []Chapter

	known map[string]*scenarios.Scenario // those of the catalogue that were looked up; nil where there is none
}

// scenario looks up a scenario of the catalogue; nil if there is none.
func (a *Argument) scenario(id string) *scenarios.Scenario {
	s, is := a.known[id]
	if is {
		return s
	}
	if found, ok := scenarios.Find(id); ok {
		s = &found
	}
	a.known[id] = s
	return s
}

// A Chapter is one question of the debate.
type Chapter struct {
	ID, Title string
	Text      []Passage
	Steps     []Step

	appended bool // it is one of the appendix
}

// A Step stands on the runs of one scenario.
type Step struct {
	Scenario string
	Title    string
	Figure   bool // its diagram can be unfolded
	Text     []Passage
}

// A Passage is a paragraph, or something that is drawn in place of one.
type Passage struct {
	Word  string // Open, - for an item of a list, or nothing
	Spans []Span

	text  string // as it was written
	plot  string // the name of a study
	drawn string // the scenario of a step
	helps []Help
}

// A Span is a piece of a paragraph: plain text, stressed text, code, a source, a chapter, or an assertion. One of them is
// set.
type Span struct {
	Text, Stress, Code, Source, Chapter string
	Claim                               *Assertion
}

// A Place is where an assertion looks: the runs of a scenario, as it is or changed.
type Place struct {
	Scenario string
	Under    string   // the faults of a search
	Mutant   string   // of the scenario
	With     []string // what is changed, as KEY=VALUE
}

// String returns the place as the text has it.
func (p Place) String() string {
	words := []string{p.Scenario}
	if p.Under != "" {
		words = append(words, "under", p.Under)
	}
	if p.Mutant != "" {
		words = append(words, p.Mutant)
	}
	if p.With != nil {
		words = append(words, "with", strings.Join(p.With, " "))
	}
	return strings.Join(words, " ")
}

// A Help is something that keeps a promise where runs without it break it: one setting.
type Help struct {
	Place           // without it
	With     Place  // with it
	Property string // which breaks
	Words    string // what helps
}

// An Assertion is what a sentence says of runs.
type Assertion struct {
	Place
	// violated, holds, sometimes, happened, figure, total, shorter, bound; of a study at, none, all, below, like, overall or zero;
	// and "no run"
	Verb string
	Name string // of the property, the thing that happened, the figure, or the line of a study
	Than Place  // for shorter

	plot, other string // the study; the other line, or the value
}

// sources are what the argument cites, in the order of the list of references.
var sources = []Source{
	{"redis", "Redis documentation", "Distributed Locks with Redis", "The page that describes Redlock",
		"https://redis.io/docs/latest/develop/use/patterns/distributed-locks/"},
	{"kleppmann", "Martin Kleppmann", "How to do distributed locking", "8 February 2016",
		"https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html"},
	{"antirez", "Salvatore Sanfilippo (antirez)", "Is Redlock safe?", "2016", "http://antirez.com/news/101"},
	{"leases", "Cary G. Gray and David R. Cheriton", "Leases: An Efficient Fault-Tolerant Mechanism for Distributed File Cache " +
		"Consistency", "Proceedings of the 12th ACM Symposium on Operating Systems Principles, 1989",
		"https://doi.org/10.1145/74850.74870"},
	{"abd", "Hagit Attiya, Amotz Bar-Noy and Danny Dolev", "Sharing Memory Robustly in Message-Passing Systems",
		"Journal of the ACM 42 (1), 1995", "https://doi.org/10.1145/200836.200869"},
	{"jepsen", "Kyle Kingsbury", "Jepsen: etcd 3.4.3", "2020", "https://jepsen.io/analyses/etcd-3.4.3"},
	{"clopper", "C. J. Clopper and E. S. Pearson", "The use of confidence or fiducial limits illustrated in the case of the " +
		"binomial", "Biometrika 26 (4), 1934", ""},
}

// A Source is something that is cited.
type Source struct{ Key, By, Title, In, Address string }

//go:embed argument.txt
var argumentText string

// theArgument returns the debate between the Redis documentation, Kleppmann and antirez.
func theArgument() *Argument {
	a, err := parseArgument(argumentText)
	if err != nil {
		panic("reports: " + err.Error()) // a test has read it
	}
	return a
}

// Steps lists the steps of all chapters.
func (a *Argument) Steps() (all []*Step) {
	for i := range a.Chapters {
		for j := range a.Chapters[i].Steps {
			all = append(all, &a.Chapters[i].Steps[j])
		}
	}
	return all
}

// number returns the number of a step, such as B.1, and that of a chapter; "" of what has none: the first chapter, and that which
// begins the appendix. Chapters of the appendix have letters.
func (a *Argument) number(scenario string) string {
	for i, c := range a.Chapters {
		for j, s := range c.Steps {
			if s.Scenario == scenario {
				return fmt.Sprintf("%s.%d", a.chapterNumber(i), j+1)
			}
		}
	}
	return ""
}

func (a *Argument) chapterNumber(i int) string {
	if i == 0 || a.Chapters[i].ID == appendix {
		return ""
	}
	if !a.Chapters[i].appended {
		return fmt.Sprint(i)
	}
	letter := byte('A')
	for _, c := range a.Chapters[:i] {
		if c.appended {
			letter++
		}
	}
	return string(letter)
}

func (a *Argument) find(scenario string) *Step {
	for _, s := range a.Steps() {
		if s.Scenario == scenario {
			return s
		}
	}
	return nil
}

// Rest adds a last chapter with the claims of the catalogue that no step stands for: those of locks that came later.
func (a *Argument) Rest(all []scenarios.Scenario) {
	rest := Chapter{ID: "more", Title: "Other claims in the catalogue", appended: true}
	for i := range all {
		if s := &all[i]; s.Claim.Says != "" && a.find(s.ID) == nil {
			rest.Steps = append(rest.Steps, Step{Scenario: s.ID, Title: strings.TrimSuffix(s.Title, ".")})
		}
	}
	if rest.Steps != nil {
		a.Chapters = append(a.Chapters, rest)
	}
}

// propertyPlace is where a property stands in checker.Properties, and figurePlace where a figure stands among all figures;
// -1 where there is none of that name.
func propertyPlace(name string) int {
	return slices.IndexFunc(checker.Properties, func(p checker.Property) bool { return p.Name == name })
}

func figurePlace(name string) int {
	return slices.IndexFunc(allFigures(), func(f checker.Figure) bool { return f.Name == name })
}

// allFigures returns the figures of a run in which nothing happened, for their names and units.
func allFigures() []checker.Figure { return new(checker.Judge).Figures(&checker.Evidence{}) }
