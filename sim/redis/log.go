package redis

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// This file has the log of AOFEverySecond, and what of it is on the disk when power fails.

// An entry is one command in the log of AOFEverySecond, or data from a replica's master.
type entry struct {
	at      clock.Instant
	shown   clock.Reading // the clock of expiry: it may be set within an instant, and "at" does not show when
	args    []string      // nil for changes
	bar     Error         // why no write was carried out
	changes []change
	fresh   bool // all earlier data is gone
	idle    bool // nothing changed, so Redis logs nothing
}

func (n *Node) record(args []string) {
	if !reads(args[0]) {
		n.keep(entry{args: args, bar: n.bar})
	}
}

func (n *Node) keep(e entry) {
	if n.config.Persistence == AOFEverySecond {
		e.at, e.shown = n.host.World().Now(), n.now()
		n.log = append(n.log, e)
	}
}

// reads reports whether a command needs no log. Others are logged even if they change nothing, because a replay must
// repeat what they do: they load scripts and draw random numbers.
func reads(name string) bool {
	return slices.Contains(readers, strings.ToUpper(name))
}

var readers = []string{"GET", "EXISTS", "TTL", "PTTL", "PING"}

// logs reports whether the effect of a command matters: to a log, or to a disk that stalls.
func (n *Node) logs() bool {
	_, stalls := n.host.DiskStalled()
	return n.config.Persistence == AOFEverySecond || stalls && n.config.Persistence == AOFAlways
}

// serveLogged carries out a command, and finds out whether it changed anything. Only then Redis has something to log
// and to sync. A command that answers OK has written, even the same value as before.
func (n *Node) serveLogged(args []string) any {
	first, before := len(n.log), n.states(args)
	reply := n.carryOut(args)
	if reply == "OK" || len(differ(before, n.states(args))) > 0 {
		n.logged()
		return reply
	}
	for i := range n.log[first:] {
		n.log[first+i].idle = true
	}
	return reply
}

// save records in the log that the node went off, with everything left on disk. The script cache is lost, so a replayed
// EVALSHA without its script finds none.
func (n *Node) save() {
	n.log = append(n.log, entry{at: n.host.World().Now(), shown: n.now(), args: []string{"SCRIPT", "FLUSH"}})
	n.saved = len(n.log)
}

func (n *Node) replay(e *entry) {
	if e.args != nil {
		n.do(e.args)
		return
	}
	if e.fresh {
		n.discard()
	}
	for i := range e.changes {
		if e.changes[i].channel == "" {
			n.become(&e.changes[i])
		}
	}
}

// restore rebuilds the data from what the disk held.
func (n *Node) restore() {
	disk := n.synced()
	fresh := slices.DeleteFunc(n.log[n.saved:], func(e entry) bool { return !disk.some || e.at > disk.last })
	if n.saved+len(fresh) == len(n.log) {
		return
	}
	n.log = n.log[:n.saved+len(fresh)]
	n.wipe() // random choices are repeated
	n.replaying = true
	for _, e := range n.log {
		n.then, n.bar = e.shown, e.bar
		n.replay(&e)
	}
	n.bar = ""
	n.then = n.now()
	n.reap()
	n.replaying = false
	n.scripts = n.scripts[:0]
}

const (
	// syncTakes is how long fdatasync takes in its own thread. On redis-server 7.0.15 it was 1 to 20 ms.
	syncTakes = 10 * time.Millisecond
	// writeback is when Linux has written back what was not synced: once it is 30 s old (vm.dirty_expire_centisecs), by
	// a thread that looks every 5 s (vm.dirty_writeback_centisecs).
	writeback = 35 * time.Second
)

// A syncState is how far the log of AOFEverySecond is on the disk.
type syncState struct {
	last       clock.Instant // when the last entry on the disk was made
	some       bool          // there is one since the node was last off
	begun, end clock.Instant // the latest sync
}

// synced returns how far the log is on the disk.
//
// The rule is flushAppendOnlyFile in aof.c of Redis 7.0, which compares whole seconds of the wall clock. An entry
// logged in a later second than the last sync is synced immediately, before the answer is sent, though in another
// thread. Everything else waits until such a second has begun and the previous sync is done. So after a step back of
// the wall clock nothing is synced until the clock shows the time of the last sync again, and only the kernel's
// writeback bounds the loss. A fresh server counts its start as a sync; here the first start was long ago.
func (n *Node) synced() (s syncState) {
	clocks, now := n.host.Clock(), n.host.World().Now()
	second := func(t clock.Instant) int64 { return floor(clocks.Wall(t), time.Second) }
	before := second(n.started)
	if n.started == 0 {
		before--
	}
	log := slices.DeleteFunc(slices.Clone(n.log[n.saved:]), func(e entry) bool { return e.idle })
	slices.SortStableFunc(log, func(a, b entry) int { return cmp.Compare(a.at, b.at) })
	for i, e := range log {
		until := now // or the next entry, which may begin a sync
		if i+1 < len(log) {
			until = log[i+1].at
		}
		begun := max(e.at, s.end)
		if begun < clock.Forever && second(begun) <= before {
			begun = clocks.WhenWall(clock.Reading((before+1)*int64(time.Second)), begun)
		}
		if begun <= until {
			before, s.begun, s.end = second(begun), begun, n.host.Synced(begun, syncTakes)
			if s.end <= now {
				s.last, s.some = e.at, true
			}
		}
		if n.host.Synced(e.at.Add(writeback), 0) <= now {
			s.last, s.some = e.at, true
		}
	}
	return s
}

// floor returns a reading in whole units, as Redis counts, rounded down.
func floor(r clock.Reading, unit time.Duration) int64 {
	whole := int64(r) / int64(unit)
	if int64(r) < whole*int64(unit) {
		whole--
	}
	return whole
}

// A keptDigest is the digest of what a node keeps, from the last time the node was asked for it.
type keptDigest struct {
	sim.Digest
	sum   uint64
	fresh bool // the node was not called since
}

// Digest adds what the node keeps, and until when its watched key lives. Earlier keys don't matter: they are on record,
// and no client asks for them. A node in a group, or one with a log to read, has more, and its digest is opaque.
func (n *Node) Digest(d *sim.Digest, lane int) {
	d.Opaque = d.Opaque || n.member != nil || n.config.Persistence == AOFEverySecond || len(n.subscribers) > 0 ||
		n.bar != ""
	up := n.host.Up()
	if !up {
		d.Add(lane, uint64(n.away))
	}
	k := &n.kept
	if !k.fresh {
		k.Reset(0)
		n.addKept(&k.Digest)
		k.sum, k.fresh = k.Sum(), up // the clock of a node that is off may change without a call
	}
	d.Add(lane, k.sum)
	d.Opaque = d.Opaque || k.Opaque
}

// addKept adds what changes only when the node is called: by a request, or because its host goes off or on, or changes
// its clock.
func (n *Node) addKept(d *sim.Digest) {
	d.Add(-1, uint64(len(n.scripts))) // so that it is clear where keys begin
	for _, s := range n.scripts {
		d.Text(-1, s.sha)
	}
	for _, key := range n.mini.Keys() { // in order
		value, err := n.mini.Get(key)
		d.Text(-1, key)
		d.Text(-1, value)
		d.Add(-1, uint64(n.end(key)))
		d.Opaque = d.Opaque || err != nil // it is no string
	}
	spans := n.Spans()
	for _, i := range n.open {
		d.Text(-1, spans[i].Value)
		d.Add(-1, uint64(spans[i].To))
	}
}
