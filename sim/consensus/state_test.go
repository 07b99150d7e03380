package consensus

import (
	"fmt"
	"slices"
	"testing"
	"time"

	pb "go.etcd.io/raft/v3/raftpb"
)

func newState() *state {
	s := &state{}
	s.restore(nil)
	return s
}

// names lists keys.
func names(r Result) (names []string) {
	for _, k := range r {
		names = append(names, k.Key)
	}
	return names
}

func (s *state) do(t *testing.T, request any) *Reply {
	t.Helper()
	reply, ok := s.apply(7, request).(*Reply)
	if !ok {
		t.Fatalf("%v is refused", request)
	}
	return reply
}

// The transaction with which a contender of etcd's lock enters the queue.
func enter(key string) *Txn {
	return &Txn{
		If:   []Compare{{Key: key, Of: Create, Is: 0}},
		Then: []Op{{Do: Put, Key: key}, {Key: "lock/", Prefix: true, First: true}},
		Else: []Op{{Key: key}, {Key: "lock/", Prefix: true, First: true}},
	}
}

func TestKeysAreOrderedByCreateRevision(t *testing.T) {
	s := newState()
	for i, key := range []string{"lock/b", "lock/a", "lock/b"} {
		r := s.do(t, enter(key))
		own, first := r.Results[0][0], r.Results[1][0]
		if r.Succeeded != (i < 2) || own.Create != []uint64{2, 3, 2}[i] || first.Key != "lock/b" {
			t.Errorf("%s: %v", key, r)
		}
	}
	for _, c := range []struct {
		op   Op
		want string
	}{
		{Op{Key: "lock/", Prefix: true}, "[lock/b lock/a]"},
		{Op{Key: "lock/", Prefix: true, Last: true}, "[lock/a]"},
		{Op{Key: "lock/", Prefix: true, Last: true, Until: 2}, "[lock/b]"},
		{Op{Key: "lock/", Prefix: true, Last: true, Until: 1}, "[]"},
		{Op{Key: "lock/"}, "[]"},
	} {
		if got := fmt.Sprint(names(s.read(c.op))); got != c.want {
			t.Errorf("%v: %s, want %s", c.op, got, c.want)
		}
	}
}

func TestATransactionHasOneRevision(t *testing.T) {
	s := newState()
	s.do(t, &Txn{Then: []Op{{Do: Put, Key: "a"}, {Do: Put, Key: "b"}}})
	s.do(t, &Txn{Then: []Op{{Do: Put, Key: "a", Value: "x"}, {Do: Get, Key: "b"}, {Do: Delete, Key: "b"}, {Do: Delete, Key: "c"}}})
	want := []KeyValue{{Key: "a", Value: "x", Create: 2, Mod: 3, Version: 2}}
	if !slices.Equal(s.keys, want) || s.revision != 3 {
		t.Errorf("at %d: %v", s.revision, s.keys)
	}
	if s.do(t, &Txn{Then: []Op{{Do: Get, Key: "a"}, {Do: Delete, Key: "c"}}}); s.revision != 3 {
		t.Errorf("nothing was changed, and the revision is %d", s.revision)
	}
}

func TestEveryComparisonCanFail(t *testing.T) {
	s := newState()
	lease := s.do(t, &Grant{TTL: 1}).Lease
	s.do(t, put("k", lease))
	s.do(t, put("k", lease))
	for _, c := range []Compare{{"k", Create, 2}, {"k", Mod, 3}, {"k", Version, 2}, {"k", Lease, lease}, {"", Alive, lease}, {"none", Version, 0}} {
		if !s.holds(c) {
			t.Errorf("%v does not hold", c)
		}
		if c.Is++; s.holds(c) {
			t.Errorf("%v holds", c)
		}
	}
}

func TestARequestWithANameIsDoneOnce(t *testing.T) {
	s := newState()
	named := func(number uint64) *Txn {
		return &Txn{Once: Once{Client: 1, Number: number}, Then: []Op{{Do: Put, Key: "k"}}}
	}
	first, again := s.do(t, named(1)), s.do(t, named(1))
	if next := s.do(t, named(2)); first != again || next.Results[0][0].Version != 2 {
		t.Errorf("%v, %v, then %v", first, again, next)
	}
	s.do(t, put("k", 0))
	if r := s.do(t, put("k", 0)); r.Results[0][0].Version != 4 {
		t.Errorf("without a name: %v", r)
	}
}

// ZooKeeper counts children that come and children that go.
func TestSequentialKeysAreNumberedByTheirParentsCounter(t *testing.T) {
	s := newState()
	create := func(key string) string {
		return s.do(t, &Txn{Then: []Op{{Do: Put, Key: key, Sequential: true}}}).Results[0][0].Key
	}
	got := []string{create("l/x-"), create("l/y-"), create("m/x-")}
	s.do(t, &Txn{Then: []Op{{Do: Delete, Key: "l/", Prefix: true}}})
	got = append(got, create("l/x-"))
	if want := []string{"l/x-0000000000", "l/y-0000000001", "m/x-0000000000", "l/x-0000000004"}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

func TestWatchReportsEarlierChanges(t *testing.T) {
	s := newState()
	s.do(t, put("l/a", 0)) // at 2
	s.do(t, put("l/a", 0)) // at 3
	s.do(t, put("l/b", 0)) // at 4
	for _, c := range []struct {
		watch Watch
		want  bool
	}{
		{Watch{Key: "l/a", Create: 2, Since: 3}, false},
		{Watch{Key: "l/a", Create: 2, Since: 2}, true},  // it was put again
		{Watch{Key: "l/a", Create: 9, Since: 3}, true},  // that one is gone, and this is another
		{Watch{Key: "l/c", Create: 1, Since: 3}, true},  // it is gone
		{Watch{Key: "l/c", Create: 5, Since: 5}, false}, // it may be yet to come: this server is behind
		{Watch{Key: "l/", Prefix: true, Since: 3}, true},
		{Watch{Key: "l/", Prefix: true, Since: 4}, false},
		{Watch{Key: "m/", Prefix: true, Since: 4}, false},
	} {
		if got := s.fires(&c.watch); got != c.want {
			t.Errorf("%v: %t", &c.watch, got)
		}
	}
}

func TestAStateThatIsRestoredSharesNothingWithItsCopy(t *testing.T) {
	s := newState()
	s.do(t, put("a", 0))
	s.do(t, put("b", 0))
	c := s.clone()
	s.do(t, &Txn{Then: []Op{{Do: Delete, Key: "a"}, {Do: Put, Key: "c"}}})
	if got := names(c.keys); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("the copy has %v", got)
	}
	s.restore(c)
	if c.do(t, put("d", 0)); len(s.keys) != 2 || s.revision != 3 {
		t.Errorf("at %d: %v", s.revision, s.keys)
	}
}

// A session leaves a lock-delay if it has one, and had keys at its end. That bars these keys under a session, and no
// others.
func TestSessionThatHadKeysLeavesItsLockDelay(t *testing.T) {
	for _, c := range []struct {
		delay  time.Duration
		keys   []string
		leaves bool
	}{
		{0, []string{"a", "b"}, false},
		{1, nil, false},
		{1, []string{"a", "b"}, true},
	} {
		s := newState()
		session := s.do(t, &Grant{TTL: 5, Delay: c.delay}).Lease
		for _, key := range c.keys {
			s.do(t, put(key, session))
		}
		told := s.do(t, &Revoke{session}).Lease
		if (len(s.leases) == 1) != c.leaves || (told != 0) != c.leaves {
			t.Errorf("a delay of %d and the keys %v leave %+v; its name is %d", c.delay, c.keys, s.leases, told)
		}
		next := s.do(t, &Grant{TTL: 5}).Lease
		for key, barred := range map[string]bool{"a": c.leaves, "b": c.leaves, "c": false} {
			if got := s.apply(8, put(key, next)) == ErrDelay; got != barred {
				t.Errorf("a delay of %d and the keys %v: %s is barred: %t", c.delay, c.keys, key, got)
			}
			s.do(t, put(key, 0)) // without a session no key is barred
		}
	}
}

// It needs no clock: the lock and the data are one system.
func TestAGuardedWriteIsRefusedOnceTheLockHasChangedHands(t *testing.T) {
	s := newState()
	guarded := func(key string, created uint64) bool {
		return s.do(t, &Txn{If: []Compare{{Key: key, Of: Create, Is: created}}, Then: []Op{{Do: Put, Key: "data"}}}).Succeeded
	}
	lease := s.do(t, &Grant{TTL: 1}).Lease
	held := s.do(t, put("lock/1", lease)).Results[0][0]
	if !guarded("lock/1", held.Create) {
		t.Error("the holder's write is refused")
	}
	s.do(t, &Revoke{lease})
	if s.do(t, put("lock/1", 0)); guarded("lock/1", held.Create) {
		t.Error("a write is applied whose lock has gone and come again")
	}
	if k := s.find("data"); k.Version != 1 {
		t.Errorf("%v", k)
	}
}

// A trace holds these, a line each.
func TestEachMessageDescribesItself(t *testing.T) {
	for want, message := range map[string]fmt.Stringer{
		`txn if [create("k") = 0 lease 3 is alive] then [put "k" = "v" lease 3 sequential] else [get "l/" prefix last until 9]`: &Txn{
			If:   []Compare{{Key: "k", Of: Create}, {Of: Alive, Is: 3}},
			Then: []Op{{Do: Put, Key: "k", Value: "v", Lease: 3, Sequential: true}},
			Else: []Op{{Key: "l/", Prefix: true, Last: true, Until: 9}},
		},
		`get "k" local`:            &Read{Op: Op{Key: "k"}, Local: true},
		`get "k"`:                  &Read{Op: Op{Key: "k"}},
		`grant 2s`:                 &Grant{TTL: 2e9},
		`keep-alive 3`:             &KeepAlive{3},
		`revoke 3`:                 &Revoke{3},
		`watch "k" of 2 since 7`:   &Watch{Key: "k", Create: 2, Since: 7},
		`watch below "l/" since 7`: &Watch{Key: "l/", Prefix: true, Since: 7},
		`revision 7 lease 3`:       &Reply{Revision: 7, Lease: 3},
		`MsgApp term 2 entries 3 to 4 index 2 commit 1; MsgAppResp term 2 index 9 no renew 3 renewed 4 true`: &outgoing{
			messages: []*pb.Message{
				{Type: pb.MsgApp.Enum(), Term: new(uint64(2)), Index: new(uint64(2)), Commit: new(uint64(1)), Entries: []*pb.Entry{{Index: new(uint64(3))}, {Index: new(uint64(4))}}},
				{Type: pb.MsgAppResp.Enum(), Term: new(uint64(2)), Index: new(uint64(9)), Reject: new(true)},
			},
			renewals: []renewal{{lease: 3}}, renewed: []renewal{{lease: 4, alive: true}},
		},
		`revision 7 succeeded true [["k"="v" create 2 mod 3 version 4 lease 5]]`: &Reply{
			Revision: 7, Succeeded: true, Results: []Result{{{Key: "k", Value: "v", Create: 2, Mod: 3, Version: 4, Lease: 5}}},
		},
	} {
		if message.String() != want {
			t.Errorf("got  %s\nwant %s", message, want)
		}
	}
}

func TestEachAnswerDescribesItself(t *testing.T) {
	key := KeyValue{Key: "k", Create: 7}
	for _, c := range []struct {
		asked any
		reply Reply
		want  string
	}{
		{&Read{}, Reply{Results: []Result{{key}}}, "1 key"},
		{&Read{}, Reply{Results: []Result{{key, key}}}, "2 keys"},
		{&Read{}, Reply{Results: []Result{{}}}, "0 keys"},
		{&Txn{}, Reply{}, "OK"},
		{&Txn{Then: []Op{{Do: Put}}}, Reply{Results: []Result{{key}}}, "revision 7"},
		{&Txn{Then: []Op{{Do: Delete}}}, Reply{Results: []Result{{key, key}}}, "2 deleted"},
		{&Txn{If: []Compare{{}}, Then: []Op{{Do: Put}}}, Reply{}, "not done"},
	} {
		if got := c.reply.Answer(c.asked); got != c.want {
			t.Errorf("%v is answered by %q, and should be by %q", c.asked, got, c.want)
		}
	}
}
