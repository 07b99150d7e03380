package redis

import (
	"bufio"
	"bytes"
	"errors"
	"slices"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A Persistence is what a node keeps when it goes off.
type Persistence uint8

// The kinds of Persistence, under the names that scenarios use: none, aof-always, aof-everysec.
const (
	None Persistence = iota
	AOFAlways
	AOFEverySecond
)

// PersistenceNames lists the kinds as scenarios write them.
var PersistenceNames = []string{"none", "aof-always", "aof-everysec"}

// String returns the name that scenarios use.
func (p Persistence) String() string { return PersistenceNames[p] }

// A Config configures a node. The zero value loses all data when the node goes off, and watches no key.
type Config struct {
	Persistence Persistence
	Expiry      Expiry         // the clock by which keys expire
	Watch       string         // the key whose life is recorded; empty for none
	Interpret   bool           // interpret all scripts, even known ones
	OnCommand   func([]string) // is called for each command, also in scripts; nil for none
	Replication Replication    // the node's group; zero for none
}

// A Span is the life of the watched key with one value.
type Span struct {
	Value    string
	From, To clock.Instant // To is Forever while the key lives
	Endless  bool          // it had no TTL when the span ended, or has none yet
	Shared   bool          // it is one of several fields of a hash in read mode
	Ended    Ending        // why it ended
}

// A Node is one Redis server. It is a sim.Service.
type Node struct {
	config Config
	host   *sim.Host

	mini *miniredis.Miniredis
	db   *miniredis.RedisDB // the one database
	srv  *server.Server
	peer *server.Peer
	out  *bufio.Writer
	raw  bytes.Buffer

	status bool // the latest reply of miniredis was a status, such as +OK

	lives   []life    // the deadlines of keys that have one, in no order
	next    int64     // the earliest of them; never when there is none
	scripts []*cached // the script cache
	spans   []Span
	open    []int    // the spans that have not ended: of a shared hash one for each owner
	values  []string // scratch: of the watched key

	apart     clock.Reading // the wall clock minus the monotonic one when the node began
	due       int64         // the deadline of the watched key
	since     clock.Instant // when that was set
	away      int64         // the deadline of the watched key when the node went off
	stoppedBy int           // the fault that turned the node off: see sim.World.Blame
	seen      clock.Instant // when Settle was last called; nothing was overdue then
	asking    bool          // the node itself carries out a command
	chance    sim.Chance    // replaces the order of Go's maps in miniredis
	seeded    bool          // all chance is seeded; that is expensive, and few commands draw

	kept keptDigest

	read    map[string]*cached // scripts read in this run or earlier, by their texts
	machine *machine           // for interpreted scripts; nil until the first

	member      *member // its part in its group; nil without one
	bar         Error   // why no write is carried out now; empty when they are
	subscribers []*subscriber

	log       []entry       // of AOFEverySecond, since the node began
	saved     int           // how much of the log was on disk when the node was last off
	started   clock.Instant // when it was last on again; 0 at first
	postponed postponement
	replaying bool
	then      clock.Reading // the wall clock at the replayed entry
}

// A life is the deadline of one key, in milliseconds of the node's wall clock.
type life struct {
	key string
	end int64
}

// never is the deadline of a key without one.
const never = 1<<63 - 1

// NewNode makes a node. It serves once Attach has given it a host.
func NewNode() *Node {
	n := &Node{mini: miniredis.NewMiniRedis(), read: map[string]*cached{}}
	conn, err := n.mini.Dial() // builds the command table, without a listener
	if err != nil {
		panic("redis: miniredis does not start: " + err.Error())
	}
	conn.Close()
	n.srv, n.db = n.mini.Server(), n.mini.DB(0)
	n.out = bufio.NewWriter(&n.raw)
	return n
}

// Close frees the node's memory. It can't be used afterwards.
func (n *Node) Close() { n.mini.Close() }

// Attach resets the node, and sets its host and configuration.
func (n *Node) Attach(h *sim.Host, c Config) {
	n.config, n.host, n.apart, n.kept.fresh = c, h, h.Wall()-h.Mono(), false
	n.wipe()
	n.mini.SetTime(time.Unix(0, int64(h.Wall())))
	n.peer = server.NewPeer(n.out)
	n.spans, n.log, n.saved, n.started, n.open = n.spans[:0], n.log[:0], 0, 0, n.open[:0]
	n.seen, n.due, n.since, n.replaying = h.World().Now(), never, 0, false
	n.subscribers, n.bar, n.postponed = nil, "", postponement{}
	n.member = n.join(c.Replication)
}

// wipe drops all data and all scripts, and seeds chance again.
func (n *Node) wipe() {
	if n.seeded { // a command took the slow path, and miniredis may keep more than keys
		n.mini.FlushAll()
		n.seeded = false
	}
	n.discard()
	n.scripts = n.scripts[:0]
}

// Serve carries out one command.
func (n *Node) Serve(request any) any {
	n.kept.fresh = false
	args, ok := request.([]string)
	if !ok || len(args) == 0 {
		if r, ok := request.(*Request); ok {
			return n.serveWire(r)
		}
		return n.handle(request)
	}
	n.Settle()
	if n.logs() && !reads(args[0]) {
		return n.serveLogged(args)
	}
	return n.carryOut(args)
}

// carryOut carries out one command. Nothing is overdue.
func (n *Node) carryOut(args []string) any {
	if n.member != nil {
		return n.member.serve(args)
	}
	if refused := n.refusal(args[0]); refused != "" {
		return refused
	}
	if n.config.Persistence == AOFEverySecond {
		n.record(args)
	}
	return n.do(args)
}

// wall returns the clock of expiry; during a replay, what it showed then.
func (n *Node) wall() clock.Reading {
	if n.replaying {
		return n.then
	}
	return n.now()
}

// millis returns the clock of expiry in milliseconds, as Redis counts.
func (n *Node) millis() int64 { return floor(n.wall(), time.Millisecond) }

// Settle removes the keys whose deadline the wall clock has passed. The clock only rises between two changes, so calls
// before each command, and before and after each change, miss nothing.
func (n *Node) Settle() {
	n.kept.fresh = false
	if n.follows() {
		n.hideOverdue()
	} else if n.next != never && n.millis() > n.next {
		n.reap()
	}
	n.seen = n.host.World().Now()
}

// reap removes the keys that are overdue.
func (n *Node) reap() {
	for now, i := n.millis(), 0; i < len(n.lives); {
		if l := n.lives[i]; l.end < now {
			n.expire(l)
			continue // the last life is now at i
		}
		i++
	}
}

// expire removes one key at its deadline.
func (n *Node) expire(l life) {
	// After a power failure the key may have an older value than an open span; Start will end that.
	present, _ := n.watched(l.key == n.config.Watch && len(n.open) > 0)
	n.mini.Del(l.key)
	n.forget(l.key)
	at := n.host.World().Now()
	if !n.replaying { // a node that reads its disk finds overdue keys only now
		at = n.passes(l.end)
		if len(present) > 0 {
			n.closeIf(func(s *Span) bool { return slices.Contains(present, s.Value) }, at, n.expiry(at, l.end))
		}
	}
	if n.member != nil {
		n.member.emit(change{key: l.key, end: never})
	}
	if n.config.Persistence == AOFEverySecond {
		// As in Redis. Otherwise a key that expired by a jump of the clock would be back once the clock is right again.
		n.log = append(n.log, entry{at: at, shown: n.shows(at), args: []string{"DEL", l.key}})
	}
	n.logged()
}

// passes returns the instant at which the clock of expiry first shows more than the deadline, as far as is known.
// Readings before the last Settle don't count, because the deadline may be newer.
func (n *Node) passes(end int64) clock.Instant {
	return n.whenShows(clock.Reading((end+1)*int64(time.Millisecond)), n.seen)
}

// setDeadline sets a key's deadline.
func (n *Node) setDeadline(key string, end int64) {
	n.forget(key)
	if key == n.config.Watch {
		n.date(end)
	}
	n.lives = append(n.lives, life{key, end})
	n.next = min(n.next, end)
}

// forget removes a key's deadline, if it has one.
func (n *Node) forget(key string) {
	for i := range n.lives {
		if n.lives[i].key == key {
			last := len(n.lives) - 1
			n.lives[i] = n.lives[last]
			n.lives = n.lives[:last]
			n.next = never
			for _, l := range n.lives {
				n.next = min(n.next, l.end)
			}
			return
		}
	}
}

// end returns a key's deadline; never if it has none.
func (n *Node) end(key string) int64 {
	for i := range n.lives {
		if n.lives[i].key == key {
			return n.lives[i].end
		}
	}
	return never
}

// born begins a span of the watched key.
func (n *Node) born(value string, shared bool) {
	n.open = append(n.open, len(n.spans))
	n.spans = append(n.spans, Span{Value: value, From: n.host.World().Now(), To: clock.Forever, Shared: shared})
	n.since = n.host.World().Now()
}

// close ends the spans of the watched key.
func (n *Node) close(t clock.Instant, why Ending) {
	for _, i := range n.open {
		n.spans[i].To, n.spans[i].Ended = t, why
	}
	n.open = n.open[:0]
}

// closeIf ends the open spans that a function chooses.
func (n *Node) closeIf(chosen func(*Span) bool, t clock.Instant, why Ending) {
	n.open = slices.DeleteFunc(n.open, func(i int) bool {
		s := &n.spans[i]
		if !chosen(s) {
			return false
		}
		s.To, s.Ended = t, why
		return true
	})
}

// look compares the watched key with its open spans, after something may have touched it. If that removed the key, why
// says so.
func (n *Node) look(why Ending) {
	watch := n.config.Watch
	if watch == "" || n.replaying {
		return
	}
	values, shared := n.watched(true)
	there := len(values) > 0
	gone := !there || n.follows() && n.end(watch) < n.millis()
	switch now := n.host.World().Now(); {
	case len(n.open) == 0:
	case gone && there: // a replica keeps an overdue key, and hides it
		n.close(now, n.expiry(now, n.end(watch)))
	case gone:
		n.close(now, why)
	default:
		stays := func(i int) bool { return slices.Contains(values, n.spans[i].Value) }
		if why.Cause == Deleted && !slices.ContainsFunc(n.open, stays) {
			why.Cause = Overwritten
		}
		n.closeIf(func(s *Span) bool { return !slices.Contains(values, s.Value) }, now, why)
	}
	if gone {
		return
	}
	for _, v := range values {
		if !slices.ContainsFunc(n.open, func(i int) bool { return n.spans[i].Value == v }) {
			n.born(v, shared)
		}
	}
	for _, i := range n.open {
		n.spans[i].Endless = n.end(watch) == never
	}
}

// Spans returns the lives of the watched key up to now, in order. A key that still lives ends at its deadline, with the
// changes of the clock known now. The result is valid until the node is attached again.
func (n *Node) Spans() []Span {
	end := n.away
	if n.host.Up() {
		end = n.end(n.config.Watch)
	}
	for _, i := range n.open {
		s := &n.spans[i]
		s.To, s.Ended = clock.Forever, Ending{}
		if end != never {
			s.To = n.passes(end)
		}
		if s.To <= n.host.World().Now() { // there was no look since then
			s.Ended = n.expiry(s.To, end)
		}
	}
	return n.spans
}

// Stop is called when the node goes off. For clients its keys are not gone yet: while it is off, it grants the key to
// no other client.
func (n *Node) Stop(power bool) {
	n.Settle()
	n.away, n.stoppedBy = n.end(n.config.Watch), n.host.World().Blamed()
	n.scripts, n.subscribers, n.postponed = n.scripts[:0], nil, postponement{}
	switch n.config.Persistence {
	case None:
		n.wipe()
	case AOFEverySecond:
		if power {
			n.restore()
		}
		n.save()
	}
	if n.member != nil {
		n.member.stop()
	}
}

// Start is called when the node is on again. Keys that expired meanwhile are gone, and so are those it lost.
func (n *Node) Start() {
	now := n.host.World().Now()
	n.started = now
	gone := clock.Forever
	if n.away != never {
		gone = n.passes(n.away)
	}
	n.Settle()
	if len(n.open) > 0 {
		why := ended(Lost)
		why.Blamed = n.stoppedBy
		if gone <= now {
			why = n.expiry(gone, n.away)
		}
		values, _ := n.watched(true)
		n.closeIf(func(s *Span) bool { return !slices.Contains(values, s.Value) }, min(gone, now), why)
	}
	n.look(ended(Lost))
	if n.member != nil {
		n.member.start()
	}
}

// watched returns the values of the watched key, if asked. A string has one. The values of a hash are the names of its
// fields, one for each owner; its field mode says whether they share it.
func (n *Node) watched(asked bool) (values []string, shared bool) {
	n.values = n.values[:0]
	if !asked {
		return nil, false
	}
	key := n.config.Watch
	value, err := n.mini.Get(key)
	if err == nil {
		n.values = append(n.values, value)
	} else if errors.Is(err, miniredis.ErrWrongType) {
		fields, _ := n.mini.HKeys(key)
		for _, f := range fields {
			if f != modeField {
				n.values = append(n.values, f)
			}
		}
		shared = len(n.values) < len(fields) && n.mini.HGet(key, modeField) == "read"
	}
	return n.values, shared
}

// modeField is the field of a lock for readers and writers that says which of them have it.
const modeField = "mode"
