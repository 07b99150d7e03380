package browse

import (
	"fmt"

	"github.com/lockstorm/lockstorm/reports/internal/layout"
)

// index is what the list shows.
type index struct {
	Query
	Store, Summary                    string
	Verdicts, Properties, Sorts       []choice
	Runs                              []indexRun
	Any, Narrow, Cut                  bool // there are runs; some are left out; the store was not looked through
	Shown, Earlier, Later, All        string
	With, WithTitle, Without, Compare string
	Campaigns                         []indexCampaign
}

type indexRun struct {
	Run
	Link, Name, Value, At, Beside, Standing, Word string
	Odds, Chips                                   []chip
}

// A chip is a property with a verdict.
type chip struct {
	Name, Class string
	Odd         bool
}

type indexCampaign struct {
	Campaign
	Link, Seeds, Found string
}

// Index returns the list of a store, as far as a query asks for it.
func Index(s Store, q Query) []byte {
	chosen := q.choose(s.Runs)
	pages := pagesOf(len(chosen))
	q.Page = q.onPage(len(chosen))
	from, to := q.Window(len(chosen))
	x := index{
		Query: q, Store: layout.Plain(s.Name), Summary: summary(s), Verdicts: verdicts, Properties: properties(), Sorts: sorts,
		Any: len(s.Runs) > 0, Narrow: q.isNarrow(), Cut: s.Cut, All: Query{With: q.With, Page: 1}.address(),
	}
	for i := range chosen[from:to] {
		x.Runs = append(x.Runs, lineOf(&chosen[from+i], q.With))
	}
	for i := range s.Campaigns {
		x.Campaigns = append(x.Campaigns, campaignLine(&s.Campaigns[i]))
	}
	x.turn(pages, from, to, len(chosen))
	x.fillWith(s.Runs)
	return render("index", x)
}

// turn fills in which page this is, and where the others are.
func (x *index) turn(pages, first, end, all int) {
	if pages > 1 {
		x.Shown = fmt.Sprintf("Runs %s to %s of %s", layout.Grouped(first+1), layout.Grouped(end), layout.Grouped(all))
	} else {
		x.Shown = fmt.Sprintf("%s %s", layout.Grouped(all), layout.Either(all, "run", "runs"))
	}
	turned := x.Query
	if turned.Page = x.Page - 1; turned.Page > 0 {
		x.Earlier = turned.address()
	}
	if turned.Page = x.Page + 1; turned.Page <= pages {
		x.Later = turned.address()
	}
}

// fillWith fills in the run of the query's With, which another run is to be compared with.
func (x *index) fillWith(runs []Run) {
	if x.Query.With == "" {
		return
	}
	x.With, x.WithTitle = escape(x.Query.With), layout.Plain(x.Query.With)
	for i := range runs {
		if runs[i].Place == x.Query.With && runs[i].Wrong == "" {
			x.WithTitle = fmt.Sprintf("%s, seed %d", runs[i].Scenario, runs[i].Seed)
		}
	}
	without := x.Query
	without.With = ""
	x.Without = without.address()
}

func summary(s Store) string {
	n := map[string]int{}
	for i := range s.Runs {
		if s.Runs[i].Unread { // then no verdict is counted
			clear(n)
			break
		}
		n[s.Runs[i].standing()]++
	}
	text := fmt.Sprintf("%s %s", layout.Grouped(len(s.Runs)), layout.Either(len(s.Runs), "run", "runs"))
	between := ": "
	for _, v := range verdicts[1:] {
		if n[v.Value] > 0 {
			text += between + layout.Grouped(n[v.Value]) + " " + v.Word
			between = ", "
		}
	}
	return text + fmt.Sprintf(". %s %s.", layout.Grouped(len(s.Campaigns)), layout.Either(len(s.Campaigns), "campaign", "campaigns"))
}

func lineOf(r *Run, with string) indexRun {
	l := indexRun{Run: *r, Link: address("run", r.Place), Name: r.Scenario, Value: escape(r.Place), Standing: r.standing(), Word: word(r.standing())}
	if r.Wrong != "" {
		l.Name = layout.Plain(r.Place)
	} else if r.Place != fmt.Sprintf("%s/%d", r.Scenario, r.Seed) {
		l.At = layout.Plain(r.Place)
	}
	if with != "" && with != r.Place && r.Wrong == "" {
		l.Beside = besides(with, r.Place)
	}
	l.Chips = chips(r)
	return l
}

// chips returns the properties that did not hold, and those that should not have.
func chips(r *Run) (all []chip) {
	odd := map[string]bool{}
	for _, name := range r.Odd {
		odd[name] = true
	}
	add := func(names []string, class string) {
		for _, name := range names {
			all = append(all, chip{name, class, odd[name]})
			delete(odd, name)
		}
	}
	add(r.Violated, "violated")
	add(r.Unknown, "unknown")
	for _, name := range r.Odd {
		if odd[name] {
			all = append(all, chip{name, "holds", true})
		}
	}
	return all
}

func word(standing string) string {
	for _, v := range verdicts {
		if v.Value == standing && standing != "" {
			return v.Word
		}
	}
	return "unknown"
}

func campaignLine(c *Campaign) indexCampaign {
	l := indexCampaign{Campaign: *c, Link: address("campaign", c.Place), Seeds: c.seeds(), Found: c.broken()}
	l.Place = layout.Plain(c.Place)
	return l
}

func (c *Campaign) seeds() string {
	switch {
	case c.Of == 0:
		return ""
	case c.Cells > 1:
		return fmt.Sprintf("%s cells of %s runs, from seed %d", layout.Grouped(c.Cells), layout.Grouped(c.Runs), c.First)
	}
	return fmt.Sprintf("%s %s, from seed %d", layout.Grouped(c.Runs), layout.Either(c.Runs, "run", "runs"), c.First)
}

// broken describes how many runs of a campaign violate something.
func (c *Campaign) broken() string {
	if !c.Counted {
		if c.Of == 0 {
			return "no rows kept"
		}
		return "counted on its page"
	}
	runs, broken := 0, 0
	for _, t := range c.Tallies {
		runs, broken = runs+t.Runs, broken+t.Broken
	}
	return fmt.Sprintf("%s of %s runs", layout.Grouped(broken), layout.Grouped(runs))
}
