package scenarios_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
)

// An odd platform is wrong in one way.
type odd struct {
	platform.Nodes
	life  time.Duration
	asked []int
	nodes int
	keys  []checker.Span
}

func (o *odd) Times(*platform.Topology) platform.Times { return platform.Times{Life: o.life} }
func (o *odd) New() platform.Servers {
	if o.nodes < 0 {
		return nil
	}
	return &oddServers{odd: o}
}
func (o *odd) AppendAsked(to []int, t *platform.Topology) []int {
	if o.asked != nil {
		return append(to, o.asked...)
	}
	return o.Nodes.AppendAsked(to, t)
}

type oddServers struct {
	platform.Alone
	odd *odd
}

// Serve grants everything.
func (*oddServers) Serve(any) any { return true }

func (s *oddServers) Services(*platform.Topology) (nodes, others []sim.Service) {
	for range s.odd.nodes {
		nodes = append(nodes, s)
	}
	return nodes, nil
}

func (s *oddServers) AppendKeys(keys, copies []checker.Span) ([]checker.Span, []checker.Span) {
	return append(keys, s.odd.keys...), copies
}

// A granted lock asks once, and has the lock.
type granted struct{ locks.Config }

func newGranted(c locks.Config) locks.Lock { return granted{c} }

func (l granted) Acquire(c locks.Client) locks.Grant {
	_, _ = c.Call(l.Servers[0], "please", l.Timeout)
	return locks.Grant{Token: "mine", Votes: 1, Deadline: c.Mono() + l.TTL}
}
func (granted) Release(locks.Client, locks.Grant) bool { return true }

type uncomparable struct {
	*odd
	_ []int
}

func TestIncompleteUserKindIsRejectedWithTheReason(t *testing.T) {
	whole := locks.Protocol{Name: "odd", New: newGranted, OneServer: true}
	named := func(name string) locks.Protocol { p := whole; p.Name = name; return p }
	one := platform.Nodes{Service: "the odd one"}
	fine := &odd{Nodes: one, life: time.Second, nodes: 1}
	for want, c := range map[string]struct {
		p  locks.Protocol
		on platform.Platform
	}{
		`"" can't name a kind of lock`:                  {named(""), fine},
		`"My lock" can't name a kind of lock`:           {named("My lock"), fine},
		"there is a kind of lock named redlock already": {named("redlock"), fine},
		"the protocol has no New":                       {locks.Protocol{Name: "odd"}, fine},
		`there is no option "tll"`:                      {locks.Protocol{Name: "odd", New: newGranted, Options: []string{"tll"}}, fine},
		"there is no platform":                          {whole, nil},
		"platforms are compared":                        {whole, uncomparable{odd: fine}},
		"Times have a Life of 0s":                       {whole, &odd{Nodes: one, nodes: 1}},
		"AppendAsked names the host 7, and there are 1": {whole, &odd{Nodes: one, life: time.Second, nodes: 1, asked: []int{7}}},
		"Services returns 2 nodes and 0 others; want 1": {whole, &odd{Nodes: one, life: time.Second, nodes: 2}},
		"New returns no servers":                        {whole, &odd{Nodes: one, life: time.Second, nodes: -1}},
	} {
		if _, err := scenarios.AddLock(c.p, c.on); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, and should say %q", err, want)
		}
	}
}

// The report of user-defined servers is checked before the run is judged: a verdict must not rest on impossible
// evidence.
func TestUnsoundEvidenceIsUnknownWithReason(t *testing.T) {
	for name, c := range map[string]struct {
		keys []checker.Span
		want string
	}{
		"odd-none":    {nil, "AppendKeys gave no life of any key"},
		"odd-lane":    {[]checker.Span{{Lane: 3, Token: "mine", From: 1, To: 2}}, "Lane is 3"},
		"odd-overlap": {[]checker.Span{{Token: "mine", From: 1, To: 20}, {Token: "yours", From: 10, To: 30}}, "want one key of a lane at a time"},
		"odd-times":   {[]checker.Span{{Token: "mine", From: 9, To: 2}}, "From"},
	} {
		on := &odd{Nodes: platform.Nodes{Service: "the odd one"}, life: time.Second, nodes: 1, keys: c.keys}
		kind, err := scenarios.AddLock(locks.Protocol{Name: name, New: newGranted, OneServer: true}, on)
		if err != nil {
			t.Fatal(err)
		}
		s, _ := scenarios.Find("baseline/single-instance")
		s.ChangeKind(kind)
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		r := scenarios.Run(s, 1)
		if r.Verdict == scenarios.Pass || !strings.Contains(r.Failure, c.want) {
			t.Errorf("%s: the verdict is %v and the failure %q; it should say %q", name, r.Verdict, r.Failure, c.want)
		}
	}
}
