package consensus

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/sim"
)

// A follower does not know where in the log its proposal will come; the leader does. The trace shows it with the
// message.
func TestAForwardedProposalShowsItsIndexInTheTrace(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.do(func(p *sim.Proc) {
		p.Sleep(50 * time.Millisecond)
		last, _ := r.cluster.Nodes[r.cluster.leader()].disk.LastIndex()
		r.ask(p, r.other(), put("k", 0))
		want, shown := fmt.Sprintf("MsgProp entries %d to %d", last+1, last+1), 0
		for _, e := range r.Trace() {
			if l, is := e.Body.(*outgoing); is && e.Kind == sim.Posted && strings.Contains(l.String(), want) {
				shown++
			}
		}
		if shown != 1 {
			t.Errorf("%q stands in %d messages of servers", want, shown)
		}
	})
}
