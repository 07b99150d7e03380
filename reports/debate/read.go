package debate

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/sentence"
)

// parseArgument reads the text of an argument. It returns an error for names of things that don't exist, and for
// sentences that say more than their basis.
func parseArgument(text string) (*Argument, error) {
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

var drawnHead = regexp.MustCompile(`^(figure|figure \S+/\S+|plot \S+|helps .+: .+)$`)

func (r *argumentReader) line(line string) error {
	own := strings.HasPrefix(line, "#") || drawnHead.MatchString(line)
	if line == "" || own || strings.HasPrefix(line, "Open: ") || strings.HasPrefix(line, "- ") {
		if err := r.end(); err != nil {
			return err
		}
	}
	switch {
	case strings.HasPrefix(line, "## "):
		return r.a.step(line[3:])
	case strings.HasPrefix(line, "# "):
		return r.a.chapter(line[2:])
	case own:
		return r.a.draws(line)
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

// appendix is the anchor of the chapter before the chapters of the appendix.
const appendix = "appendix"

func (a *Argument) chapter(head string) error {
	id, title, ok := strings.Cut(head, ": ")
	if !ok {
		return fmt.Errorf("%q begins no chapter; want # ID: TITLE", head)
	}
	after := slices.ContainsFunc(a.Chapters, func(c Chapter) bool { return c.ID == appendix })
	a.Chapters = append(a.Chapters, Chapter{ID: id, Title: title, appended: after})
	return nil
}

// last returns the chapter and the step of the current line; the step is nil before the first of a chapter.
func (a *Argument) last() (*Chapter, *Step) {
	if len(a.Chapters) == 0 {
		return nil, nil
	}
	c := &a.Chapters[len(a.Chapters)-1]
	if len(c.Steps) == 0 {
		return c, nil
	}
	return c, &c.Steps[len(c.Steps)-1]
}

// draws reads a line for a drawing.
func (a *Argument) draws(line string) error {
	c, s := a.last()
	kind, what, _ := strings.Cut(line, " ")
	switch {
	case kind == "figure" && what == "" && s != nil:
		s.Figure = true
		return nil
	case c == nil || s != nil || what == "":
		return fmt.Errorf("%q stands where nothing is drawn: a figure of its own is for steps, and others for chapters",
			line)
	case kind == "figure":
		c.Text = append(c.Text, Passage{drawn: what})
	case kind == "plot":
		c.Text = append(c.Text, Passage{plot: what})
	default:
		h, err := helpIn(what)
		if err != nil {
			return err
		}
		if n := len(c.Text); n > 0 && c.Text[n-1].helps != nil {
			c.Text[n-1].helps = append(c.Text[n-1].helps, h)
		} else {
			c.Text = append(c.Text, Passage{helps: []Help{h}})
		}
	}
	return nil
}

var helpHead = regexp.MustCompile(`^(\S+(?: under \S+)?(?: with \S+)?) (\S+) (with|without) (\S+=\S+): (.+)$`)

// helpIn reads a help.
func helpIn(line string) (h Help, err error) {
	part := helpHead.FindStringSubmatch(line)
	if part == nil {
		return h, fmt.Errorf("%q helps nothing; want SCENARIO PROPERTY with KEY=VALUE: WORDS, of one setting", line)
	}
	h = Help{Property: part[2], Words: part[5]}
	if h.Place, err = placeIn(strings.Fields(part[1]), ""); err != nil {
		return h, err
	}
	h.With = h.Place
	h.With.With = append(slices.Clone(h.With.With), part[4])
	if part[3] == "without" {
		h.Place, h.With = h.With, h.Place
	}
	return h, nil
}

func (a *Argument) step(head string) error {
	id, title, ok := strings.Cut(head, ": ")
	if !ok || len(a.Chapters) == 0 {
		return fmt.Errorf("%q begins no step; want ## SCENARIO: TITLE, in a chapter", head)
	}
	c, _ := a.last()
	c.Steps = append(c.Steps, Step{Scenario: id, Title: title})
	return nil
}

func (a *Argument) passage(text string) (err error) {
	c, s := a.last()
	p := Passage{}
	if rest, is := strings.CutPrefix(text, "Open: "); is {
		p.Word, text = "Open", rest
	} else if rest, is := strings.CutPrefix(text, "- "); is {
		p.Word, text = "-", rest
	}
	p.text = text
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
		inner := strings.TrimSuffix(strings.TrimPrefix(found, found[:1]), found[len(found)-1:])
		text = text[at[1]:]
		switch found[0] {
		case '{':
			claim, err := assertionIn(inner, s)
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

// placeIn reads a place. Without a named scenario it is in the given one.
func placeIn(words []string, scenario string) (p Place, err error) {
	p.Scenario = scenario
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "under" && i+1 < len(words):
			i++
			p.Under = words[i]
		case w == "with":
		case strings.Contains(w, "="):
			p.With = append(p.With, w)
		case strings.Contains(w, "/"):
			p.Scenario = w
		case p.Mutant == "":
			p.Mutant = w
		default:
			return p, fmt.Errorf("%q names two mutants", strings.Join(words, " "))
		}
	}
	return p, nil
}

// noRun is the verb of a sentence that is about no run.
const noRun = "no run"

// MostRuns is how many runs an assertion can need.
const MostRuns = 10_000

var ownRuns = regexp.MustCompile(`^(.+) in (\d+) runs$`)

// assertionIn reads the text between braces.
func assertionIn(text string, s *Step) (c *Assertion, err error) {
	c = &Assertion{}
	scenario := ""
	if s != nil {
		scenario = s.Scenario
	}
	if sentence.IsExempt(text) {
		c.Verb, c.Name = noRun, strings.TrimPrefix(text, noRun+": ")
		return c, nil
	}
	where, claim, elsewhere := strings.Cut(text, ": ")
	if !elsewhere {
		where, claim = "", text
	}
	if part := ownRuns.FindStringSubmatch(claim); part != nil {
		if c.Runs, err = strconv.Atoi(part[2]); err != nil || c.Runs < 1 || c.Runs > MostRuns {
			return nil, fmt.Errorf("{%s}: %s runs; give 1 to %d", text, part[2], MostRuns)
		}
		claim = part[1]
	}
	words := strings.Fields(claim)
	n := len(words)
	if plot, is := strings.CutPrefix(where, "plot "); is {
		switch {
		case n == 2 && (words[1] == "zero" || words[1] == "overall"):
			c.plot, c.Name, c.Verb = plot, words[0], words[1]
		case n == 3 && slices.Contains([]string{"at", "none", "all", "below", "like"}, words[1]):
			c.plot, c.Name, c.Verb, c.other = plot, words[0], words[1], words[2]
		default:
			return nil, fmt.Errorf("{%s} asserts nothing that is known; want such as {plot pauses: never at 1}", text)
		}
		return c, nil
	}
	if c.Place, err = placeIn(strings.Fields(where), scenario); err != nil {
		return nil, err
	}
	switch {
	case n == 2 && slices.Contains([]string{"violated", "holds", "happened"}, words[1]):
		c.Name, c.Verb = words[0], words[1]
	case n == 3 && words[1] == "sometimes" && words[2] == "violated":
		c.Name, c.Verb = words[0], words[1]
	case n == 2 && slices.Contains([]string{"figure", "bound"}, words[0]):
		c.Verb, c.Name = words[0], words[1]
	case n > 3 && words[1] == "shorter" && words[2] == "than":
		c.Name, c.Verb = words[0], words[1]
		c.Than, err = placeIn(words[3:], c.Scenario)
	default:
		return nil, fmt.Errorf("{%s} asserts nothing that is known; want such as {storage violated}", text)
	}
	return c, err
}
