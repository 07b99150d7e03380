package sim

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A writer syncs before it answers a request to write. It sends word to its other before it knows whether it must sync.
type writer struct {
	echo
	host, other *Host
}

func (w *writer) Serve(request any) any {
	if request == "write" {
		w.host.Post(w.other.ID, "told")
		w.host.Sync()
	}
	return w.echo.Serve(request)
}

// newWriter returns a pair whose server writes, and sends word to an echo.
func newWriter(t *testing.T) (w *pair, told *echo) {
	w = newPair(t, plain)
	told = &echo{}
	service := &writer{}
	service.host, service.other = w.AddHost("m", service, 0, 0), w.AddHost("e", told, 0, 0)
	w.n = service.host
	return w, told
}

func (w *pair) tells(h *Host, name string, at clock.Instant, request string) {
	h.Go(name, func(p *Proc) {
		p.Sleep(time.Duration(at))
		reply, err := p.Call(w.n.ID, request, time.Minute)
		p.Mark(name + " " + request)
		if err == nil && reply != request {
			p.Mark("another answer")
		}
	})
}

func TestHostThatSyncsStopsWhileItsDiskStalls(t *testing.T) {
	w, told := newWriter(t)
	w.during(s, 5*s, w.n.StallDisk, w.n.FreeDisk)
	w.tells(w.c, "c", 2*s, "read")
	w.tells(w.c, "d", 3*s, "write")
	w.tells(w.d, "e", 4*s, "read")
	finishes(t, w.World)
	tells(t, w.World, `
		1s stall m
		2.000212s mark c c read
		5s unstall m
		5.00011s mark c d write
		5.00011s mark d e read
	`, Stalled, Unstalled, Marked)
	tells(t, w.World, "5s post m>e told\n5.0001s told e>m", Posted, Told)
	if len(told.seen) != 1 {
		t.Errorf("told %v", told.seen)
	}
}

func TestSyncIsImmediateWithoutAStall(t *testing.T) {
	w, _ := newWriter(t)
	w.during(s, 2*s, w.n.StallDisk, w.n.FreeDisk)
	w.tells(w.c, "c", 3*s, "write")
	finishes(t, w.World)
	tells(t, w.World, "3.000212s mark c c write", Marked)
}

func TestStallsAddUpWithEachOtherAndWithPauses(t *testing.T) {
	w, _ := newWriter(t)
	w.during(s, 5*s, w.n.StallDisk, w.n.FreeDisk)
	w.during(2*s, 7*s, w.n.StallDisk, w.n.FreeDisk)
	w.during(3*s, 9*s, w.n.Pause, w.n.Resume)
	w.tells(w.c, "c", 2500*ms, "write")
	w.tells(w.d, "d", 2600*ms, "read")
	finishes(t, w.World)
	tells(t, w.World, "7.00011s mark c c write\n9.00011s mark d d read", Marked)
	if since, stalls := w.n.DiskStalled(); stalls || since != 0 {
		t.Errorf("it stalls since %v", since)
	}
}

// A host that goes off waits for its disk no more, and what it had to say is gone.
func TestACrashEndsTheWaitForADisk(t *testing.T) {
	w, told := newWriter(t)
	w.during(s, 20*s, w.n.StallDisk, w.n.FreeDisk)
	w.during(3*s, 4*s, func() { w.n.Crash(true) }, w.n.Restart)
	w.tells(w.c, "c", 2*s, "write")
	w.tells(w.d, "d", 5*s, "read")
	finishes(t, w.World)
	tells(t, w.World, "5.000212s mark d d read\n1m2.000002s mark c c write", Marked)
	if len(told.seen) != 0 {
		t.Errorf("told %v", told.seen)
	}
}

// A run in which a disk never continues still ends.
func TestADiskThatStallsForEverKeepsNoRunGoing(t *testing.T) {
	w, _ := newWriter(t)
	w.At(s, w.n.StallDisk)
	w.tells(w.c, "c", 2*s, "write")
	finishes(t, w.World)
	if w.Now() > clock.Instant(2*time.Minute) {
		t.Errorf("it ended at %v", w.Now())
	}
}

func TestSyncCompletesWhenTheDiskContinues(t *testing.T) {
	w, _ := newWriter(t)
	w.during(2*s, 5*s, w.n.StallDisk, w.n.FreeDisk)
	w.At(8*s, w.n.StallDisk)
	w.At(9*s, func() {
		for from, want := range map[clock.Instant]clock.Instant{
			0: s, s: 5 * s, 3 * s: 5 * s, 4500 * ms: 5500 * ms, 5 * s: 6 * s, 6 * s: 7 * s, 7*s - 1: 8*s - 1, 7 * s: clock.Forever, 9 * s: clock.Forever,
		} {
			if got := w.n.Synced(from, time.Second); got != want {
				t.Errorf("a sync from %v on is done at %v, want %v", from, got, want)
			}
		}
	})
	w.tells(w.c, "c", 10*s, "read")
	finishes(t, w.World)
}
