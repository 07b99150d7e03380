package campaign_test

import (
	"sync/atomic"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// broken returns what an engine panics with whose pieces from one on panic, and which pieces Done was shown.
func broken(workers, from int, inOrder bool, done func(piece int) bool) (b campaign.Broken, shown int) {
	e := campaign.Engine[int]{
		Workers: workers, Pieces: campaign.Range(0, 100), InOrder: inOrder,
		NewWorker: func() campaign.Worker[int] {
			at := 0
			return campaign.Worker[int]{
				Make: func(i int) int {
					if at = i; i >= from {
						panic("it broke")
					}
					return i
				},
				At: func() (string, uint64) { return "some/scenario", uint64(at) },
			}
		},
		Done: func(piece, _ int) (bool, error) {
			shown++
			return done(piece), nil
		},
	}
	defer func() { b, _ = recover().(campaign.Broken) }()
	if err := e.Run(); err != nil {
		panic(err)
	}
	return b, shown
}

// The pieces before the one that panics are shown, and no later one is named, in whatever order they end.
func TestFirstPanickingPieceIsNamedOnAnyWorker(t *testing.T) {
	always := func(int) bool { return true }
	for _, workers := range []int{0, 1, 2, 7} {
		for range 50 {
			b, shown := broken(workers, 20, true, always)
			if b.Scenario != "some/scenario" || b.Seed != 20 || b.Panic != "it broke" || shown != 20 {
				t.Fatalf("%d workers, in order: %v after %d pieces", workers, b, shown)
			}
			if b, _ := broken(workers, 20, false, always); b.Seed != 20 {
				t.Fatalf("%d workers: %v", workers, b)
			}
			if b, shown := broken(workers, 20, true, func(piece int) bool { return piece < 5 }); b.Panic != nil || shown != 6 {
				t.Fatalf("%d workers: %v after the end, at piece %d", workers, b, shown)
			}
		}
	}
}

func TestPanicInDoneNamesARun(t *testing.T) {
	b, _ := broken(3, 100, true, func(piece int) bool { return piece < 30 || breakNow() })
	if b.Panic != "Done broke" {
		t.Errorf("%v", b)
	}
}

func breakNow() bool { panic("Done broke") }

// A Stop that has returned true is not asked again, and it is not asked at all when nothing is left.
func TestStopIsAskedBeforeEachPieceAndNotAfterTheLast(t *testing.T) {
	for _, most := range []int32{3, 5} {
		var asked, made atomic.Int32
		e := campaign.Engine[int]{
			Workers: 3, Pieces: campaign.Range(0, 5), Stop: func() bool { return asked.Add(1) > most },
			NewWorker: func() campaign.Worker[int] {
				return campaign.Worker[int]{Make: func(i int) int { made.Add(1); return i }, At: func() (string, uint64) { return "", 0 }}
			},
		}
		if err := e.Run(); err != nil || made.Load() != most || asked.Load() != min(most+1, 5) {
			t.Errorf("asked %d times, and made %d pieces; want %d: %v", asked.Load(), made.Load(), most, err)
		}
	}
}
