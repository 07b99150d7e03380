package scenarios

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/scenarios/sentence"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// A Claim is a claim that was published, and what the scenario shows of it.
//
// A sentence of the finding names, in braces, the runs that support it. A test makes these runs. It fails if one of
// them shows something else, if the sentence says more than they do, or if one of its numbers is not a setting and was
// not counted. Readers see the sentence without the braces.
//
//	{storage violated}  {fenced holds}  {nothing violated}   in each run of the scenario
//	{refused-too-late happened}  {kept-out never}            in each run, in no run
//	{no-validity-check: belief violated}                     in each run of this mutant, which changes one setting
//	{with work.recheck=true: storage holds}                  in each run with this setting changed, from the same seeds: a pair
//	{kleppmann/gc-pause: storage violated}                   in each run of another scenario
//	{redlock/any under jump: validity violated in 50 of 6000}  in 50 of 6000 runs of a search with these faults
//	{no run: pointer}                                        the sentence rests on no run, for this reason: see package sentence
//
// A pair differs in one setting, so "with" takes one.
type Claim struct {
	By      string `yaml:"by"`
	Says    string `yaml:"says"`
	Finding string `yaml:"finding"`
}

// Found returns the finding for readers, without the runs that its sentences name.
func (c Claim) Found() string { return strings.TrimSpace(braced.ReplaceAllString(c.Finding, "")) }

var braced = regexp.MustCompile(`\s*\{[^}]*\}`)

// An assertion is what a sentence says of runs.
type assertion struct {
	scenario string   // another than the one that claims
	under    string   // the faults of a search, as they are written
	with     []string // what is changed, as KEY=VALUE; in the text it is one setting
	mutant   string
	name     string // of a property or of what happened; empty for no run
	verb     string // holds, violated, happened or never
	count    int    // the runs in which it is violated, if runs is not 0
	runs     int
}

var asserted = regexp.MustCompile(`^(\S+) (holds|violated|happened|never)(?: in (\d+) of (\d+))?$`)

// assertionIn reads the text between braces.
func assertionIn(text string) (a assertion, err error) {
	if sentence.IsExempt(text) {
		return a, nil
	}
	what := text
	if where, rest, elsewhere := strings.Cut(text, ": "); elsewhere {
		what = rest
		if err := a.place(strings.Fields(where)); err != nil {
			return a, err
		}
	}
	part := asserted.FindStringSubmatch(what)
	if part == nil || part[1] == "nothing" && part[2] != "violated" {
		return a, fmt.Errorf("{%s} asserts nothing that is known; want such as {storage violated}", text)
	}
	known := checker.Properties
	if part[2] == "happened" || part[2] == "never" {
		known = checker.Sometimes
	}
	if part[1] != "nothing" && !slices.ContainsFunc(known, func(p checker.Property) bool { return p.Name == part[1] }) {
		return a, fmt.Errorf("{%s}: there is no %q that could be %s", text, part[1], part[2])
	}
	a.name, a.verb = part[1], part[2]
	a.count, _ = strconv.Atoi(part[3])
	a.runs, _ = strconv.Atoi(part[4])
	return a, nil
}

// place reads which runs an assertion is about.
func (a *assertion) place(words []string) error {
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case (w == "under" || w == "with") && i+1 < len(words):
			i++
			if w == "under" {
				a.under = words[i]
			} else {
				a.with = append(a.with, words[i])
			}
		case strings.Contains(w, "/"):
			a.scenario = w
		case !strings.Contains(w, "="):
			a.mutant = w
		default:
			a.with = append(a.with, w)
		}
	}
	if len(a.with) > 1 {
		return fmt.Errorf("%s: in a pair one setting differs, and here %d do", strings.Join(words, " "), len(a.with))
	}
	return nil
}

func (s *Scenario) checkClaim(w *problems) {
	for _, found := range braced.FindAllString(s.Claim.Finding, -1) {
		found = strings.TrimSpace(found)
		if _, err := assertionIn(found[1 : len(found)-1]); err != nil {
			w.must(false, "claim.finding", "%v", err)
		}
	}
}

// Departures lists, a phrase each, the scenario's assumptions that go beyond what the Redis page asks for and Redis
// does. A reader of its runs should know them, whether the source of the claim assumes them too or not.
func (s *Scenario) Departures() (all []string) {
	add := func(is bool, phrase string) {
		if is {
			all = append(all, phrase)
		}
	}
	l, lost := s.Lock, s.Expected("storage") == checker.Violated
	overlap := s.Expected("validity") == checker.Violated
	onRedis, expires := l.Kind.registered().on == platform.Redis, l.Kind != RowLock
	add(l.Kind == Redlock && l.Timeout*200 > l.TTL,
		"a client waits for a node for up to "+l.Timeout.String()+", where the Redis page has 5 to 50 ms for a TTL of 10 s")
	restarts, paused := false, false
	var parted []string
	for _, f := range s.Faults {
		restarts = restarts || f.Kind == faults.Restart
		paused = paused || f.Kind == faults.Pause && f.When.Name == "asking"
		if f.Kind == faults.Partition && f.When.Name == "" && f.At == 0 && f.For == 0 {
			parted = append(parted, strings.TrimPrefix(f.String(), "at 0s partition "))
		}
	}
	add(parted != nil, "hosts stay parted ("+strings.Join(parted, ", ")+")")
	add(paused && l.Contact == locks.Parallel, "clients ask all nodes in parallel")
	add(paused && !s.Network.EitherFirst, "a client that was paused sees waiting replies before passed timeouts")
	add(expires && overlap && s.Work.Work.Min*2 >= l.TTL,
		fmt.Sprintf("holders work for %s to %s of a TTL of %s", s.Work.Work.Min, s.Work.Work.Max, l.TTL))
	add(expires && !s.Work.Recheck && !s.Work.StopAtDeadline, "clients never look at their validity")
	add(expires && s.Work.Recheck && !s.Work.StopAtDeadline,
		"clients look once whether the lock is still valid, before they write")
	add(l.Value != locks.ValueRandom, "the clocks of all clients show the same time, and no two clients have one name")
	add(onRedis && restarts && s.Persistence == redis.None, "nodes write nothing to a disk")
	add(onRedis && s.Expiry != redis.WallExpiry, "nodes expire keys by a monotonic clock, which Redis does not")
	add(lost && s.Fencing.Source == Ideal && s.Fencing.Check != storage.Version,
		"tokens come from a perfect counter")
	add(lost && s.Fencing.Check == storage.Order && s.Fencing.ReadsMark,
		"reads carry tokens too")
	return all
}
