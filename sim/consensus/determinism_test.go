package consensus

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/lockstorm/lockstorm/sim"
)

// fingerprint is a hash of everything that a storm left: its trace, with the text of some messages, and the disks.
func fingerprint(s *storm) uint64 {
	h := fnv.New64a()
	var b []byte
	for i, e := range s.Trace() {
		b = binary.BigEndian.AppendUint64(b[:0], uint64(e.At))
		b = append(binary.BigEndian.AppendUint32(b, e.Call), byte(e.Kind), byte(e.Host), byte(e.Peer))
		if i%16 == 0 {
			b = fmt.Append(b, e.Body)
		}
		h.Write(b)
	}
	for _, n := range s.cluster.Nodes {
		d := &n.disk.written
		fmt.Fprintln(h, d.hard.GetTerm(), d.hard.GetVote(), d.hard.GetCommit(), d.snap.GetMetadata().GetIndex(), d.first, d.term)
		for _, e := range d.log {
			fmt.Fprintln(h, e.GetIndex(), e.GetTerm(), string(e.GetData()))
		}
		fmt.Fprintln(h, n.state, n.applied, n.leader)
	}
	return h.Sum64()
}

// The same seed makes the same bytes: on new servers, on servers with a past, in another order.
func TestAStormIsAFunctionOfItsSeed(t *testing.T) {
	const storms = 300
	step := uint64(1)
	if !long {
		step = 10
	}
	first := map[uint64]uint64{}
	for seed := uint64(0); seed < storms; seed += step {
		w := sim.New(sim.Config{})
		first[seed] = fingerprint(run(w, NewCluster(3), seed, Flaws{}))
		w.Close()
	}
	w, c := newWorld(t), NewCluster(3)
	for seed := storms - step; seed < storms; seed -= step {
		if seed%20 == 0 {
			run(w, c, seed+7, Flaws{Amnesia: true, Unconfirmed: true})
		}
		if again := fingerprint(run(w, c, seed, Flaws{})); again != first[seed] {
			t.Fatalf("storm %d gives %x on new servers, and %x on used ones", seed, first[seed], again)
		}
	}
	if len(first) != int(storms/step) || first[0] == first[10] {
		t.Errorf("%d storms, and %x twice", len(first), first[0])
	}
}
