package debate

import (
	_ "embed" // for the text of the argument
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// An Argument is the debate about Redlock as data: a main part of a few chapters, and an appendix with a step for each
// claim, based on the runs of one scenario. An Assertion in a sentence is its statement about runs, which the runs must
// confirm. A sentence with a result and no assertion is an error. So is a comparison without a pair.
//
// Its text has this form:
//
//	# pause: The pause                        a chapter: its anchor and its title; below # appendix it is one of that
//	Prose, in paragraphs with an empty line between them.
//	plot pauses                               the figure of a study that ships
//	figure kleppmann/gc-pause                 the diagram of a step
//	helps kleppmann/gc-pause storage with work.recheck=true: a client that looks again
//	helps kleppmann/clock-jump fenced without fencing.reads_mark=false: reads that carry tokens
//
//	## kleppmann/gc-pause: A title            a step, about this scenario
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
//	{figure unavailable}  {figure requests}   shows a known figure's median; requests are of one run
//	{bound quorum}                            that the computed bound is a safe one
//	{first-winner shorter than with lock.contact=parallel}   by the medians
//	{plot pauses: looks below never}          of a study: a line is nowhere above another
//	{plot pauses: fenced zero}                a line is never above 0
//	{plot pauses: single like never}          nowhere are they surely apart
//	{plot moments: never overall}             shows the share of all its runs
//	{plot steps: jump1 none 1000}  {plot steps: jump3 all 1000}   in no run or in all, at a value
//	{plot pauses: never at 1}                 shows the share at a value
//	{validity sometimes violated in 2000 runs}   of something rare, which is run that often at least
//	{no run: source}                          the sentence rests on no run, for this reason: see package sentence
//
// An assertion may begin with the place of its runs, if that is not the step's scenario: another scenario, a search
// with some faults, a mutant, and changed settings.
//
//	{no-validity-check: belief violated}  {kleppmann/gc-pause with work.recheck=true: storage holds}
//	{redlock/any under jump with expiry=monotonic: quorum holds}
//
// If settings are changed, the same paragraph or step must assert something of the same place with one setting less: a
// pair.
type Argument struct {
	Chapters []Chapter

	known map[string]*scenarios.Scenario // the results of scenario
}

// scenario looks up a scenario of the catalogue; nil if there is none.
func (a *Argument) scenario(id string) *scenarios.Scenario {
	if s, is := a.known[id]; is {
		return s
	}
	a.known[id] = nil
	if s, ok := scenarios.Find(id); ok {
		a.known[id] = &s
	}
	return a.known[id]
}

// A Chapter is one question of the debate.
type Chapter struct {
	ID, Title string
	Text      []Passage
	Steps     []Step

	appended bool // it is in the appendix
}

// A Step is based on the runs of one scenario.
type Step struct {
	Scenario string
	Title    string
	Figure   bool // its diagram can be unfolded
	Text     []Passage
}

// A Passage is a paragraph, or a drawing in its place.
type Passage struct {
	Word  string // Open, - for an item of a list, or nothing
	Spans []Span

	text  string // as written
	plot  string // the name of a study
	drawn string // the scenario of a step
	helps []Help
}

// A Span is a piece of a paragraph: plain text, stressed text, code, a source, a chapter, or an assertion.
type Span struct {
	Text, Stress, Code, Source, Chapter string
	Claim                               *Assertion
}

// A Place is the runs of a scenario, as it is or changed.
type Place struct {
	Scenario string
	Under    string   // the faults of a search
	Mutant   string   // of the scenario
	With     []string // changes, as KEY=VALUE
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

// A Help is a setting that keeps a promise which runs without it break.
type Help struct {
	Place           // without it
	With     Place  // with it
	Property string // the broken promise
	Words    string // the name of the help
}

// An Assertion is the statement of a sentence about runs.
type Assertion struct {
	Place
	// violated, holds, sometimes, happened, figure, shorter, bound; of a study at, none, all, below, like,
	// overall or zero; and "no run"
	Verb string
	Name string // of the property, the event, the figure, or the line of a study
	Than Place  // for shorter
	Runs int    // how many runs it needs at least, because what it says is rare; 0 if any number will do

	plot, other string // the study; the other line, or the value
}

// sources are the works that the argument cites, in the order of the references.
var sources = []Source{
	{"redis", "Redis documentation", "Distributed Locks with Redis", "The page that describes Redlock",
		"https://redis.io/docs/latest/develop/use/patterns/distributed-locks/"},
	{"kleppmann", "Martin Kleppmann", "How to do distributed locking", "8 February 2016",
		"https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html"},
	{"antirez", "Salvatore Sanfilippo (antirez)", "Is Redlock safe?", "2016", "http://antirez.com/news/101"},
	{"leases", "Cary G. Gray and David R. Cheriton",
		"Leases: An Efficient Fault-Tolerant Mechanism for Distributed File Cache Consistency",
		"Proceedings of the 12th ACM Symposium on Operating Systems Principles, 1989",
		"https://doi.org/10.1145/74850.74870"},
	{"abd", "Hagit Attiya, Amotz Bar-Noy and Danny Dolev", "Sharing Memory Robustly in Message-Passing Systems",
		"Journal of the ACM 42 (1), 1995", "https://doi.org/10.1145/200836.200869"},
	{"jepsen", "Kyle Kingsbury", "Jepsen: etcd 3.4.3", "2020", "https://jepsen.io/analyses/etcd-3.4.3"},
	{"clopper", "C. J. Clopper and E. S. Pearson",
		"The use of confidence or fiducial limits illustrated in the case of the binomial",
		"Biometrika 26 (4), 1934", ""},
}

// A Source is a cited work.
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

// number returns the number of a step, such as B.1; "" if there is no such step.
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

// chapterNumber returns the number of a chapter, or its letter in the appendix. The first chapter and the one that
// begins the appendix have none.
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

// find returns the step of a scenario; nil if there is none.
func (a *Argument) find(scenario string) *Step {
	for _, s := range a.Steps() {
		if s.Scenario == scenario {
			return s
		}
	}
	return nil
}

// Rest adds a last chapter with the claims of the catalogue without a step, which are about later locks.
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

// propertyPlace returns the index of a property in checker.Properties; -1 if no property has that name.
func propertyPlace(name string) int {
	return slices.IndexFunc(checker.Properties, func(p checker.Property) bool { return p.Name == name })
}

// figurePlace returns the index of a figure among all figures; -1 if no figure has that name.
func figurePlace(name string) int {
	return slices.IndexFunc(allFigures(), func(f checker.Figure) bool { return f.Name == name })
}

// allFigures returns the figures of an empty run, for their names and units.
func allFigures() []checker.Figure { return new(checker.Judge).Figures(&checker.Evidence{}) }
