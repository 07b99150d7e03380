package scenarios

import (
	"runtime/debug"
	"strconv"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// BenchmarkContendedRun compares a whole run (3 clients, 5 nodes, 10 cycles each, history and verdicts) with its bare
// miniredis commands: the same commands in the same order on such nodes, with no simulator. The two alternate, so that
// other load slows both alike.
//
// A release counts as its script's commands, a GET and perhaps a DEL, each dispatched as a command. Bare, miniredis
// would interpret the script, at some two hundred times the price. In the run it costs less: a native script asks
// miniredis's data directly, and no reply is written.
func BenchmarkContendedRun(b *testing.B) {
	s, _ := Find("baseline/fault-free")
	r := NewRunner()
	defer r.Close()
	defer debug.SetGCPercent(debug.SetGCPercent(GCPercent)) // as the program does, for both alike
	const seeds = 8
	bare := newTapes(r, &s, seeds)
	defer bare.close()

	var run, commands time.Duration
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		seed := uint64(i%seeds + 1)
		began := time.Now()
		r.Run(&s, seed)
		half := time.Now()
		bare.play(seed)
		run += half.Sub(began)
		commands += time.Since(half)
	}
	b.ReportMetric(float64(run)/float64(commands), "ratio")
	b.ReportMetric(float64(run)/float64(b.N), "ns/run")
}

// tapes are the commands that miniredis carried out in some runs, and nodes to play them on.
type tapes struct {
	commands map[uint64][]taped
	nodes    []*redis.Node
	players  []func([]string)
}

type taped struct {
	node    int
	command []string
}

func newTapes(r *Runner, s *Scenario, seeds int) *tapes {
	t := &tapes{commands: map[uint64][]taped{}}
	for seed := uint64(1); seed <= uint64(seeds); seed++ {
		r.OnCommand = func(node int, command []string) {
			t.commands[seed] = append(t.commands[seed], taped{node, command})
		}
		r.Run(s, seed)
	}
	r.OnCommand = nil
	w := sim.New(sim.Config{})
	for i := range s.Nodes {
		n := redis.NewNode()
		n.Attach(w.AddHost("n"+strconv.Itoa(i), n, clock.Reading(0), 0), redis.Config{})
		t.nodes, t.players = append(t.nodes, n), append(t.players, n.Bare())
	}
	return t
}

func (t *tapes) play(seed uint64) {
	for _, c := range t.commands[seed] {
		t.players[c.node](c.command)
	}
}

func (t *tapes) close() {
	for _, n := range t.nodes {
		n.Close()
	}
}

// BenchmarkBlackBox compares the cost of judging a run as a black box with the rest of the run, as a ratio: for a long
// run, and for kleppmann/gc-pause, which is short.
func BenchmarkBlackBox(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(GCPercent))
	for _, id := range []string{"baseline/fault-free", "kleppmann/gc-pause"} {
		b.Run(id, func(b *testing.B) {
			s, _ := Find(id)
			r := NewRunner()
			defer r.Close()
			var whole, box time.Duration
			for i := range b.N {
				began := time.Now()
				res := r.Run(&s, uint64(i))
				half := time.Now()
				r.blackBox.Judge(res.Evidence.History, s.Clients, s.Views())
				whole, box = whole+half.Sub(began), box+time.Since(half)
			}
			b.ReportMetric(float64(box)/float64(whole-box), "ratio")
		})
	}
}

// BenchmarkPausedRun is kleppmann/gc-pause, history and verdicts included.
func BenchmarkPausedRun(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(GCPercent))
	s, _ := Find("kleppmann/gc-pause")
	r := NewRunner()
	defer r.Close()
	b.ReportAllocs()
	for i := range b.N {
		r.Run(&s, uint64(i))
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}
