package play

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A stateRequest asks for an instant of the timeline.
type stateRequest struct {
	Setup setup         `json:"setup"`
	T     clock.Instant `json:"t"`
}

// A stateAnswer is what each host had and believed at an instant.
type stateAnswer struct {
	Nodes   []node     `json:"nodes"`
	Clients []client   `json:"clients"`
	Storage []register `json:"storage"`
	Faults  []string   `json:"faults"` // those in force
}

// A host is what is true of any host.
type host struct {
	Name    string        `json:"name"`
	Trouble string        `json:"trouble"` // what is the matter with it; else empty
	Clock   string        `json:"clock"`   // what its wall clock shows; empty where that is unknown
	Offset  time.Duration `json:"offset"`  // how far that is ahead of the truth
}

// A node is a host that grants the lock, or the one service that several servers are.
type node struct {
	host
	Keys []key `json:"keys"`
}

// A key is a key of the lock that lives on a node.
type key struct {
	Key   string         `json:"key"`
	Value string         `json:"value"` // the token of who set it
	Owner string         `json:"owner"` // the client that set it; empty if that is not known
	Left  *time.Duration `json:"left"`  // true time until it goes in this run, however; null if it never does
}

// A client is one that wants the lock.
type client struct {
	host
	Believes string `json:"believes"` // what it holds, as it believes; empty for nothing
	Valid    bool   `json:"valid"`    // its computed validity has not passed
	Doing    string `json:"doing"`
}

// A register is what guarded storage has.
type register struct {
	Name    string `json:"name"`    // plain, or fenced: the one that rejects stale tokens
	Version uint64 `json:"version"` // how many writes it has applied
	Writer  string `json:"writer"`  // whose the last of them is; empty if there is none
}

func (p *Program) state(q *stateRequest) (*stateAnswer, error) {
	m, err := p.made(&q.Setup)
	if err != nil {
		return nil, err
	}
	if q.T < m.scene.From || q.T > m.scene.To {
		return nil, fmt.Errorf("%s is not on the timeline, which goes from %s to %s", time.Duration(q.T), m.scene.From, m.scene.To)
	}
	i := instant{m.result, q.T, m.result.Episodes()}
	return &stateAnswer{i.nodes(), i.clients(), i.storage(), i.faults()}, nil
}

// An instant of a run.
type instant struct {
	*scenarios.Result
	t        clock.Instant
	episodes []scenarios.Episode
}

// within reports whether the instant lies in an interval.
func (i *instant) within(start, end clock.Instant) bool { return start <= i.t && i.t < end }

func (i *instant) host(number int) host {
	h := host{Name: i.Hosts[number]}
	var wrong []string
	for _, e := range i.episodes {
		if e.Host != number || !i.within(e.From, e.To) {
			continue
		}
		switch e.What {
		case "pause", "suspend":
			wrong = append(wrong, "stands still")
		case "crash":
			wrong = append(wrong, "is off")
		case "stall":
			wrong = append(wrong, "its disk completes no sync")
		case "slew":
			wrong = append(wrong, "its clock is slewed by "+e.By)
		}
	}
	slices.Sort(wrong)
	h.Trouble = strings.Join(slices.Compact(wrong), "; ")
	if shown, ahead, known := i.Shown(number, i.t); known {
		h.Clock, h.Offset = time.Unix(0, int64(shown)).UTC().Format("15:04:05.000000"), ahead
	}
	return h
}

// nodes are the nodes that vote; or the service that grants the lock, and then its servers with their copies.
func (i *instant) nodes() []node {
	e, keys, all := i.Evidence, i.Evidence.Keys, []node{}
	if len(e.Lanes) == 1 && e.Lanes[0] != wording.NodeName(0) {
		all = append(all, node{host{Name: e.Lanes[0]}, i.keys(keys, 0)})
		keys = i.Copies
	}
	for n := range i.Scenario.Nodes {
		all = append(all, node{i.host(n), i.keys(keys, n)})
	}
	return all
}

func (i *instant) keys(spans []checker.Span, lane int) []key {
	all := []key{}
	for _, s := range spans {
		if s.Lane != lane || !i.within(s.From, s.To) {
			continue
		}
		k := key{Key: scenarios.LockKey, Value: s.Token}
		if left := s.To.Sub(i.t); s.To != clock.Forever {
			k.Left = &left
		}
		for _, t := range i.Evidence.Tries {
			if t.Token == s.Token {
				k.Owner = wording.ClientName(t.Client)
			}
		}
		all = append(all, k)
	}
	return all
}

func (i *instant) clients() []client {
	all := []client{}
	for n := range i.Evidence.Clients {
		c := client{host: i.host(i.Scenario.Nodes + 1 + n), Doing: i.doing(n)}
		for k, h := range i.Evidence.Holds {
			if h.Client == n && i.within(h.From, h.Gone) {
				c.Believes, c.Valid = "holds the lock"+wording.Fence(h.Fence)+" since "+wording.Micros(h.From), i.valid(k)
			}
		}
		all = append(all, c)
	}
	return all
}

// valid reports whether a hold is valid, as its client computes it. Extensions make it valid again.
func (i *instant) valid(hold int) bool {
	h := &i.Evidence.Holds[hold]
	return i.within(h.From, h.Valid) || slices.ContainsFunc(i.Evidence.Renewals, func(n checker.Renewal) bool {
		return n.Hold == hold && n.OK && i.within(n.At, n.Valid)
	})
}

// doing returns what a client does, by the last that its history has of it.
func (i *instant) doing(client int) string {
	last := -1
	for n, op := range i.Evidence.History {
		if op.Time > i.t {
			break
		}
		if op.Process%max(i.Evidence.Clients, 1) == client {
			last = n
		}
	}
	if last < 0 {
		return "has not begun"
	}
	op := i.Evidence.History[last]
	if op.Type == checker.Invoke {
		return waiting[op.F]
	}
	return after[op.F]
}

// What a client does between the two ends of an operation, and after it.
var (
	waiting = [...]string{checker.Acquire: "tries to acquire", checker.Release: "releases", checker.Read: "reads storage",
		checker.Write: "writes to storage", checker.Renew: "extends its lock", checker.CompareAndSet: "writes to storage"}
	after = [...]string{checker.Acquire: "has its answer from the lock", checker.Release: "rests", checker.Read: "works",
		checker.Write: "has written", checker.Renew: "works", checker.CompareAndSet: "has written"}
)

func (i *instant) storage() []register {
	plain, fenced := register{Name: "plain"}, register{Name: "fenced"}
	for _, u := range i.Evidence.Writes {
		if u.At > i.t {
			continue
		}
		plain.write(u.Plain.Made, u.Client)
		fenced.write(u.Fenced.Made, u.Client)
	}
	return []register{plain, fenced}
}

// write applies a write that made a version; 0 is one that was rejected.
func (r *register) write(made uint64, client int) {
	if made > 0 {
		r.Version, r.Writer = made, wording.ClientName(client)
	}
}

func (i *instant) faults() []string {
	all := []string{}
	for _, s := range i.Evidence.Strikes {
		if i.within(s.From, s.To) {
			all = append(all, draw.FaultInWords(s.Fault))
		}
	}
	return all
}
