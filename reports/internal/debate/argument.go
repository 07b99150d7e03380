package debate

import (
	"cmp"
	_ "embed" // for the text of the argument
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// An Argument is the debate about Redlock in its own order, as data: chapters of prose, and steps that each stand on the
// runs of one scenario. Whatever a sentence asserts of a run stands in it as an Assertion, which the runs must bear out.
//
// Its text is written so:
//
//	# pause: The pause                        a chapter: its anchor and its title
//	Prose, in paragraphs with an empty line between them.
//
//	## kleppmann/gc-pause: A title            a step: the scenario it stands on
//	figure                                    its figure is shown; else it is folded away
//	An update is lost {storage violated}, as [kleppmann] says; see §fencing.
//	Right: …    Open: …    Scope: …           what each side got right, what stays open, what the model covers
//
//	## redlock/any under delay,loss as calm: A title   a search with these faults, called calm
//	## kleppmann/gc-pause with lock.ttl=5s as short: A title   the scenario with these settings changed, called short
//
// An assertion is one of these. Before it may stand where it is made, if not in the step's own scenario: the scenario or
// the search, a mutant of it, or both.
//
//	{storage violated}  {fenced holds}        in every run
//	{validity sometimes violated}             in some run, of those that are made
//	{refused-too-late happened}               in every run
//	{figure unavailable}                      shows a figure, and asserts that it is known
//	{first-winner shorter than ID}            by the medians
//	{bound quorum}                            that the computed bound is a safe one
//	{no-validity-check: belief violated}  {kleppmann/gc-pause: belief violated}  {ID MUTANT: belief violated}
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
}

// A Step stands on the runs of one scenario.
type Step struct {
	Key      string // the ID of the scenario, or the name of the search
	Scenario string
	Under    []string // the faults of a search; else the scenario is run as it is
	With     []string // what is changed in it, as KEY=VALUE; then nothing is expected of the runs but what the text asserts
	Title    string
	Figure   bool // shown; else it is folded away
	Text     []Passage
}

// A Passage is a paragraph, or what follows one of the words Right, Open and Scope.
type Passage struct {
	Word  string // Right, Open, Scope, or nothing
	Spans []Span
}

// A Span is a piece of a paragraph: plain text, stressed text, code, a source, a chapter, or an assertion. One of them is
// set.
type Span struct {
	Text, Stress, Code, Source, Chapter string
	Claim                               *Assertion
}

// An Assertion is what a sentence says of runs.
type Assertion struct {
	Key    string // of the step on whose runs it stands
	Mutant string // of that scenario; else the reference
	Verb   string // violated, holds, sometimes, happened, figure, shorter or bound
	Name   string // of the property, the thing that happened, or the figure
	Than   string // for shorter: the key of the step that it is compared with
}

// Sources are what the argument cites, in the order of the list of references.
var Sources = []Source{
	{"redis", "Redis documentation", "Distributed Locks with Redis", "the page that describes Redlock", "https://redis.io/docs/latest/develop/use/patterns/distributed-locks/"},
	{"kleppmann", "Martin Kleppmann", "How to do distributed locking", "8 February 2016", "https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html"},
	{"antirez", "Salvatore Sanfilippo (antirez)", "Is Redlock safe?", "2016", "http://antirez.com/news/101"},
	{"leases", "Cary G. Gray and David R. Cheriton", "Leases: An Efficient Fault-Tolerant Mechanism for Distributed File Cache Consistency", "Proceedings of the 12th ACM Symposium on Operating Systems Principles, 1989", "https://doi.org/10.1145/74850.74870"},
	{"abd", "Hagit Attiya, Amotz Bar-Noy and Danny Dolev", "Sharing Memory Robustly in Message-Passing Systems", "Journal of the ACM 42 (1), 1995", "https://doi.org/10.1145/200836.200869"},
	{"jepsen", "Kyle Kingsbury", "Jepsen: etcd 3.4.3", "2020", "https://jepsen.io/analyses/etcd-3.4.3"},
	{"clopper", "C. J. Clopper and E. S. Pearson", "The use of confidence or fiducial limits illustrated in the case of the binomial", "Biometrika 26 (4), 1934", ""},
}

// A Source is something that is cited.
type Source struct{ Key, By, Title, In, Address string }

//go:embed argument.txt
var argumentText string

// TheArgument returns the debate between the Redis documentation, Kleppmann and antirez.
func TheArgument() *Argument {
	a, err := ParseArgument(argumentText)
	if err != nil {
		panic("reports: " + err.Error()) // a test has read it
	}
	return a
}

// ParseArgument reads the text of an argument, and checks that all that it names exists.
func ParseArgument(text string) (*Argument, error) {
	a := &Argument{known: map[string]*scenarios.Scenario{}}
	r := argumentReader{a: a}
	for i, line := range strings.Split(text+"\n", "\n") {
		if err := r.line(strings.TrimSpace(line)); err != nil {
			return nil, fmt.Errorf("line %d of the argument: %w", i+1, err)
		}
	}
	return a, a.check()
}

// An argumentReader reads line by line, and keeps the lines of a paragraph until it ends.
type argumentReader struct {
	a         *Argument
	paragraph []string
}

func (r *argumentReader) line(line string) error {
	head := strings.HasPrefix(line, "#") || line == "figure"
	if line == "" || head || passageHead.MatchString(line) {
		if err := r.end(); err != nil {
			return err
		}
	}
	switch {
	case strings.HasPrefix(line, "## "):
		return r.a.step(line[3:])
	case strings.HasPrefix(line, "# "):
		return r.a.chapter(line[2:])
	case line == "figure":
		return r.a.figure()
	case line != "":
		r.paragraph = append(r.paragraph, line)
	}
	return nil
}

func (r *argumentReader) end() error {
	text := strings.Join(r.paragraph, " ")
	r.paragraph = nil
	switch {
	case text == "":
		return nil
	case len(r.a.Chapters) == 0:
		return fmt.Errorf("%q stands before the first chapter, which begins with # ID: TITLE", text)
	}
	return r.a.passage(text)
}

func (a *Argument) chapter(head string) error {
	id, title, ok := strings.Cut(head, ": ")
	if !ok {
		return fmt.Errorf("%q begins no chapter; want # ID: TITLE", head)
	}
	a.Chapters = append(a.Chapters, Chapter{ID: id, Title: title})
	return nil
}

// last is the step that lines belong to; nil before the first of a chapter.
func (a *Argument) last() *Step {
	if len(a.Chapters) == 0 {
		return nil
	}
	c := &a.Chapters[len(a.Chapters)-1]
	if len(c.Steps) == 0 {
		return nil
	}
	return &c.Steps[len(c.Steps)-1]
}

func (a *Argument) figure() error {
	if a.last() == nil {
		return fmt.Errorf("a figure stands in no step")
	}
	a.last().Figure = true
	return nil
}

var stepHead = regexp.MustCompile(`^(\S+?)(?:(?: under (\S+))?(?: with ([^:]+?))? as (\S+))?: (.+)$`)

func (a *Argument) step(head string) error {
	part := stepHead.FindStringSubmatch(head)
	if part == nil || len(a.Chapters) == 0 {
		return fmt.Errorf("%q begins no step; want ## SCENARIO: TITLE, or ## SCENARIO under FAULTS with SETTINGS as NAME: TITLE, in a chapter", head)
	}
	s := Step{Key: cmp.Or(part[4], part[1]), Scenario: part[1], With: strings.Fields(part[3]), Title: part[5]}
	if part[2] != "" {
		s.Under = strings.Split(part[2], ",")
	}
	c := &a.Chapters[len(a.Chapters)-1]
	c.Steps = append(c.Steps, s)
	return nil
}

var passageHead = regexp.MustCompile(`^(Right|Open|Scope): (.+)$`)

func (a *Argument) passage(text string) (err error) {
	c, s, p := &a.Chapters[len(a.Chapters)-1], a.last(), Passage{}
	if part := passageHead.FindStringSubmatch(text); part != nil {
		p.Word, text = part[1], part[2]
	}
	if p.Spans, err = a.spans(text, s); err != nil {
		return err
	}
	if s == nil {
		c.Text = append(c.Text, p)
	} else {
		s.Text = append(s.Text, p)
	}
	return nil
}

var piece = regexp.MustCompile("\\{[^}]*\\}|\\[[a-z]+\\]|§[a-z-]+|`[^`]*`|\\*[^*]+\\*")

// spans takes a paragraph apart.
func (a *Argument) spans(text string, s *Step) (all []Span, err error) {
	for text != "" {
		at := piece.FindStringIndex(text)
		if at == nil {
			return append(all, Span{Text: text}), nil
		}
		if at[0] > 0 {
			all = append(all, Span{Text: text[:at[0]]})
		}
		found := text[at[0]:at[1]]
		inner := found[1 : len(found)-1]
		text = text[at[1]:]
		switch found[0] {
		case '{':
			claim, err := a.assertion(inner, s)
			if err != nil {
				return nil, err
			}
			all = append(all, Span{Claim: claim})
		case '[':
			all = append(all, Span{Source: inner})
		case '`':
			all = append(all, Span{Code: inner})
		case '*':
			all = append(all, Span{Stress: inner})
		default:
			all = append(all, Span{Chapter: strings.TrimPrefix(found, "§")})
		}
	}
	return all, nil
}

// assertion reads what stands between braces.
func (a *Argument) assertion(text string, s *Step) (*Assertion, error) {
	c := &Assertion{}
	if s != nil {
		c.Key = s.Key
	}
	claim := text
	if where, what, elsewhere := strings.Cut(text, ": "); elsewhere {
		claim = what
		a.where(c, strings.Fields(where), s)
	}
	words := strings.Fields(claim)
	switch n := len(words); {
	case n == 2 && slices.Contains([]string{"violated", "holds", "happened"}, words[1]):
		c.Name, c.Verb = words[0], words[1]
	case n == 3 && words[1] == "sometimes" && words[2] == "violated":
		c.Name, c.Verb = words[0], words[1]
	case n == 2 && slices.Contains([]string{"figure", "bound"}, words[0]):
		c.Verb, c.Name = words[0], words[1]
	case n == 4 && words[1] == "shorter" && words[2] == "than":
		c.Name, c.Verb, c.Than = words[0], words[1], words[3]
	default:
		return nil, fmt.Errorf("{%s} asserts nothing that is known; want such as {storage violated}", text)
	}
	return c, nil
}

// where reads on whose runs an assertion stands: another step, a mutant, or a mutant of another step.
func (a *Argument) where(c *Assertion, words []string, s *Step) {
	if len(words) > 0 && (s == nil || !hasMutant(a.scenario(s.Scenario), words[0])) {
		c.Key, words = words[0], words[1:]
	}
	c.Mutant = strings.Join(words, " ")
}

func hasMutant(s *scenarios.Scenario, name string) bool {
	return s != nil && slices.ContainsFunc(s.Mutants, func(m scenarios.Mutant) bool { return m.Name == name })
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

// number returns the number of a step, such as 2.1: the chapters count from 0, for the first is the summary.
func (a *Argument) number(key string) string {
	for i, c := range a.Chapters {
		for j, s := range c.Steps {
			if s.Key == key {
				return fmt.Sprintf("%d.%d", i, j+1)
			}
		}
	}
	panic("reports: no step is called " + key) // the argument was checked
}

func (a *Argument) find(key string) *Step {
	for _, s := range a.Steps() {
		if s.Key == key {
			return s
		}
	}
	return nil
}

// check refuses what names things that do not exist.
func (a *Argument) check() error {
	seen := map[string]bool{}
	for _, s := range a.Steps() {
		if _, err := s.scenario(); err != nil {
			return err
		}
		if seen[s.Key] {
			return fmt.Errorf("the argument has two steps %q", s.Key)
		}
		seen[s.Key] = true
	}
	for _, p := range a.passages() {
		for _, span := range p.Spans {
			if err := a.checkSpan(span); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *Argument) passages() (all []Passage) {
	for i := range a.Chapters {
		c := &a.Chapters[i]
		all = append(all, c.Text...)
		for j := range c.Steps {
			all = append(all, c.Steps[j].Text...)
		}
	}
	return all
}

func (a *Argument) checkSpan(s Span) error {
	switch {
	case s.Source != "" && !slices.ContainsFunc(Sources, func(o Source) bool { return o.Key == s.Source }):
		return fmt.Errorf("the argument cites [%s], which is not among the sources", s.Source)
	case s.Chapter != "" && !slices.ContainsFunc(a.Chapters, func(c Chapter) bool { return c.ID == s.Chapter }):
		return fmt.Errorf("the argument refers to §%s, and there is no such chapter", s.Chapter)
	case s.Claim != nil:
		return a.checkClaim(s.Claim)
	}
	return nil
}

func (a *Argument) checkClaim(c *Assertion) error {
	step := a.find(c.Key)
	if step == nil {
		return fmt.Errorf("{%s} stands on %q, which is not a step", c, c.Key)
	}
	known := a.scenario(step.Scenario)
	if c.Mutant != "" && !hasMutant(known, c.Mutant) {
		return fmt.Errorf("{%s}: %s has no mutant %q", c, step.Scenario, c.Mutant)
	}
	if c.Verb == "shorter" && a.find(c.Than) == nil {
		return fmt.Errorf("{%s}: %q is not a step", c, c.Than)
	}
	if !c.names(known) {
		return fmt.Errorf("{%s}: there is no %q to be %s in %s", c, c.Name, c.Verb, step.Scenario)
	}
	return nil
}

func (c *Assertion) names(s *scenarios.Scenario) bool {
	switch c.Verb {
	case "happened":
		return slices.Contains(s.Sometimes, c.Name)
	case "figure", "shorter":
		return figurePlace(c.Name) >= 0
	case "bound":
		return slices.ContainsFunc(s.Bounds, func(b scenarios.Bound) bool { return b.Property == c.Name })
	}
	return propertyPlace(c.Name) >= 0
}

// String returns it as the text has it, with all that can be left out.
func (c *Assertion) String() string {
	text := map[string]string{
		"violated": c.Name + " violated", "holds": c.Name + " holds", "sometimes": c.Name + " sometimes violated", "happened": c.Name + " happened",
		"figure": "figure " + c.Name, "bound": "bound " + c.Name, "shorter": c.Name + " shorter than " + c.Than,
	}[c.Verb]
	return strings.TrimSpace(c.Key+" "+c.Mutant) + ": " + text
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

// Rest adds a last chapter with the claims of the catalogue that no step stands for: those of locks that came later. They
// have no prose yet, and are listed all the same.
func (a *Argument) Rest(all []scenarios.Scenario) {
	rest := Chapter{ID: "more", Title: "Other claims in the catalogue"}
	for i := range all {
		if s := &all[i]; s.Claim.Says != "" && a.find(s.ID) == nil {
			rest.Steps = append(rest.Steps, Step{Key: s.ID, Scenario: s.ID, Title: strings.TrimSuffix(s.Title, ".")})
		}
	}
	if rest.Steps != nil {
		rest.Text = []Passage{{Spans: []Span{{Text: "These claims are tested in the same way. They have no place in the argument of 2016, or none has been written yet."}}}}
		a.Chapters = append(a.Chapters, rest)
	}
}
