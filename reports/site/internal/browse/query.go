package browse

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// A Query says which runs to list, and how. It is what the form of the list sends.
type Query struct {
	Verdict  string // one of verdicts; any if empty
	Property string // that is violated; any if empty
	Text     string // words that all stand in the scenario, the settings or the place
	Sort     string // one of sorts; by scenario if empty
	Page     int    // from 1
	With     string // the place of a run to compare another with
}

var (
	verdicts = []choice{{"", "any"}, {"pass", "as expected"}, {"fail", "not as expected"}, {"unknown", "unknown"},
		{"unreadable", "can't be read"}}
	sorts = []choice{{"", "scenario"}, {"seed", "seed"}, {"verdict", "verdict, the worst first"}}
)

// ParseQuery reads what a form sent. What is not offered means nothing.
func ParseQuery(v url.Values) Query {
	q := Query{
		Verdict: offered(verdicts, v.Get("verdict")), Property: offered(properties(), v.Get("property")),
		Sort: offered(sorts, v.Get("sort")), Text: wording.Plain(v.Get("text")), With: Unescape(v.Get("with")),
	}
	page, _ := strconv.Atoi(v.Get("page"))
	q.Page = max(page, 1)
	return q
}

func offered(all []choice, value string) string {
	if slices.ContainsFunc(all, func(c choice) bool { return c.value == value }) {
		return value
	}
	return ""
}

func properties() []choice {
	all := []choice{{"", "any"}}
	for _, p := range checker.Properties {
		all = append(all, choice{p.Name, p.Name})
	}
	return all
}

// Address returns the address of the list that a query asks for.
func (q Query) Address() string {
	v := url.Values{}
	for _, part := range [][2]string{{"verdict", q.Verdict}, {"property", q.Property}, {"text", q.Text}, {"sort", q.Sort},
		{"with", escape(q.With)}} {
		if part[1] != "" {
			v.Set(part[0], part[1])
		}
	}
	if q.Page > 1 {
		v.Set("page", strconv.Itoa(q.Page))
	}
	if len(v) == 0 {
		return "/"
	}
	return "/?" + v.Encode()
}

// NeedsAll reports whether it takes all results to answer a query; else the places of the runs tell the order, and only
// those on the page need to be read.
func (q Query) NeedsAll() bool { return q.isNarrow() || q.Sort != "" }

// Window returns which of so many runs are on the page of a query: those from one to before the other.
func (q Query) Window(runs int) (from, to int) {
	from = (q.onPage(runs) - 1) * linesMost
	return from, min(from+linesMost, runs)
}

// onPage is the page of a query, or the last one that there is.
func (q Query) onPage(runs int) int { return min(q.Page, Pages(runs)) }

// Pages returns on how many pages so many runs are listed.
func Pages(runs int) int { return max((runs+linesMost-1)/linesMost, 1) }

// SortPlaces sorts places as the list does that is sorted by scenario.
func SortPlaces(places []string) { slices.SortFunc(places, byPlace) }

// isNarrow reports whether a query leaves runs out.
func (q Query) isNarrow() bool { return q.Verdict != "" || q.Property != "" || q.Text != "" }

// choose returns the runs that a query asks for, in its order.
func (q Query) choose(runs []Run) (chosen []Run) {
	words := strings.Fields(strings.ToLower(q.Text))
	for i := range runs {
		if q.wants(&runs[i], words) {
			chosen = append(chosen, runs[i])
		}
	}
	slices.SortStableFunc(chosen, func(a, b Run) int {
		return cmp.Or(q.before(&a, &b), byPlace(a.Place, b.Place))
	})
	return chosen
}

func (q Query) wants(r *Run, words []string) bool {
	if q.Verdict != "" && q.Verdict != r.standing() || q.Property != "" && !slices.Contains(r.Violated, q.Property) {
		return false
	}
	if len(words) == 0 {
		return true
	}
	text := strings.ToLower(r.Scenario + " " + strings.Join(r.Settings, " ") + " " + r.Place)
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// before is what a query sorts by first.
func (q Query) before(a, b *Run) int {
	switch q.Sort {
	case "seed":
		return cmp.Compare(a.Seed, b.Seed)
	case "verdict":
		worst := []string{"unreadable", "fail", "unknown", "pass"}
		return cmp.Compare(slices.Index(worst, a.standing()), slices.Index(worst, b.standing()))
	}
	return 0
}

// standing is the verdict of a run; a verdict that this Lockstorm does not know is unknown.
func (r *Run) standing() string {
	switch {
	case r.Wrong != "":
		return "unreadable"
	case r.Verdict == "pass" || r.Verdict == "fail":
		return r.Verdict
	}
	return "unknown"
}

// seedOf returns the seed that a place is named for: that of 7 and of 7-1a2b3c4d is 7.
func seedOf(place string) (uint64, error) {
	seed, _, _ := strings.Cut(path.Base(place), "-")
	return strconv.ParseUint(seed, 10, 64)
}

// byPlace compares places as people sort them: seed 2 comes before seed 10.
func byPlace(a, b string) int {
	if c := cmp.Compare(path.Dir(a), path.Dir(b)); c != 0 {
		return c
	}
	m, badM := seedOf(a)
	n, badN := seedOf(b)
	if badM == nil && badN == nil && m != n {
		return cmp.Compare(m, n)
	}
	return cmp.Compare(a, b)
}
