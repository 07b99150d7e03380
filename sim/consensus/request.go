package consensus

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	pb "go.etcd.io/raft/v3/raftpb"
)

// A KeyValue is one key with its latest value, as etcd shows it.
type KeyValue struct {
	Key, Value string
	Create     uint64 // the revision of the key's creation; it orders the waiters for a lock
	Mod        uint64 // the revision of its latest put
	Version    uint64 // how many puts it has had since its creation
	Lease      uint64 // its lease; 0 for none
}

// A Txn is a transaction: if all comparisons hold, Then is done, otherwise Else, in one step and at one revision.
type Txn struct {
	Once Once // the client and number of this request; zero if it can be done twice, as in etcd
	If   []Compare
	Then []Op
	Else []Op
}

// A Once identifies a request. If the request comes twice, it is done once, and the second gets the result of the
// first. A client counts its requests from 1, and sends them one at a time.
type Once struct{ Client, Number uint64 }

// A Compare compares one field of a key with a number. A key that does not exist has 0 in every field.
type Compare struct {
	Key string
	Of  Field
	Is  uint64
}

// A Field is what a Compare compares.
type Field uint8

// The fields. The first four belong to the key. Alive ignores the key: it holds if the lease with that number is alive.
const (
	Create Field = iota
	Mod
	Version
	Lease
	Alive
)

// An Op is one step of a transaction.
type Op struct {
	Do    Action
	Key   string
	Value string // for Put
	Lease uint64 // for Put: the key's lease; 0 for none

	// Sequential puts a new key: Key followed by ten digits of its parent's counter, like a sequential node of
	// ZooKeeper. The parent is the part up to the last slash.
	Sequential bool

	Prefix bool   // for Get and Delete: all keys that begin with Key
	First  bool   // for Get: only the one of them with the smallest create revision
	Last   bool   // for Get: only the one with the largest
	Until  uint64 // for Get: only those with at most this create revision; 0 for all
}

// An Action is what an Op does.
type Action uint8

// The actions.
const (
	Get Action = iota
	Put
	Delete
)

var opNames = [...]string{Get: "get", Put: "put", Delete: "delete"}

// A Read is a range request. Keys come in order of their create revisions.
type Read struct {
	Op

	// Local reads what the server has applied, however old that is: etcd's serializable read, and every read of
	// ZooKeeper. Otherwise the read is linearizable.
	Local bool
	Since uint64 // a server that has not reached this revision rejects a local read, as ZooKeeper rejects its client
}

// A Grant asks for a lease. The reply has its ID.
type Grant struct {
	Once  Once
	TTL   time.Duration
	Delay time.Duration // for how long no one can put a key again that was lost with this lease: Consul's lock-delay
}

// A KeepAlive extends a lease by its full TTL. The leader does that, whichever server is asked, and nothing is logged.
type KeepAlive struct{ Lease uint64 }

// A Revoke ends a lease, and deletes all keys under it.
type Revoke struct{ Lease uint64 }

// A Watch is answered once a key has changed since a revision: it is gone, or was put again, or another key with its
// name was created. A server that has not reached that revision waits until it has.
type Watch struct {
	Key    string
	Create uint64        // the create revision of the watched key; 0 for any key with the name
	Since  uint64        // the revision at which the client saw it
	Prefix bool          // Key is a parent, such as "lock/": a key below it must have been created or deleted since
	Wait   time.Duration // for how long at most, as in a blocking query of Consul: its reply has the key; 0 for ever
}

// A Reply is the result of a request.
type Reply struct {
	Revision  uint64        // of the service after the request; ZooKeeper's zxid
	Succeeded bool          // Txn: the comparisons held
	Lease     uint64        // Grant: its name; Revoke: the name of the lock-delay that it begins
	TTL       time.Duration // KeepAlive: the lease's full TTL
	Results   []Result
}

// A Result is the result of one Op: the keys that Get found, the key that Put put, or the keys that Delete deleted.
type Result []KeyValue

// An Error is the reply to a rejected request. Nothing was done.
type Error string

// Error returns what was wrong.
func (e Error) Error() string { return string(e) }

// The reasons to reject a request.
const (
	ErrLease  Error = "requested lease not found"
	ErrDelay  Error = "the key's lock-delay has not passed"
	errBehind Error = "this server is behind what the client has seen"
	errLeader Error = "this server knows no leader"
)

// String describes the transaction for a trace.
func (t *Txn) String() string { return fmt.Sprintf("txn if %v then %v else %v", t.If, t.Then, t.Else) }

// String describes the comparison as etcd writes it.
func (c Compare) String() string {
	if c.Of == Alive {
		return fmt.Sprintf("lease %d is alive", c.Is)
	}
	return fmt.Sprintf("%s(%q) = %d", [...]string{"create", "mod", "version", "lease"}[c.Of], c.Key, c.Is)
}

// String describes the step for a trace.
func (o Op) String() string {
	s := fmt.Sprintf("%s %q", opNames[o.Do], o.Key)
	for _, w := range []struct {
		on   bool
		word string
	}{
		{o.Do == Put && o.Value != "", fmt.Sprintf(" = %q", o.Value)}, {o.Lease > 0, fmt.Sprintf(" lease %d", o.Lease)},
		{o.Sequential, " sequential"}, {o.Prefix, " prefix"}, {o.First, " first"}, {o.Last, " last"},
		{o.Until > 0, fmt.Sprintf(" until %d", o.Until)},
	} {
		if w.on {
			s += w.word
		}
	}
	return s
}

// String describes the request for a trace.
func (r *Read) String() string {
	if r.Local {
		return r.Op.String() + " local"
	}
	return r.Op.String()
}

// String describes the request for a trace.
func (g *Grant) String() string {
	if g.Delay > 0 {
		return fmt.Sprintf("grant %v lock-delay %v", g.TTL, g.Delay)
	}
	return fmt.Sprintf("grant %v", g.TTL)
}

// String describes the request for a trace.
func (k *KeepAlive) String() string { return fmt.Sprintf("keep-alive %d", k.Lease) }

// String describes the request for a trace.
func (r *Revoke) String() string { return fmt.Sprintf("revoke %d", r.Lease) }

// String describes the request for a trace.
func (w *Watch) String() string {
	if w.Prefix {
		return fmt.Sprintf("watch below %q since %d", w.Key, w.Since)
	}
	return fmt.Sprintf("watch %q of %d since %d", w.Key, w.Create, w.Since)
}

// String describes the reply for a trace.
func (r *Reply) String() string {
	s := fmt.Sprintf("revision %d", r.Revision)
	if r.Lease > 0 {
		s += fmt.Sprintf(" lease %d", r.Lease)
	}
	if len(r.Results) > 0 {
		s += fmt.Sprintf(" succeeded %t %v", r.Succeeded, r.Results)
	}
	return s
}

// String describes the key for a trace.
func (k KeyValue) String() string {
	return fmt.Sprintf("%q=%q create %d mod %d version %d lease %d",
		k.Key, k.Value, k.Create, k.Mod, k.Version, k.Lease)
}

// String describes the mail for a trace. Most of a trace is mail, so it must be fast.
func (l *outgoing) String() string {
	b := make([]byte, 0, 64)
	for i, m := range l.messages {
		if i > 0 {
			b = append(b, "; "...)
		}
		b = appendMessage(b, m)
	}
	for _, r := range l.renewals {
		b = strconv.AppendUint(append(b, " renew "...), r.lease, 10)
	}
	for _, r := range l.renewed {
		b = strconv.AppendUint(append(b, " renewed "...), r.lease, 10)
		b = strconv.AppendBool(append(b, ' '), r.alive)
	}
	return strings.TrimSpace(string(b))
}

func appendMessage(b []byte, m *pb.Message) []byte {
	number := func(name string, n uint64) {
		if n > 0 {
			b = strconv.AppendUint(append(append(append(b, ' '), name...), ' '), n, 10)
		}
	}
	b = append(b, m.GetType().String()...)
	number("term", m.GetTerm())
	if last := len(m.Entries) - 1; last >= 0 {
		number("entries", m.Entries[0].GetIndex())
		number("to", m.Entries[last].GetIndex())
	}
	number("index", m.GetIndex())
	number("commit", m.GetCommit())
	if m.GetReject() {
		b = append(b, " no"...)
	}
	return b
}
