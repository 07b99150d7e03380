package consensus

import (
	"encoding/binary"
	"testing"
	"time"

	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/lockstorm/lockstorm/sim"
)

func TestASpanKnowsWhyItsKeyWent(t *testing.T) {
	const client = 3 // its host comes after the servers' hosts
	for name, c := range map[string]struct {
		end  func(r *trial, p *sim.Proc, lease uint64)
		want Ending
	}{
		"deleted": {func(r *trial, p *sim.Proc, _ uint64) {
			r.ask(p, r.other(), &Txn{Then: []Op{{Do: Delete, Key: "k/a"}}})
		}, Ending{Deleted, client}},
		"deleted with others": {func(r *trial, p *sim.Proc, _ uint64) {
			r.ask(p, 0, &Txn{If: []Compare{{Key: "none", Is: 1}}, Else: []Op{{Do: Delete, Key: "k/", Prefix: true}}})
		}, Ending{Deleted, client}},
		"expired": {func(_ *trial, p *sim.Proc, _ uint64) { p.Sleep(20 * time.Second) }, Ending{Expired, -1}},
		"revoked": {func(r *trial, p *sim.Proc, lease uint64) { r.ask(p, 0, &Revoke{lease}) }, Ending{Revoked, client}},
		"lives":   {func(r *trial, p *sim.Proc, _ uint64) { r.ask(p, 0, put("k/b", 0)) }, Ending{}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newTrial(t, Flaws{})
			r.cluster.config.Prefix = "k/"
			r.do(func(p *sim.Proc) {
				lease := r.ask(p, 0, &Grant{TTL: 10 * time.Second}).Lease
				r.ask(p, 0, put("k/a", lease))
				c.end(r, p, lease)
			})
			if s := r.cluster.Spans(); s[0].Ended != c.want {
				t.Errorf("got %+v, want %+v", s[0].Ended, c.want)
			}
		})
	}
}

// The key of one lease went with an entry that revoked another: no entry says why.
func TestRevocationOfAnotherLeaseIsNotWhyAKeyWent(t *testing.T) {
	s := Span{Key: "k/a", lease: 3}
	for lease, want := range map[uint64]Ending{3: {Expired, -1}, 4: {Lost, -1}} {
		if got := s.ending(&proposal{request: &Revoke{lease}}); got != want {
			t.Errorf("lease %d was revoked: %+v, want %+v", lease, got, want)
		}
	}
}

// One transaction deletes a key and puts it again: that is another key.
func TestAKeyThatIsPutAgainHasASpanOfItsOwn(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.cluster.config.Prefix = "k/"
	r.do(func(p *sim.Proc) {
		r.ask(p, 0, put("k/a", 0))
		r.ask(p, 0, put("k/a", 0))
		r.ask(p, 0, &Txn{Then: []Op{{Do: Delete, Key: "k/a"}, {Do: Put, Key: "k/a"}}})
	})
	if s := r.cluster.Spans(); len(s) != 2 || s[0].Create == s[1].Create || s[0].To != s[1].From {
		t.Errorf("%+v", s)
	}
}

// Three servers apply each entry, and the first to do so records it. With a disk that lost its data, a later entry can
// take an index again.
func TestAnEntryIsRecordedWhenTheFirstServerAppliesIt(t *testing.T) {
	c := &Cluster{}
	for _, x := range []struct {
		index, number uint64
		want          bool
	}{
		{1, 10, true}, {1, 10, false}, {2, 11, true}, {3, 12, true}, {2, 11, false}, {3, 12, false},
		{2, 9, false},  // it was proposed before the one that counts
		{2, 13, true},  // it was proposed later, and entry 3 with it is no more
		{3, 12, true},  // so that one is new here
		{6, 20, true},  // entries of raft itself are not recorded
		{6, 20, false}, // and leave no gap
	} {
		e := &pb.Entry{Index: new(x.index), Data: binary.BigEndian.AppendUint64(nil, x.number)}
		if got := c.news(e); got != x.want {
			t.Errorf("entry %d, number %d: new: %t", x.index, x.number, got)
		}
	}
}
