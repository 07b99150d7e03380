package consensus

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A state is the result of applying the log: a pure function of its entries. A lock service has a few dozen keys, so
// they are in slices, in order of their create revisions, and searched one by one.
type state struct {
	revision uint64
	keys     []KeyValue
	leases   []lease
	parents  []parent
	done     []done
}

// A lease is a session, or a lock-delay that a session has left. Its end is not part of the state: the leader decides
// that by its own clock.
type lease struct {
	id    uint64 // the number of the entry that granted it; its index in the log can be lost with a disk
	ttl   time.Duration
	delay time.Duration
	bars  []string // of a lock-delay: the keys that no one can put under a lease. It never changes
}

// A parent is what ZooKeeper keeps of a node with children.
type parent struct {
	name    string
	counter uint64 // its cversion: how often a child was created or deleted. It numbers sequential nodes
	changed uint64 // its pzxid: the revision of the latest such change
}

// A done is the latest request of a client that wanted it done once.
type done struct {
	once  Once
	reply any
}

// clone returns a copy that shares nothing that changes.
func (s *state) clone() *state {
	return &state{s.revision, slices.Clone(s.keys), slices.Clone(s.leases), slices.Clone(s.parents),
		slices.Clone(s.done)}
}

// restore sets the state to a copy of another one; nil is the initial state.
func (s *state) restore(o *state) {
	if o == nil {
		o = &state{revision: 1} // etcd's first revision; the first key has 2
	}
	s.revision = o.revision
	s.keys, s.leases = append(s.keys[:0], o.keys...), append(s.leases[:0], o.leases...)
	s.parents, s.done = append(s.parents[:0], o.parents...), append(s.done[:0], o.done...)
}

// apply carries out an entry of the log. Its number becomes the ID of a lease that it grants.
func (s *state) apply(number uint64, request any) (reply any) {
	switch r := request.(type) {
	case *Txn:
		return s.once(r.Once, func() any { return s.txn(r) })
	case *Grant:
		return s.once(r.Once, func() any { return s.grant(number, r) })
	case *Revoke:
		return s.revoke(number, r.Lease)
	}
	panic("consensus: the log holds what it can't hold")
}

// once carries out a request, unless it has done so before.
func (s *state) once(o Once, do func() any) any {
	if o == (Once{}) {
		return do()
	}
	i := slices.IndexFunc(s.done, func(d done) bool { return d.once.Client == o.Client })
	if i < 0 {
		i = len(s.done)
		s.done = append(s.done, done{})
	}
	if s.done[i].once != o {
		s.done[i] = done{o, do()}
	}
	return s.done[i].reply
}

func (s *state) grant(number uint64, g *Grant) *Reply {
	s.leases = append(s.leases, lease{id: number, ttl: g.TTL, delay: g.Delay})
	return &Reply{Revision: s.revision, Lease: number}
}

// revoke ends a lease and its keys, at one revision. If the lease has a delay, that bars its keys from then on.
func (s *state) revoke(number, id uint64) any {
	i := s.lease(id)
	if i < 0 {
		return ErrLease
	}
	delay := s.leases[i].delay
	s.leases = slices.Delete(s.leases, i, i+1)
	gone := s.remove(s.revision+1, func(k *KeyValue) bool { return k.Lease == id })
	if delay == 0 || len(gone) == 0 {
		return &Reply{Revision: s.revision}
	}
	barred := lease{id: number, ttl: delay}
	for _, k := range gone {
		barred.bars = append(barred.bars, k.Key)
	}
	s.leases = append(s.leases, barred)
	return &Reply{Revision: s.revision, Lease: number}
}

// barred reports whether a lock-delay of the key has not passed.
func (s *state) barred(key string) bool {
	return slices.ContainsFunc(s.leases, func(l lease) bool { return slices.Contains(l.bars, key) })
}

// lease returns the index of a lease; -1 if there is none.
func (s *state) lease(id uint64) int {
	return slices.IndexFunc(s.leases, func(l lease) bool { return l.id == id })
}

// find returns a key; nil if there is none.
func (s *state) find(key string) *KeyValue {
	for i := range s.keys {
		if s.keys[i].Key == key {
			return &s.keys[i]
		}
	}
	return nil
}

// txn does one branch of a transaction. A branch that puts a key under a lease does nothing if the lease has ended, or
// if the key has a lock-delay.
func (s *state) txn(t *Txn) any {
	holds := !slices.ContainsFunc(t.If, func(c Compare) bool { return !s.holds(c) })
	branch := t.Else
	if holds {
		branch = t.Then
	}
	for _, o := range branch {
		if o.Do == Put && o.Lease != 0 && s.lease(o.Lease) < 0 {
			return ErrLease
		}
		if o.Do == Put && o.Lease != 0 && s.barred(o.Key) {
			return ErrDelay
		}
	}
	at := s.revision + 1
	results := make([]Result, len(branch))
	for i, o := range branch {
		results[i] = s.op(at, o)
	}
	return &Reply{Revision: s.revision, Succeeded: holds, Results: results}
}

func (s *state) holds(c Compare) bool {
	if c.Of == Alive {
		return s.lease(c.Is) >= 0
	}
	var k KeyValue
	if found := s.find(c.Key); found != nil {
		k = *found
	}
	return [...]uint64{Create: k.Create, Mod: k.Mod, Version: k.Version, Lease: k.Lease}[c.Of] == c.Is
}

func (s *state) op(revision uint64, o Op) Result {
	switch o.Do {
	case Put:
		return Result{s.put(revision, o)}
	case Delete:
		return s.remove(revision, o.takes)
	default:
		return s.read(o)
	}
}

// put sets a key, or creates it.
func (s *state) put(revision uint64, o Op) KeyValue {
	s.revision = revision
	if o.Sequential {
		o.Key += fmt.Sprintf("%010d", s.parent(o.Key).counter)
	}
	k := s.find(o.Key)
	if k == nil {
		s.keys = append(s.keys, KeyValue{Key: o.Key, Create: revision})
		k = &s.keys[len(s.keys)-1]
		s.touch(revision, o.Key)
	}
	k.Value, k.Lease, k.Mod = o.Value, o.Lease, revision
	k.Version++
	return *k
}

// remove deletes keys.
func (s *state) remove(revision uint64, which func(k *KeyValue) bool) (gone Result) {
	s.keys = slices.DeleteFunc(s.keys, func(k KeyValue) bool {
		if !which(&k) {
			return false
		}
		gone, s.revision = append(gone, k), revision
		s.touch(revision, k.Key)
		return true
	})
	return gone
}

// takes reports whether the Op selects the key.
func (o Op) takes(k *KeyValue) bool {
	return k.Key == o.Key || o.Prefix && strings.HasPrefix(k.Key, o.Key)
}

// read returns keys in order of their create revisions.
func (s *state) read(o Op) (found Result) {
	for i := range s.keys {
		k := &s.keys[i]
		if o.takes(k) && (o.Until == 0 || k.Create <= o.Until) {
			found = append(found, *k)
		}
	}
	switch {
	case o.First:
		found = found[:min(len(found), 1)]
	case o.Last:
		found = found[max(len(found)-1, 0):]
	}
	return found
}

// parent returns a key's parent.
func (s *state) parent(key string) *parent {
	name := key[:strings.LastIndexByte(key, '/')+1]
	for i := range s.parents {
		if s.parents[i].name == name {
			return &s.parents[i]
		}
	}
	s.parents = append(s.parents, parent{name: name})
	return &s.parents[len(s.parents)-1]
}

// touch records that a child was created or deleted.
func (s *state) touch(revision uint64, key string) {
	p := s.parent(key)
	p.counter++
	p.changed = revision
}

// fires reports whether a watch must be answered.
func (s *state) fires(w *Watch) bool {
	if s.revision < w.Since {
		return false
	}
	if w.Prefix {
		return s.parent(w.Key).changed > w.Since
	}
	k := s.find(w.Key)
	return k == nil || k.Mod > w.Since || w.Create != 0 && k.Create != w.Create
}
