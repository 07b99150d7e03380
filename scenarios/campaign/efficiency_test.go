package campaign_test

import (
	"reflect"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// The counts are the same however many work at them; without faults no job is done twice; and nodes that forget let a single
// one do more harm than five, unless it writes to disk.
func TestDuplicatesAreCountedAndHaveTheirCauses(t *testing.T) {
	need.Long(t)
	e := campaign.Efficiency{First: 1, Runs: 40, Workers: 2}
	all := e.Run()
	if len(all) != len(e.Job().Cells) {
		t.Fatalf("%d cells", len(all))
	}
	e.Workers = 1
	if again := e.Run(); !reflect.DeepEqual(all, again) {
		t.Errorf("with one worker %+v, with two %+v", again, all)
	}
	of := map[string]stats.Sums{}
	for _, d := range all {
		of[d.Lock+", "+d.Faults] = d.Sums
		if d.Sums.Runs != 40 || d.Sums.Trials < 40*13 || d.Sums.Trials > 40*15 || d.Hit > d.Sums.Hits || (d.Hit == 0) != (d.Sums.Hits == 0) {
			t.Errorf("%+v", d)
		}
		if d.Faults == "none" && d.Sums.Hits > 0 {
			t.Errorf("duplicates without a fault: %+v", d)
		}
	}
	single, five := of["single, node restart, no disk"].Hits, of["redlock, node restart, no disk"].Hits
	if five == 0 || single <= five || of["single, node restart, aof-always"].Hits > 0 {
		t.Errorf("restarts cost one node %d, five %d, and one with a disk %d", single, five, of["single, node restart, aof-always"].Hits)
	}
}
