package consensus

import (
	"testing"
	"time"

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
