package faults_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/sim"
)

func TestADiskStallsUntilTheFaultEnds(t *testing.T) {
	r := newRig(t, read(t, "at 1s for 3s stall-disk n1\nat 2s for 4s stall-disk nodes"))
	var got []string
	for _, moment := range []time.Duration{0, 1 * s, 2 * s, 5 * s, 6 * s} {
		r.World.At(at(moment)+1, func() {
			word := ""
			for _, name := range []string{"n1", "n2"} {
				if _, stalls := r.Host(name).DiskStalled(); stalls {
					word += name
				}
			}
			got = append(got, word)
		})
	}
	r.Run()
	if want := ",n1,n1n2,n1n2,"; strings.Join(got, ",") != want {
		t.Errorf("got %q, want %q", strings.Join(got, ","), want)
	}
}

// A disk that no write waits for can't stall: the fault would have no effect.
func TestStallOfAnUnusedDiskIsRejected(t *testing.T) {
	for _, word := range []string{"c1", "holder", "all", "s", "n1"} {
		few := crowd
		few.Disks = []string{"n2"}
		err := read(t, "at 1s for 1s stall-disk "+word).Check(few, s)
		if err == nil || !strings.Contains(err.Error(), "never waits for a disk here") {
			t.Errorf("%s: %v", word, err)
		}
	}
	if err := read(t, "at 1s for 1s stall-disk n2").Check(crowd, s); err != nil {
		t.Error(err)
	}
}

// Where no disk can stall, a storm draws what it drew before there were such faults.
func TestAStormWithoutDisksDrawsNoStall(t *testing.T) {
	bare := crowd
	bare.Disks = nil
	others := storm
	others.Kinds = slices.DeleteFunc(slices.Clone(faults.Kinds), func(k *faults.Kind) bool { return k == faults.StallDisk })
	for seed := range uint64(500) {
		if got, want := drawn(storm, bare, seed).String(), drawn(others, bare, seed).String(); got != want {
			t.Fatalf("seed %d: got\n%swant\n%s", seed, got, want)
		}
	}
	only := storm
	only.Kinds = []*faults.Kind{faults.StallDisk}
	c := sim.NewChance(1, "storm")
	if got := only.Draw(&c, bare); got != nil {
		t.Errorf("with nothing to draw it draws %s", got)
	}
}
