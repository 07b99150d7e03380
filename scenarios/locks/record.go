package locks

import (
	"fmt"
	"time"
)

// A RecordLock is a lock as people write it on a table, a bucket or a key-value store: one record, with its owner and
// the time at which it expires. A client reads the record, judges whether it is free, and writes its own in its place.
// The store compares and writes in one step. It has a clock, but nothing in it expires: the clients decide that.
//
// With the reference's rules the clocks of clients and store may show anything, while they run at rates as equal as the
// drift allowance wants. A reader takes a record over when it has not seen it change for as long as the record lasts,
// by its own clock from the answer on. The holder has asked before that, so its deadline is earlier.
type RecordLock struct {
	config Config
	owner  string            // of the latest attempt
	seen   uint64            // the version that the latest look found
	since  time.Duration     // when it was first found
	held   map[string]Record // what each owner has written last
}

// A Record is what the store has. Without an owner it is free.
type Record struct {
	Owner   string
	Expires time.Duration // a time of day
	Lasts   time.Duration // how long it counts from when it is written
	Number  uint64        // as its owners count them: the fencing token
	Version uint64        // as the store counts the writes to it; 0 for no record
}

// readRecord asks a store for its record. The reply is a [RecordReply].
type readRecord struct{}

// A Change puts a record in the place of the present one, or deletes that, if the present one is as it Was.
type Change struct {
	Record // a Version in it is ignored
	Delete bool
	Stamp  bool  // the store's clock decides when it expires
	If     Match // what must be as it was
	Was    Record
}

// A RecordReply is a store's reply: the record that it has now, whether a Change was made, and what its clock shows.
type RecordReply struct {
	Record
	Done bool
	Now  time.Duration
}

// Holds reports whether the change may be made, given the present record.
func (w *Change) Holds(now *Record) bool {
	switch w.If {
	case MatchOwner:
		return now.Owner == w.Was.Owner
	case MatchVersion:
		return now.Version == w.Was.Version
	case MatchNumber:
		return now.Number == w.Was.Number
	}
	return true
}

// RecordRules are the rules of a lock that is a record.
type RecordRules struct {
	Writer     Writer        `yaml:"writer"`
	Judge      Judge         `yaml:"judge"`
	Within     time.Duration `yaml:"within"`
	FromAnswer bool          `yaml:"from_answer"`
	Compare    bool          `yaml:"compare"`
	Match      Match         `yaml:"match"`
	Release    Vacate        `yaml:"release"`
	Reread     bool          `yaml:"reread"`
}

func recordReference() RecordRules {
	return RecordRules{Writer: ServerWrites, FromAnswer: true, Compare: true, Reread: true}
}

// The names of values, as scenarios write them.
var (
	WriterNames = []string{"client", "server"}
	JudgeNames  = []string{"change", "reader", "server"}
	MatchNames  = []string{"owner", "version", "number"}
	VacateNames = []string{"clear", "reset", "delete"}
)

// A Writer is whose clock writes the time at which a record expires: the client's or the server's.
type Writer uint8

// The writers, under the names that scenarios use: client, server.
const (
	ClientWrites Writer = iota
	ServerWrites
)

// A Judge is who decides that a record has expired.
type Judge uint8

// The judges, under the names that scenarios use: change, reader, server.
const (
	ByChange Judge = iota // the reader has not seen it change for as long as it lasts
	ByReader              // the reader's wall clock has passed the time in it
	ByServer              // the server's has
)

// A Match is what the record must still have for its owner to renew or release it.
type Match uint8

// The matches, under the names that scenarios use: owner, version, number.
const (
	MatchOwner Match = iota
	MatchVersion
	MatchNumber
	matchNothing // no name: it is what clients do that don't compare
)

// A Vacate is what a release leaves.
type Vacate uint8

// What a release leaves, under the names that scenarios use: clear, reset, delete.
const (
	Clear  Vacate = iota // a record without an owner, and with its number
	Reset                // the same, with number 0: the next owner has 1
	Vacant               // no record: the next owner has number 1
)

// NewRecord makes one client's lock on a record of a store.
func NewRecord(c Config) *RecordLock {
	if len(c.Servers) != 1 {
		panic("locks: a record is in exactly one store")
	}
	return &RecordLock{config: c, held: map[string]Record{}}
}

// RecordProtocol is the protocol of NewRecord.
var RecordProtocol = Protocol{
	Name: "record", New: making(NewRecord), OneServer: true, Counts: always,
	Options: []string{"ttl", "timeout", "clock", "drift_factor", "drift_constant", "fresh_token", "validity_check",
		"deduct_elapsed", "free", "patience", "own_time", "retry.", "renew.", "record."},
	Attempt: func(r Rules, _ int) time.Duration { return calls(r, 4) },
}

// Acquire makes one attempt.
func (l *RecordLock) Acquire(c Client) Grant {
	if l.config.FreshToken || l.owner == "" {
		l.owner = c.Token()
	}
	g := Grant{Outcome: NoQuorum, Token: l.owner, Clean: true}

	// 1. Read the record, and judge whether it is free.
	c.Mark("asking")
	before := l.now(c)
	now, ok := l.ask(c, readRecord{})
	if !ok || !l.free(c, now, before) {
		return g
	}

	// 2. Write a record in its place, if it has not changed since. A second client that has read the same is refused.
	c.Mark("between")
	start := l.now(c)
	own := l.record(c, g.Token, now.Number+1)
	took, known := l.write(c, &Change{Record: own, Was: now.Record,
		If: l.compare(l.config.Record.Compare, MatchVersion)})
	c.Mark("answered")
	if !took {
		g.Clean = known // otherwise the request may still be on its way
		return g
	}
	g.Outcome, g.Votes, g.Fence = Won, 1, own.Number
	g.fence(c, l.config.Fence)

	// 3. The deadline counts from before the request: the record may have been written right then.
	end := l.now(c)
	validity := l.config.Validity(end - start)
	g.Deadline = end + validity
	if g.Won() && l.config.ValidityCheck && validity <= 0 {
		g.Outcome = TooLate
	}
	if g.Won() {
		return g
	}
	if l.config.OwnTime {
		c = withoutDeadline(c)
	}
	g.Clean = l.Release(c, g)
	return g
}

// free reports whether a client may take the record.
func (l *RecordLock) free(c Client, r RecordReply, asked time.Duration) bool {
	rules := &l.config.Record
	if found := r.Version; found != l.seen {
		l.seen, l.since = found, asked
		if rules.FromAnswer {
			l.since = l.now(c)
		}
	}
	if r.Owner == "" || r.Owner == l.owner {
		return true
	}
	lasts := r.Lasts
	if rules.Within > 0 {
		lasts = rules.Within
	}
	switch ends := r.Expires - r.Lasts + lasts; rules.Judge {
	case ByReader:
		return c.Wall() > ends
	case ByServer:
		return r.Now > ends
	}
	return l.now(c)-l.since > lasts
}

// record returns the record that a client writes.
func (l *RecordLock) record(c Client, owner string, number uint64) Record {
	return Record{Owner: owner, Number: number, Lasts: l.config.TTL, Expires: c.Wall() + l.config.TTL}
}

// compare returns what a change compares.
func (l *RecordLock) compare(does bool, what Match) Match {
	if !does {
		return matchNothing
	}
	return what
}

// write makes a change that writes the owner's record, and remembers it. It reports whether the owner has a record that
// is not the one before, and whether the store has said so. Where no answer came, the request may have been done, so
// the client reads the record.
func (l *RecordLock) write(c Client, w *Change) (done, known bool) {
	w.Stamp = l.config.Record.Writer == ServerWrites
	now, ok := l.ask(c, w)
	if !ok && !l.config.Record.Reread {
		return false, true // the lost answer is taken for a refusal
	}
	if done, known = now.Done, ok; !ok {
		now, ok = l.ask(c, readRecord{})
		done = ok && now.Owner == w.Owner && now.Version != w.Was.Version
	}
	if done || l.config.Record.Reread && now.Owner == w.Owner { // refused for its own, whose version it did not know
		l.held[w.Owner] = now.Record
	}
	return done, known
}

// Extend writes the record again, with a later end. Without an answer it has failed, even if a look then finds a record
// of the owner's: that may be from an earlier extension.
func (l *RecordLock) Extend(c Client, g *Grant) bool {
	rules, old, was, start := &l.config.Renew, g.Deadline, l.held[g.Token], l.now(c)
	c.Mark("extending")
	if !rules.Confirm {
		g.Deadline = start + l.config.Validity(0)
	}
	done, answered := l.write(c, &Change{Record: l.record(c, g.Token, was.Number),
		If: l.compare(rules.Compare, l.config.Record.Match), Was: was})
	c.Mark("extension-answered")
	now := l.now(c)
	validity := l.config.Validity(now - start)
	inTime := validity > 0 && now < old
	if done && answered && (inTime || !rules.Check) {
		if g.Deadline = now + validity; rules.Adds {
			g.Deadline = old + l.config.Validity(0)
		}
		return true
	}
	if !rules.KeepFailed {
		l.Release(c, *g)
	}
	return false
}

// Release ends the record, if it is still the owner's. It reports whether the store has answered.
func (l *RecordLock) Release(c Client, g Grant) bool {
	was := l.held[g.Token]
	w := &Change{If: l.compare(l.config.Free == CompareAndDelete, l.config.Record.Match), Was: was}
	switch l.config.Record.Release {
	case Vacant:
		w.Delete = true
	case Clear:
		w.Number = was.Number
	}
	if l.config.Free == GetThenDelete {
		if now, ok := l.ask(c, readRecord{}); !ok || now.Owner != g.Token {
			return ok
		}
		c.Mark("between")
	}
	_, ok := l.ask(c, w)
	return ok
}

// Left returns how long the grant is still valid.
func (l *RecordLock) Left(c Client, g Grant) time.Duration { return g.Deadline - l.now(c) }

func (l *RecordLock) now(c Client) time.Duration { return l.config.Clock.read(c) }

// ask sends a request. It is not ok if no answer came.
func (l *RecordLock) ask(c Client, request any) (now RecordReply, ok bool) {
	reply, err := c.Call(l.config.Servers[0], request, l.config.Timeout)
	now, ok = reply.(RecordReply)
	return now, ok && err == nil
}

// String describes the request for a trace.
func (readRecord) String() string { return "read record" }

// String describes the request for a trace.
func (w *Change) String() string {
	condition := ""
	switch w.If {
	case MatchOwner:
		condition = " if owner is " + w.Was.Owner
	case MatchVersion:
		condition = fmt.Sprint(" if version is ", w.Was.Version)
	case MatchNumber:
		condition = fmt.Sprint(" if number is ", w.Was.Number)
	}
	return w.Brief() + condition
}

// Brief describes the request in a few words.
func (w *Change) Brief() string {
	switch {
	case w.Delete:
		return "delete record"
	case w.Owner == "":
		return "clear record"
	}
	return fmt.Sprint("write record ", w.Number)
}

// String describes the reply for a trace.
func (r RecordReply) String() string {
	if r.Version == 0 {
		return "no record"
	}
	return fmt.Sprintf("record %d of %q, version %d, done %t", r.Number, r.Owner, r.Version, r.Done)
}
