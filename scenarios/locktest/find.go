package locktest

import (
	"cmp"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// How a suspicion becomes a violation found. Each step has its own seeds, so no run is evidence that was chosen for
// what it showed. The seeds of a search begin at 1.
const (
	screenRuns = 20              // by which the universe is chosen that breaks most often
	screened   = uint64(1) << 50 // the first seed of that

	retryRuns     = 200 // how often the lock is tried again
	referenceRuns = 2000
	retried       = uint64(1) << 51
	compared      = uint64(1) << 52

	screenMost = 8    // how many universes of one promise are screened
	triedMost  = 2    // how many of them may be tried
	shrinkRuns = 1000 // how many runs shrinking may take

	oneIn = 1000 // at most one in that many searches of a right lock has findings
)

// A found is a universe in which a lock seems to break what it must keep.
type found struct {
	universe scenarios.Scenario
	seed     uint64 // with which it breaks there
	first    uint64 // the seed of the search that drew it
	from     int    // how many faults it had then
	shrunk   int    // in how many runs it was shrunk
	promises []comparison
}

// A comparison is how often the lock and the reference broke one promise in the same universe, with other seeds.
type comparison struct {
	property        int // in checker.Properties
	lock, reference int // of retryRuns, and of referenceRuns
	owed            bool
	markedly        bool // the lock breaks it more often than chance explains
	chance          *big.Rat
	violated        bool // with the seed of the find
}

func (c *comparison) name() string { return checker.Properties[c.property].Name }

// judge tries what a search hit upon: it returns the finds, and what was found not to be any.
func (s *search) judge() (finds []found, cleared []found) {
	var told, broken campaign.Set
	for _, h := range s.hits {
		broken |= h.broke
	}
	tests := triedMost * count(broken) * count(broken) // that may be made: each find is tried for each promise
	for i := range checker.Properties {
		if !broken.Has(i) || told.Has(i) {
			continue
		}
		for _, h := range s.candidates(i) {
			f := s.try(i, h, tests)
			these := f.broken(s.named)
			switch {
			case these&^told != 0: // perhaps of another promise than the one that it was tried for
				finds = append(finds, f)
			case these == 0:
				cleared = append(cleared, f)
			}
			if told |= these; told.Has(i) {
				break
			}
		}
	}
	return finds, cleared
}

func count(s campaign.Set) int { return bits.OnesCount64(uint64(s)) }

// broken returns the promises that are found broken: markedly more often than by the reference, or with the seed
// alone where the test names them.
func (f *found) broken(named campaign.Set) (all campaign.Set) {
	for _, c := range f.promises {
		if c.markedly || named.Has(c.property) && c.violated {
			all |= 1 << c.property
		}
	}
	return all
}

// candidates returns the universes that are tried for one promise: of those with the fewest faults, the ones in which
// it breaks most often.
func (s *search) candidates(property int) []hit {
	all := slices.DeleteFunc(slices.Clone(s.hits), func(h hit) bool { return !h.broke.Has(property) })
	slices.SortStableFunc(all, func(a, b hit) int { return cmp.Compare(a.faults, b.faults) })
	all = all[:min(len(all), screenMost)]
	often := map[uint64]int{}
	for _, h := range all {
		u := s.at(h.seed)
		often[h.seed] = s.screen(&u, property)
	}
	slices.SortStableFunc(all, func(a, b hit) int { return cmp.Compare(often[b.seed], often[a.seed]) })
	return all[:min(len(all), triedMost)]
}

func (s *search) screen(u *scenarios.Scenario, property int) int {
	return s.redraw(u, screened, screenRuns).broke[property]
}

// try shrinks a universe, and compares the lock with the reference in what is left.
func (s *search) try(property int, h hit, tests int) found {
	u := s.at(h.seed)
	f := found{first: h.seed, from: len(u.Faults)}
	least, runs := s.shrink(u, h.seed, property)
	f.universe, f.seed, f.shrunk = least.universe, least.seed, runs
	f.promises = s.compare(&f.universe, f.seed, tests)
	return f
}

// A trail is what a universe was while it was shrunk.
type trail struct {
	universe scenarios.Scenario
	seed     uint64
}

// shrink makes a universe simpler for as long as it breaks the promise. A simpler universe may break with this seed by
// a rare chance only. So of all universes on the way, shrink returns the simplest that breaks at least half as often as
// the first.
func (s *search) shrink(u scenarios.Scenario, seed uint64, property int) (simplest trail, runs int) {
	plain := *s.scenario
	plain.Search = scenarios.Search{}
	way := []trail{{u, seed}}
	least := campaign.Shrinker{Least: u, Seed: seed, Property: checker.Properties[property].Name, Plain: &plain,
		Most: shrinkRuns}
	least.Tried = func(_ string, tried *scenarios.Scenario, breaks bool) {
		if breaks && s.requires(tried).Has(property) {
			way = append(way, trail{*tried, least.Seed})
		}
	}
	s.universe = &u
	least.Run()
	if s.requires(&least.Least).Has(property) {
		way = append(way, trail{least.Least, least.Seed})
	}
	enough := max(1, (s.screen(&u, property)+1)/2)
	for back, i := 1, len(way)-1; i > 0; back, i = 2*back, i-back {
		if s.screen(&way[i].universe, property) >= enough {
			simplest = trail{way[i].universe, s.seedOf(&way[i], property)}
			return s.prune(simplest, property, enough), least.Runs
		}
	}
	return s.prune(way[0], property, enough), least.Runs
}

// prune leaves out the faults that hit nothing with its seed, if the universe breaks often enough without them: with
// another seed they may hit.
func (s *search) prune(t trail, property, enough int) trail {
	p := campaign.Shrinker{Least: t.universe, Seed: t.seed, Property: checker.Properties[property].Name}
	if p.Prune(); len(p.Least.Faults) == len(t.universe.Faults) || s.screen(&p.Least, property) < enough {
		return t
	}
	return trail{p.Least, t.seed}
}

// seedOf returns the seed with which something on the way breaks the promise: the last step of shrinking may have
// changed it.
func (s *search) seedOf(t *trail, property int) uint64 {
	r := scenarios.NewRunner()
	defer r.Close()
	if broken(r.Run(&t.universe, t.seed), property) {
		return t.seed
	}
	for _, h := range s.redraw(&t.universe, screened, screenRuns).hits {
		if h.broke.Has(property) {
			return h.seed
		}
	}
	return t.seed
}

func broken(res *scenarios.Result, property int) bool {
	return campaign.RowOf(res).Violated.Has(property)
}

// compare tries a universe again with other seeds, and the reference with others.
func (s *search) compare(u *scenarios.Scenario, seed uint64, tests int) (all []comparison) {
	r := scenarios.NewRunner()
	row := campaign.RowOf(r.Run(u, seed))
	r.Close()
	owed := s.requires(u)
	lock := s.redraw(u, retried, retryRuns)
	if len(lock.hits) == 0 && row.Violated&s.named == 0 {
		return nil // it never broke again; the reference can't do so less often
	}
	reference := s.redrawReference(u, compared, referenceRuns)
	level := big.NewRat(1, int64(oneIn*max(tests, 1)))
	for i := range checker.Properties {
		if !owed.Has(i) || lock.broke[i] == 0 && !row.Violated.Has(i) {
			continue
		}
		c := comparison{property: i, lock: lock.broke[i], reference: reference.broke[i], violated: row.Violated.Has(i)}
		c.owed = s.ledger != nil && s.ledger.requires(checker.Properties[i].Name, adversities(u))
		c.chance = stats.Fisher(c.lock, retryRuns, c.reference, referenceRuns)
		c.markedly = c.chance.Cmp(level) <= 0
		all = append(all, c)
	}
	return all
}

// redrawReference runs the reference. A watchdog extends in its own time, whatever lock.renew.every is. So one like
// Redisson's is compared with one that extends every third of the TTL at the soonest, as Redisson does.
func (s *search) redrawReference(u *scenarios.Scenario, first uint64, n int) tally {
	its := *u
	s.reference(&its)
	if strings.HasPrefix(its.Lock.Kind.String(), "redisson") && its.Lock.Renew.Every > 0 {
		its.Lock.Renew.Every = max(its.Lock.Renew.Every, its.Lock.TTL/3)
	}
	plain := *s
	plain.scenario = &its
	return plain.redraw(&its, first, n)
}

func (s *search) told(f *found) string {
	var b strings.Builder
	kind := s.scenario.Lock.Kind.String()
	for _, c := range f.promises {
		fmt.Fprintf(&b, "  %s: broken with %d of %d other seeds, and by the reference (%s) with %d of %d; %s\n",
			c.name(), c.lock, retryRuns, kind, c.reference, referenceRuns, c.verdict())
		switch {
		case s.ledger == nil:
			fmt.Fprintf(&b, "    What a %s lock must keep was never measured, so this comparison is the only evidence.\n", kind)
		case c.owed:
			fmt.Fprintf(&b, "    A lock of the kind %s must keep it: the catalogue's never broke it under %s,\n"+
				"    in %d universes of each and of each two.\n",
				s.ledger.Kind, strikes(&f.universe), s.ledger.Each)
		default:
			fmt.Fprintf(&b, "    No lock of this kind is known to keep it under %s: the test asks for it by name.\n",
				strikes(&f.universe))
		}
		if c.name() == "fault-tolerant" {
			b.WriteString("    " + s.scenario.LossNote() + "\n")
		}
	}
	return b.String()
}

func strikes(u *scenarios.Scenario) string {
	these := adversities(u)
	if len(these) == 0 {
		return "no fault"
	}
	slices.Sort(these)
	return strings.Join(these, ", ")
}

func (c *comparison) verdict() string {
	if c.markedly {
		return "by chance that happens " + rarely(c.chance)
	}
	return "that may be chance"
}

func rarely(p *big.Rat) string {
	n := new(big.Int).Quo(p.Denom(), p.Num())
	if digits := len(n.String()); digits > 6 {
		return fmt.Sprintf("less than once in 10^%d times", digits-1)
	}
	return "once in " + n.String() + " times"
}
