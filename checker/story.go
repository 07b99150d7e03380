package checker

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// A Story is what led to a violation, event by event, and what of the run a picture should show.
//
// The file of a promise adds to its story with the methods below. Each adds events, and adds what they are about to the
// lists for a picture.
type Story struct {
	Events []Event // in order of time

	// What a picture should show, as indices into the lists of the Evidence.
	Clients  []int // those that take part
	Holds    []int // with the attempts that won them and what was done under them
	Tries    []int // attempts, up to the last act of their client about them
	Keys     []int // keys whose owner is not known
	Renewals []int
	Waits    []Wait // calls that had to wait

	e *Evidence
	w Witness
}

// A Wait is a client that waits for the lock, or for its release, from an instant on. Client -1 is the fresh client of
// the probe.
type Wait struct {
	Client int
	From   clock.Instant
}

// An Event is one line of a story.
type Event struct {
	At   clock.Instant
	Text string
	Over bool // it is the end of a fault

	telling
	strike int // the fault that it starts or ends
}

// A telling is a kind of event: its sentence, how much it weighs, and where it comes among the events of one instant.
type telling struct {
	text  string // a format
	main  bool   // the story can't be understood without it
	minor bool   // another event says more
	rank  rank
}

// A rank orders events of one instant.
type rank uint8

// The ranks: what a client did comes before the fault that waited for it, and the fault before the keys that it took.
const (
	ofClient rank = iota
	ofFault
	ofKey
)

// The events of all stories.
var (
	acquires   = telling{text: "%s acquires the lock%s, %s", main: true}
	invalid    = telling{text: "%s's validity had passed before that"}
	expires    = telling{text: "%s's validity ends, by its own clock", main: true}
	givesUp    = telling{text: "%s gives up, because its validity has passed"}
	crashes    = telling{text: "%s crashes", main: true}
	releases   = telling{text: "%s releases the lock"}
	begins     = telling{text: "%s begins an attempt to acquire"}
	tooLate    = telling{text: "%s has enough votes, but no validity left: it does not take the lock"}
	fails      = telling{text: "%s's attempt ends without the lock: %s"}
	asksFence  = telling{text: "%s asks for a fencing token"}
	calls      = telling{text: "%s calls %s", main: true}
	probeAsks  = telling{text: "a fresh client asks for the lock, when every fault is healed"}
	probeWins  = telling{text: "the fresh client has the lock"}
	asksMore   = telling{text: "%s asks to extend its lock", minor: true}
	asksInVain = telling{text: "%s asks to extend its lock, and has no answer until the run ends"}
	extends    = telling{text: "%s"}
	extendsFar = telling{text: "%s", main: true} // says why a hold lasted as long as it did
	extendsOn  = telling{text: "%s asks to extend its lock %d more times: %d succeed%s"}
	reads      = telling{text: "%s reads version %d"}
	sends      = telling{text: "%s sends its write, based on version %d"}
	asksFirst  = telling{text: "%s asks whether its write, based on version %d, would be taken"}
	accepted   = telling{text: "%s's write%s arrives: plain storage makes it version %d; " +
		"fenced storage accepts it", main: true}
	refused = telling{text: "%s's write%s arrives: plain storage makes it version %d; " +
		"fenced storage rejects it, because %s", main: true}
	hasKey     = telling{text: "%s has %s's key from now on"}
	hasUnowned = telling{text: "%s has a key whose owner is not known"}
	isDone     = telling{text: "%s is done with it: every node that it released it on has acknowledged", main: true}
	isNotDone  = telling{text: "%s is done with it, though not every node has acknowledged a release", main: true}
	losesKey   = telling{text: "%s no longer has %s's key%s", rank: ofKey}
	losesIt    = telling{text: "%s no longer has the key%s", rank: ofKey}
	keepsKey   = telling{text: "the run ends; %s still has the key, and would keep it for ever", rank: ofKey}
	keepsUntil = telling{text: "the run ends; %s still has the key, and would keep it until %s", rank: ofKey}
	strikes    = telling{text: "fault: %s", rank: ofFault}
	strikesFor = telling{text: "fault: %s, for %s", rank: ofFault}
	isOver     = telling{text: "%s has ended", rank: ofFault}
)

// refusals say why fenced storage rejects a write.
var refusals = [...]string{
	ByOrder:    "it has seen a higher token",
	ByEquality: "the last read brought another token",
	ByVersion:  "it is not based on the present version",
}

func (s *Story) inOrder() Story {
	slices.SortStableFunc(s.Events, byTime)
	return *s
}

// After returns the events to follow an account: all except the starts of faults that it names.
func (s Story) After(a Account) []Event {
	return slices.DeleteFunc(slices.Clone(s.Events), func(m Event) bool { return m.begins(&a) })
}

// Main returns the n most important of the events to follow an account, in order of time: those at the witness's
// instants, then those without which the story can't be understood. It leaves out ends of faults.
func (s Story) Main(n int, a Account) (all []Event) {
	for _, tier := range []func(Event) bool{
		func(m Event) bool { return !m.minor && (m.At == s.w.To || m.At == s.w.From) },
		func(m Event) bool { return m.main },
		func(m Event) bool { return !m.minor },
		func(m Event) bool { return true },
	} {
		for _, m := range s.Events {
			if len(all) < n && !m.Over && !m.begins(&a) && tier(m) && !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	slices.SortStableFunc(all, byTime)
	return all
}

func byTime(a, b Event) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.rank, b.rank)) }

func (m Event) begins(a *Account) bool { return m.rank == ofFault && !m.Over && a.names(m.strike) }

func (s *Story) tell(t clock.Instant, how telling, args ...any) {
	s.add(Event{At: t, Text: fmt.Sprintf(how.text, args...), telling: how})
}

// add adds an event, once, because both sides of a conflict may add it. Something that never happened is no event.
func (s *Story) add(m Event) {
	if m.At != clock.Forever && !slices.Contains(s.Events, m) {
		s.Events = append(s.Events, m)
	}
}

// include adds an index to a list, once.
func include(list *[]int, i int) {
	if !slices.Contains(*list, i) {
		*list = append(*list, i)
	}
}

// both adds the two holds of the witness.
func (s *Story) both() {
	s.hold(s.w.First)
	s.hold(s.w.Second)
}

func (s *Story) hold(i int) {
	h := &s.e.Holds[i]
	include(&s.Clients, h.Client)
	include(&s.Holds, i)
	who, released := client(h.Client), s.e.released(h)
	s.tell(h.From, acquires, who, fence(" (", h.Fence, ")"), s.e.holders(h))
	if h.Late() {
		s.tell(h.From, invalid, who)
	} else {
		for _, end := range s.e.ends(i, released) {
			s.tell(end, expires, who)
		}
	}
	switch {
	case h.Gone == released:
	case released != clock.Forever:
		s.tell(h.Gone, givesUp, who)
	default:
		s.tell(h.Gone, crashes, who)
	}
	s.tell(released, releases, who)
	s.extensions(i)
}

// A story lists this many extensions of a hold one by one, at the start and at the end; those between are one event.
const (
	extensionsFirst = 2
	extensionsLast  = 3
)

// extensions adds the extensions of a hold: when each was asked for, and its outcome. Of many the middle is one event.
func (s *Story) extensions(hold int) {
	var all, middle []int
	for i, r := range s.e.Renewals {
		if r.Hold == hold {
			all = append(all, i)
		}
	}
	for n, i := range all {
		decisive := s.e.Renewals[i].OK && s.e.Renewals[i].At == s.w.To
		if n >= extensionsFirst && n < len(all)-extensionsLast && !decisive {
			middle = append(middle, i)
			continue
		}
		s.extension(i, decisive || i == s.e.lastExtension(hold))
	}
	s.manyExtensions(hold, middle)
}

// extension adds one extension: asked, and answered. The last successful one, and the one at which a promise broke, say
// why a hold lasted as long as it did.
func (s *Story) extension(renewal int, decisive bool) {
	r := &s.e.Renewals[renewal]
	include(&s.Renewals, renewal)
	asks, answered := asksMore, extends
	if r.At == clock.Forever {
		asks = asksInVain
	}
	if decisive {
		answered = extendsFar
	}
	s.tell(r.Asked, asks, s.e.owner(r.Hold))
	s.tell(r.At, answered, s.e.Extended(renewal))
}

// manyExtensions adds extensions of a hold that are not listed one by one.
func (s *Story) manyExtensions(hold int, all []int) {
	if len(all) == 0 {
		return
	}
	succeeded, last := 0, all[0]
	for _, i := range all {
		if s.e.Renewals[i].OK {
			succeeded, last = succeeded+1, i
		}
	}
	lasting := ""
	if succeeded > 0 {
		lasting = ", the last at " + seconds(s.e.Renewals[last].At) + s.e.validUntil(last)
	}
	s.tell(s.e.Renewals[all[0]].Asked, extendsOn, s.e.owner(hold), len(all), succeeded, lasting)
}

func (s *Story) try(i int) {
	t := &s.e.Tries[i]
	include(&s.Clients, t.Client)
	include(&s.Tries, i)
	s.tell(t.From, begins, client(t.Client))
}

// token adds how a hold got its fencing token, and the hold.
func (s *Story) token(hold int) {
	h := &s.e.Holds[hold]
	s.tell(h.Asked, asksFence, client(h.Client))
	s.hold(hold)
}

// keys adds the ends of a hold's keys before the story ends.
func (s *Story) keys(hold int) {
	h := &s.e.Holds[hold]
	for _, k := range s.e.Keys {
		if k.Token == h.Token && k.To <= s.w.To {
			s.tell(k.To, losesKey, s.e.lane(k.Lane), client(h.Client), s.e.endingSuffix(&k))
		}
	}
}

// update adds how one update came about: the hold it was made under, what it was based on, and its outcome.
func (s *Story) update(i int) {
	u := &s.e.Writes[i]
	include(&s.Clients, u.Client)
	who, sent := client(u.Client), s.e.invoked(u)
	if h := s.e.holdAt(u.Client, sent); h >= 0 {
		s.hold(h)
	}
	if read, ok := s.e.readBefore(u.Op); ok {
		s.tell(read.Time, reads, who, read.Value.Plain)
	}
	switch {
	case !s.e.sent(u):
	case u.Asked:
		s.tell(sent, asksFirst, who, u.Plain.Base)
	default:
		s.tell(sent, sends, who, u.Plain.Base)
	}
	token := fence(" (", u.Fence, ")")
	if u.Fenced.Made == 0 {
		s.tell(u.At, refused, who, token, u.Plain.Made, refusals[s.e.Guard])
		return
	}
	s.tell(u.At, accepted, who, token, u.Plain.Made)
}

// leak adds who set a key, when, and when its owner was done with it.
func (s *Story) leak(key, try int) {
	k := &s.e.Keys[key]
	if try < 0 {
		include(&s.Keys, key)
		s.tell(k.From, hasUnowned, s.e.lane(k.Lane))
		return
	}
	t := &s.e.Tries[try]
	who := client(t.Client)
	s.try(try)
	s.tell(k.From, hasKey, s.e.lane(k.Lane), who)
	if i := s.e.won(t); i >= 0 {
		s.hold(i)
	} else {
		s.tell(t.To, fails, who, t.Outcome)
	}
	done := isNotDone
	if t.Clean {
		done = isDone
	}
	s.tell(t.Left, done, who)
}

// last adds the end of a leaked key, or that the run ended before it.
func (s *Story) last(key int) {
	k, end := &s.e.Keys[key], s.e.End
	lane := s.e.lane(k.Lane)
	switch {
	case k.To <= end:
		s.tell(k.To, losesIt, lane, s.e.endingSuffix(k))
	case k.To == clock.Forever:
		s.tell(end, keepsKey, lane)
	default:
		s.tell(end, keepsUntil, lane, seconds(k.To))
	}
}

// call adds a call that had to wait, by the index of its invoke in the history.
func (s *Story) call(op int) {
	o := &s.e.History[op]
	who := s.e.clientOf(o.Process)
	include(&s.Clients, who)
	s.Waits = append(s.Waits, Wait{who, o.Time})
	s.tell(o.Time, calls, client(who), o.F)
}

// probe adds the acquire of the fresh client that came after the run.
func (s *Story) probe() {
	s.Waits = append(s.Waits, Wait{-1, s.e.Probe.Asked})
	s.tell(s.e.Probe.Asked, probeAsks)
	s.tell(s.e.Probe.Won, probeWins)
}

func (s *Story) strikes(t clock.Instant) {
	tell := func(t clock.Instant, strike int, over bool, how telling, args ...any) {
		s.add(Event{At: t, Text: fmt.Sprintf(how.text, args...), Over: over, telling: how, strike: strike})
	}
	for i := range s.e.Strikes {
		switch f := &s.e.Strikes[i]; {
		case f.From > t:
		case f.To == clock.Forever:
			tell(f.From, i, false, strikes, f.Fault)
		default:
			tell(f.To, i, true, isOver, f.again())
			tell(f.From, i, false, strikesFor, f.Fault, lasting(f.To.Sub(f.From)))
		}
	}
}
