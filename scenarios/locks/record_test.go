package locks

import (
	"fmt"
	"testing"
	"time"
)

// A sheet is a client of a store of one record, without a simulator. The store's clock shows what the client's does.
type sheet struct {
	*bench
	record   Record
	versions uint64
	asked    int
	lost     map[int]bool // by number: requests that don't arrive
	unheard  map[int]bool // requests that are done, and their answers are lost
}

func newSheet(change func(*Config)) (*sheet, *RecordLock) {
	c := Config{Rules: Reference(), Key: "k", Servers: []int{0}}
	if change != nil {
		change(&c)
	}
	return &sheet{bench: newBench(), lost: map[int]bool{}, unheard: map[int]bool{}}, NewRecord(c)
}

func (s *sheet) Call(_ int, request any, timeout time.Duration) (any, error) {
	s.asked++
	if s.lost[s.asked] {
		s.now += timeout
		return nil, errLost
	}
	done := false
	if w, is := request.(*Change); is && w.Holds(&s.record) {
		done = true
		s.write(w.Record)
		if w.Stamp {
			s.record.Expires = s.Wall() + w.Lasts
		}
	}
	reply := RecordReply{Record: s.record, Done: done, Now: s.Wall()}
	if s.unheard[s.asked] {
		s.now += timeout
		return nil, errLost
	}
	s.now += s.cost
	return reply, nil
}

func (s *sheet) write(r Record) {
	s.versions++
	s.record, s.record.Version = r, s.versions
}

// A record is free only after the moment at which it ends.
func TestARecordIsNotFreeAtTheMomentAtWhichItEnds(t *testing.T) {
	for name, judge := range map[string]Judge{"change": ByChange, "reader": ByReader, "server": ByServer} {
		for past, want := range map[time.Duration]bool{-1: false, 0: false, 1: true} {
			s, l := newSheet(func(c *Config) { c.Record.Judge = judge })
			s.cost = 0
			s.write(Record{Owner: "another", Expires: 4 * time.Second, Lasts: 4 * time.Second, Number: 7})
			if l.Acquire(s).Won() {
				t.Errorf("%s: a record that has not ended is taken over", name)
			}
			s.now += 4*time.Second + past
			if got := l.Acquire(s).Won(); got != want {
				t.Errorf("%s: %s after its end, taken over: %t", name, past, got)
			}
		}
	}
}

// What another has released is free at the first look, though the client has only now seen it change.
func TestAReleasedRecordIsFree(t *testing.T) {
	for name, judge := range map[string]Judge{"change": ByChange, "reader": ByReader, "server": ByServer} {
		s, l := newSheet(func(c *Config) { c.Record.Judge, c.Record.Within = judge, time.Hour })
		s.write(Record{Number: 7})
		if g := l.Acquire(s); !g.Won() || g.Fence != 8 {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

// A client that always writes its own name takes its own record immediately, as after a crash; one with a new name for
// each attempt waits for its end.
func TestOwnRecordIsFree(t *testing.T) {
	for fresh, want := range map[bool]bool{false: true, true: false} {
		s, l := newSheet(func(c *Config) { c.FreshToken = fresh })
		if g := l.Acquire(s); !g.Won() || g.Fence != 1 {
			t.Fatalf("%+v", g)
		}
		if g := l.Acquire(s); g.Won() != want || want && g.Fence != 2 {
			t.Errorf("new names %t: %+v", fresh, g)
		}
	}
}

// A write over the client's own record has no answer. The look after it finds a record of the client's either way, and
// its version says which.
func TestAnEarlierRecordOfItsOwnIsNotWhatTheClientHasWritten(t *testing.T) {
	for arrives, want := range map[bool]bool{true: true, false: false} {
		s, l := newSheet(func(c *Config) { c.FreshToken = false })
		l.Acquire(s)
		s.lost[4], s.unheard[4] = !arrives, arrives // 3 reads the record, 4 writes it, and 5 reads it again
		g := l.Acquire(s)
		if g.Won() != want || s.asked != 5 || !g.Won() && g.Clean {
			t.Errorf("the write arrives: %t; %+v after %d requests", arrives, g, s.asked)
		}
	}
}

// An extension is done, but neither it nor the look after it is answered. So the next one is refused, because the record
// has another version than the client knows. From that refusal it knows the version for the one after.
func TestARefusalTellsTheVersionOfTheOwnRecord(t *testing.T) {
	for reread, want := range map[bool]string{true: "false false true", false: "false false false"} {
		s, l := newSheet(func(c *Config) { c.Record.Match, c.Record.Reread = MatchVersion, reread })
		g := l.Acquire(s)
		s.unheard[3], s.lost[4] = true, reread
		got := fmt.Sprint(l.Extend(s, &g), " ", l.Extend(s, &g), " ", l.Extend(s, &g))
		if got != want {
			t.Errorf("with a look %t: extended %s; want %s", reread, got, want)
		}
	}
}

// The new record has time left. The old deadline has passed, and other clients may have taken the record over.
func TestAnExtensionOfARecordThatComesBackAtTheOldDeadlineIsTooLate(t *testing.T) {
	for spare, want := range map[time.Duration]bool{0: false, 1: true} {
		s, l := newSheet(nil)
		g := l.Acquire(s)
		s.now = g.Deadline - s.cost - spare
		if got := l.Extend(s, &g); got != want {
			t.Errorf("%s before the deadline: extended %t", spare, got)
		}
	}
}

// The old deadline is far away, and the new record has no time left by the time of the answer.
func TestAnExtensionOfARecordThatSpentItsOwnLifeIsTooLate(t *testing.T) {
	for spare, want := range map[time.Duration]bool{0: false, 1: true} {
		s, l := newSheet(nil)
		g := l.Acquire(s)
		g.Deadline = time.Hour
		s.cost = l.config.Validity(0) - spare
		if got := l.Extend(s, &g); got != want {
			t.Errorf("%s of validity left: extended %t", spare, got)
		}
	}
}

// The answer comes when the validity has ended, to the nanosecond: the record is given back.
func TestARecordWithoutTimeLeftIsNotHeld(t *testing.T) {
	for spare, want := range map[time.Duration]Outcome{0: TooLate, 1: Won} {
		s, l := newSheet(nil)
		s.cost = l.config.Validity(0) - spare
		g := l.Acquire(s)
		if g.Outcome != want || (s.record.Owner == "") == (want == Won) {
			t.Errorf("%s of validity left: %+v, and the record is %+v", spare, g, s.record)
		}
	}
}

// Its session ends at the moment of the answer.
func TestAConsulKeyUnderASessionWithoutTimeLeftIsNotHeld(t *testing.T) {
	for spare, want := range map[time.Duration]Outcome{0: TooLate, 1: Won} {
		b, s := newShelf()
		l := NewConsul(s.config(SessionReference()))
		b.cost = l.validity()/2 - spare // a session is begun, and the key is created
		g := l.Acquire(b)
		if g.Outcome != want || (len(s.keys) == 0) == (want == Won) {
			t.Errorf("%s left: %+v, keys %v", 2*spare, g, s.keys)
		}
	}
}
