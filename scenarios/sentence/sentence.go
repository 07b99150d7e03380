package sentence

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Basis is what a sentence rests on.
type Basis struct {
	Rests  []string // its assertions, without braces
	Pair   bool     // one of them is about runs that differ in one setting from other runs in the text
	Drawn  bool     // one of them is about random runs
	Known  string   // the settings of its scenarios: its numbers may come from there
	Silent bool     // it may rest on nothing, if it states no result
}

// means are phrases, and what a sentence with one must rest on: any one of these assertions.
var means = []struct {
	phrase *regexp.Regexp
	rests  []string
}{
	{regexp.MustCompile(`(?i)nothing breaks`), []string{"nothing violated", "violated in 0", "holds", "zero"}},
	{regexp.MustCompile(`(?i)two clients (can )?(hold|go on|act)`), []string{"belief violated", "validity violated", "belief sometimes", "validity sometimes"}},
	{regexp.MustCompile(`(?i)no update is lost|loses none|loses nothing`), []string{"storage holds", "fenced holds", "nothing violated", "zero"}},
	{
		regexp.MustCompile(`(?i)(loses an|loses the|overwrites an) update|update is lost|updates? are lost`),
		[]string{"storage violated", "fenced violated", "storage sometimes", "fenced sometimes"},
	},
	{
		regexp.MustCompile(`(?i)(refuse|reject)s? (the )?late (write|work)|late write is (refused|rejected)`),
		[]string{"stale-write-refused happened", "fenced holds", "storage holds"},
	},
	{regexp.MustCompile(`(?i)(refuse|reject)s the lock|lock is (refused|rejected)`), []string{"refused-too-late happened"}},
	{regexp.MustCompile(`(?i)tokens rise`), []string{"tokens holds", "nothing violated"}},
	{regexp.MustCompile(`(?i)tokens fall|comes twice|smaller token`), []string{"tokens violated"}},
	{regexp.MustCompile(`(?i)nobody can have the lock|no client (can )?acquires? the lock|others have to wait`), []string{"unavailable happened"}},
	{regexp.MustCompile(`(?i)windows .*overlap`), []string{"validity violated", "validity holds"}},
}

var (
	// universal says more than one plan of faults can show.
	universal = regexp.MustCompile(`(?i)\b(whatever|never|always|cannot|can't|could not|no lock|no step|any step|any clock|impossible)\b`)
	compares  = regexp.MustCompile(`(?i)\b(longer|shorter|fewer|safer|instead of|in place of|without (it|the|them|step))\b|\bmore \w+ than\b|\bless \w+ than\b`)
	opens     = regexp.MustCompile(`^Depends on [^0-9]*\.\s*$`) // and the sentences after it say how
	ends      = regexp.MustCompile(`[.?!](\s*\{[^}]*\})*(\s+|$)`)
	names     = regexp.MustCompile(`Kleppmann|antirez|Redis says|\bpage\b|\btexts\b`)
	quoted    = regexp.MustCompile(`"[^"]*"`)
	braced    = regexp.MustCompile(`\s*\{[^}]*\}`)
	numbers   = regexp.MustCompile(`\d[\d,]*(\.\d+)?`)

	// These words state the outcome of runs.
	tells = regexp.MustCompile(`(?i)\b(breaks?|broke|broken|los(t|es|e)|violat\w+|overlaps?|refuse[sd]?|reject(s|ed)?|in each run|in all runs|of the runs|per cent|two clients|no update)\b|\d ?%`)

	// named matches names that contain numbers, and a setting whose name looks like a universal.
	named = regexp.MustCompile("`[^`]*`|fsync always|\\b[a-z-]+/[a-z0-9-]+|\\b[cn]\\d\\b|\\[[a-z]+\\]|§[a-z-]+")
)

// Split takes a text apart into sentences, each with the assertions behind it.
func Split(text string) (all []string) {
	text = strings.Join(strings.Fields(text), " ")
	for text != "" {
		end := len(text)
		if found := ends.FindStringIndex(text); found != nil {
			end = found[1]
		}
		all = append(all, strings.TrimSpace(text[:end]))
		text = text[end:]
	}
	return all
}

// Assertions returns the texts in braces.
func Assertions(text string) (all []string) {
	for _, b := range braced.FindAllString(text, -1) {
		all = append(all, strings.Trim(strings.TrimSpace(b), "{}"))
	}
	return all
}

func plain(text string) string { return strings.TrimSpace(braced.ReplaceAllString(text, "")) }

// Wrong returns what is wrong with a sentence, a phrase each.
func Wrong(sentence string, b Basis) (wrong []string) {
	said := named.ReplaceAllString(plain(sentence), "")
	if b.Rests != nil && !slices.ContainsFunc(b.Rests, func(r string) bool { return !IsExempt(r) }) {
		return exempt(said, b.Rests)
	}
	if b.Rests == nil {
		if word := cmp.Or(universal.FindString(said), compares.FindString(said)); b.Silent && word != "" {
			return []string{fmt.Sprintf("it says %q, and rests on nothing", word)}
		}
		switch tale := tells.FindString(said); {
		case opens.MatchString(sentence), b.Silent && tale == "" && numbers.FindString(said) == "":
			return nil
		case b.Silent && tale == "":
			return stray(said, b)
		}
		return []string{"it rests on nothing"}
	}
	if word := compares.FindString(said); word != "" && !b.Pair {
		wrong = append(wrong, fmt.Sprintf("it compares (%s), and rests on no pair", word))
	}
	if word := universal.FindString(said); word != "" && !b.Drawn {
		wrong = append(wrong, fmt.Sprintf("%q is more than runs of one plan show", word))
	}
	left := said
	for _, m := range means {
		found := m.phrase.FindString(left)
		left = m.phrase.ReplaceAllString(left, "")
		if found != "" && !slices.ContainsFunc(b.Rests, func(r string) bool {
			return slices.ContainsFunc(m.rests, func(want string) bool { return strings.Contains(r, want) })
		}) {
			wrong = append(wrong, fmt.Sprintf("%q rests on none of %s", found, strings.Join(m.rests, ", ")))
		}
	}
	return append(wrong, stray(said, b)...)
}

// exemptions are why a sentence may rest on no run, as {no run: source} says.
var exemptions = map[string]string{
	"source":     "it says what a source says or wants, and names it",
	"definition": "it says what a word means, or how runs are made and told",
	"reasoning":  "it follows from what its paragraph says",
	"limit":      "it says what no run here can show",
	"judgement":  "it weighs, and says for whom",
	"pointer":    "it says where something is told",
}

const noRun = "no run: "

// IsExempt reports whether an assertion says that its sentence rests on no run.
func IsExempt(assertion string) bool { return strings.HasPrefix(assertion, noRun) }

// exempt returns why a sentence must rest on a run: runs must show numbers, universals, comparisons and results. Words
// in quotation marks are another author's.
func exempt(said string, rests []string) (wrong []string) {
	for _, r := range rests {
		why := strings.TrimPrefix(r, noRun)
		if exemptions[why] == "" {
			wrong = append(wrong, fmt.Sprintf("%q is no reason to rest on no run", why))
		}
		if why == "source" && !names.MatchString(said) {
			wrong = append(wrong, "it names no source")
		}
	}
	said = quoted.ReplaceAllString(said, "")
	for _, kind := range []*regexp.Regexp{numbers, universal, compares, tells} {
		if word := kind.FindString(said); word != "" {
			wrong = append(wrong, fmt.Sprintf("it says %q, and rests on no run", word))
		}
	}
	return wrong
}

// stray returns the numbers of a sentence that come from no setting and from nothing it rests on.
func stray(said string, b Basis) (wrong []string) {
	has := map[string]bool{}
	for _, n := range numbers.FindAllString(b.Known+" "+strings.Join(b.Rests, " "), -1) {
		has[n] = true
	}
	for _, n := range numbers.FindAllString(said, -1) {
		n = strings.ReplaceAll(strings.TrimRight(n, ","), ",", "")
		if !has[n] && !has[perMillion(said, n)] {
			wrong = append(wrong, fmt.Sprintf("%s is neither a setting nor counted", n))
		}
	}
	return wrong
}

// perMillion returns a number of per cent as settings have it, as ppm.
func perMillion(said, n string) string {
	if !strings.Contains(said, n+"%") && !strings.Contains(said, n+" %") {
		return n
	}
	return strings.TrimPrefix(n+"0000", "0")
}
