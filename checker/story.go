package checker

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// A Story is what led to a violation, event by event, and what of the run a picture of it should show.
//
// The file of a promise adds to its story with the methods below: hold, update, token and so on. Each adds events, and
// adds what they are about to the focus.
type Story struct {
	Events []Event // in order of time
	Focus  Focus

	e *Evidence
	w Witness
}

// An Event is one line of a story.
type Event struct {
	At   clock.Instant
	Text string
	Over bool // it is the end of a fault

	fault  bool // it is the beginning or the end of a fault
	strike int  // of which
	main   bool // the story can't be understood without it
	minor  bool // another event says more
	rank   rank
}

// A rank orders events of one instant.
type rank uint8

// The ranks: what a client did comes before the fault that waited for it, and that before the keys that the fault took.
const (
	ofClient rank = iota
	ofFault
	ofKey
)

// A Focus is what a picture of a story should show. Its lists index those of the Evidence.
type Focus struct {
	Clients  []int // those that take part
	Holds    []int // with the attempts that won them and what was done under them
	Tries    []int // attempts, up to the last act of their client about them
	Keys     []int // keys whose owner is not known
	Renewals []int
	Waits    []Wait // calls that had to wait
}

// A Wait is a client that waits for the lock, or for its release, from some time on. Client -1 is the fresh client of the
// probe.
type Wait struct {
	Client int
	From   clock.Instant
}

func (s *Story) inOrder() Story {
	slices.SortStableFunc(s.Events, byTime)
	return *s
}

// After returns the events to follow an account: all but the beginnings of faults that it names.
func (s Story) After(a Account) []Event {
	return slices.DeleteFunc(slices.Clone(s.Events), func(m Event) bool { return m.begins(&a) })
}

// Main returns the n most important of the events to follow an account, in order of time: those at the witness's instants,
// then those without which the story can't be understood. It leaves out ends of faults.
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

func (m Event) begins(a *Account) bool { return m.fault && !m.Over && a.names(m.strike) }

func (s *Story) add(at clock.Instant, format string, args ...any) {
	s.put(Event{At: at, Text: fmt.Sprintf(format, args...)})
}

// addMain adds an event of a client without which the story can't be understood.
func (s *Story) addMain(at clock.Instant, format string, args ...any) {
	s.put(Event{At: at, Text: fmt.Sprintf(format, args...), main: true})
}

func (s *Story) addKey(at clock.Instant, format string, args ...any) {
	s.put(Event{At: at, Text: fmt.Sprintf(format, args...), rank: ofKey})
}

// put adds an event, once, because both sides of a conflict may add it. What never happened is no event.
func (s *Story) put(m Event) {
	if m.At != clock.Forever && !slices.Contains(s.Events, m) {
		s.Events = append(s.Events, m)
	}
}

// include adds an index to a list of the focus, once.
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
	include(&s.Focus.Clients, h.Client)
	include(&s.Focus.Holds, i)
	who, released := client(h.Client), s.e.released(h)
	s.addMain(h.From, "%s acquires the lock%s, %s", who, fence(" (", h.Fence, ")"), s.e.holders(h))
	if h.Valid <= h.From {
		s.add(h.From, "%s's validity had passed before that", who)
	} else {
		for _, end := range s.e.ends(i, released) {
			s.addMain(end, "%s's validity ends, by its own clock", who)
		}
	}
	switch {
	case h.Gone == released:
	case released != clock.Forever:
		s.add(h.Gone, "%s gives up, because its validity has passed", who)
	default:
		s.addMain(h.Gone, "%s crashes", who)
	}
	s.add(released, "%s releases the lock", who)
	s.extensions(i)
}

// The extensions of a hold that a story tells one by one: of more, these many at the beginning and at the end.
const (
	extensionsFirst = 2
	extensionsLast  = 3
)

// extensions adds the extensions of a hold: when each was asked for, and what came of it. Of many the middle is one event.
func (s *Story) extensions(hold int) {
	var all []int
	for i := range s.e.Renewals {
		if s.e.Renewals[i].Hold == hold {
			all = append(all, i)
		}
	}
	var middle []int
	for n, i := range all {
		if at := s.e.Renewals[i].At; n >= extensionsFirst && n < len(all)-extensionsLast && (at != s.w.To || !s.e.Renewals[i].OK) {
			middle = append(middle, i)
			continue
		}
		s.extension(i, i == s.e.lastExtension(hold))
	}
	s.manyExtensions(hold, middle)
}

// extension adds one extension: asked, and answered. The last one that succeeded, and that at which a promise broke, say
// why a hold lasted as long as it did.
func (s *Story) extension(renewal int, last bool) {
	r := &s.e.Renewals[renewal]
	include(&s.Focus.Renewals, renewal)
	who := s.e.owner(r.Hold)
	asks := " asks to extend its lock"
	if r.At == clock.Forever {
		asks += ", and has no answer until the run ends"
	}
	s.put(Event{At: r.Asked, Text: who + asks, minor: r.At != clock.Forever})
	at := s.add
	if r.OK && (last || r.At == s.w.To) {
		at = s.addMain
	}
	at(r.At, "%s", s.e.Extended(renewal))
}

// manyExtensions adds extensions of a hold that are not told one by one.
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
	text := fmt.Sprintf("%s asks to extend its lock %d more times: %d succeed", s.e.owner(hold), len(all), succeeded)
	if succeeded > 0 {
		text += ", the last at " + seconds(s.e.Renewals[last].At) + s.e.validUntil(last)
	}
	s.add(s.e.Renewals[all[0]].Asked, "%s", text)
}

func (s *Story) try(i int) {
	t := &s.e.Tries[i]
	include(&s.Focus.Clients, t.Client)
	include(&s.Focus.Tries, i)
	s.add(t.From, "%s begins an attempt to acquire", client(t.Client))
}

// token adds how a hold got its fencing token, and the hold.
func (s *Story) token(hold int) {
	h := &s.e.Holds[hold]
	s.add(h.Asked, "%s asks for a fencing token", client(h.Client))
	s.hold(hold)
}

// keys adds the ends of a hold's keys before the story ends.
func (s *Story) keys(hold int) {
	h := &s.e.Holds[hold]
	for _, k := range s.e.Keys {
		if k.Token == h.Token && k.To <= s.w.To {
			s.addKey(k.To, "%s no longer has %s's key%s", s.e.lane(k.Lane), client(h.Client), s.e.endingSuffix(&k))
		}
	}
}

// update adds how one update came about: the hold it was made under, what it was based on, and what became of it.
func (s *Story) update(i int) {
	u := &s.e.Writes[i]
	include(&s.Focus.Clients, u.Client)
	who, sent := client(u.Client), s.e.invoked(u)
	if h := s.e.holdAt(u.Client, sent); h >= 0 {
		s.hold(h)
	}
	if read, ok := s.e.readBefore(u.Op); ok {
		s.add(read.Time, "%s reads version %d", who, read.Value.Plain)
	}
	sends := "%s sends its write, based on version %d"
	if u.Asked {
		sends = "%s asks whether its write, based on version %d, would be taken"
	}
	if s.e.sent(u) {
		s.add(sent, sends, who, u.Plain.Base)
	}
	fenced := "fenced storage accepts it"
	if u.Fenced.Made == 0 {
		fenced = "fenced storage refuses it, because " + refusals[s.e.Guard]
	}
	s.addMain(u.At, "%s's write%s arrives: plain storage makes it version %d; %s", who, fence(" (", u.Fence, ")"), u.Plain.Made, fenced)
}

// leak adds who set a key, when, and when its owner was done with it.
func (s *Story) leak(key, try int) {
	k := &s.e.Keys[key]
	if try < 0 {
		include(&s.Focus.Keys, key)
		s.add(k.From, "%s has a key whose owner is not known", s.e.lane(k.Lane))
		return
	}
	t := &s.e.Tries[try]
	who := client(t.Client)
	s.try(try)
	s.add(k.From, "%s has %s's key from now on", s.e.lane(k.Lane), who)
	if i := s.e.won(t); i >= 0 {
		s.hold(i)
	} else {
		s.add(t.To, "%s's attempt ends without the lock: %s", who, t.Outcome)
	}
	if t.Clean {
		s.addMain(t.Left, "%s is done with it: every node that it released it on has acknowledged", who)
	} else {
		s.addMain(t.Left, "%s is done with it, though not every node has acknowledged a release", who)
	}
}

// last adds the end of a leaked key, or that the run ended before it.
func (s *Story) last(key int) {
	k, end := &s.e.Keys[key], s.e.End
	lane := s.e.lane(k.Lane)
	switch {
	case k.To <= end:
		s.addKey(k.To, "%s no longer has the key%s", lane, s.e.endingSuffix(k))
	case k.To == clock.Forever:
		s.addKey(end, "the run ends; %s still has the key, and would keep it for ever", lane)
	default:
		s.addKey(end, "the run ends; %s still has the key, and would keep it until %s", lane, k.To)
	}
}

// call adds a call that had to wait, by the index of its invoke in the history.
func (s *Story) call(op int) {
	o := &s.e.History[op]
	who := s.e.clientOf(o.Process)
	include(&s.Focus.Clients, who)
	s.Focus.Waits = append(s.Focus.Waits, Wait{who, o.Time})
	s.addMain(o.Time, "%s calls %s", client(who), o.F)
}

// probe adds the acquire of the fresh client that came after the run.
func (s *Story) probe() {
	s.Focus.Waits = append(s.Focus.Waits, Wait{-1, s.e.Probe.Asked})
	s.add(s.e.Probe.Asked, "a fresh client asks for the lock, when every fault is healed")
	s.add(s.e.Probe.Won, "the fresh client has the lock")
}

// strikes adds the faults that had struck by some time, and their ends.
func (s *Story) strikes(by clock.Instant) {
	for i := range s.e.Strikes {
		f := &s.e.Strikes[i]
		if f.From > by {
			continue
		}
		lasts := ""
		if f.To != clock.Forever {
			lasts = ", for " + f.To.Sub(f.From).String()
			s.put(Event{At: f.To, Text: f.again() + " is over", Over: true, fault: true, strike: i, rank: ofFault})
		}
		s.put(Event{At: f.From, Text: "fault: " + f.Fault + lasts, fault: true, strike: i, rank: ofFault})
	}
}
