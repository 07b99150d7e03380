package guests_test

import (
	"context"
	"math/rand"
	"net"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// speed is how many cycles of a lock a second a library makes here, judged and all, and in a bare bubble with miniredis.
type speed struct {
	Here, Bare float64
}

func (s speed) ratio() float64 { return s.Here / s.Bare }

// The bare bubble has the clients, cycles and pauses of baseline/fault-free. A slow machine fails no test: only
// -update measures the speed. Otherwise a run of each kind shows that measuring works.
func TestSpeedComparedWithBareBubble(t *testing.T) {
	each(t, func(t *testing.T, l *guests.Library) {
		if l.Wire != nil {
			t.Skip("the bare bubble has a Redis alone")
		}
		runs := 1
		if *update || long {
			runs = 60
		}
		is := race(t, l, runs)
		t.Logf("%.0f cycles/s here, %.0f in a bare bubble: %.2f x", is.Here, is.Bare, is.ratio())
		if *update {
			m := load(t, l)
			m.Speed = is
			store(t, l, m)
		}
	})
}

// race alternates runs here and in the bare bubble.
func race(t *testing.T, l *guests.Library, runs int) speed {
	s, _ := scenarios.Find("baseline/fault-free")
	if err := l.Fit(&s); err != nil {
		t.Fatal(err)
	}
	nodes := s.Nodes
	if s.Lock.Kind == scenarios.Single {
		nodes = 1
	}
	var here, bare time.Duration
	for seed := range uint64(runs) {
		from := time.Now()
		if _, err := guest.Run(t, &s, seed+1, l.New); err != nil {
			t.Fatal(err)
		}
		half := time.Now()
		bareRun(t, l, nodes)
		here, bare = here+half.Sub(from), bare+time.Since(half)
	}
	cycles := float64(runs * s.Clients * s.Work.Cycles)
	return speed{cycles / here.Seconds(), cycles / bare.Seconds()}
}

// bareRun is the work of baseline/fault-free, 3 clients with 10 cycles each, on miniredis.
func bareRun(t *testing.T, l *guests.Library, nodes int) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	synctest.Test(t, func(t *testing.T) {
		servers := map[string]*miniredis.Miniredis{}
		var addresses []string
		for i := range nodes {
			address := "10.0.0." + strconv.Itoa(i+1) + ":6379"
			servers[address], addresses = miniredis.NewMiniRedis(), append(addresses, address)
		}
		dial := func(_ context.Context, _, address string) (net.Conn, error) { return servers[address].Dial() }
		config := locks.Config{Key: "lock", Rules: locks.Rules{TTL: 10 * time.Second, Timeout: time.Second}}
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				lock, err := l.New(guest.NewClient(config, addresses, dial))
				if err != nil {
					t.Error(err)
					return
				}
				defer lock.Close()
				bareCycles(t.Context(), lock)
			})
		}
		all.Wait()
		for _, s := range servers {
			s.Close()
		}
		synctest.Wait()
	})
}

func bareCycles(ctx context.Context, lock guest.Lock) {
	for range 10 {
		for {
			if _, _, err := lock.Acquire(ctx); err == nil {
				break
			}
			time.Sleep(time.Duration(50+rand.Intn(200)) * time.Millisecond)
		}
		time.Sleep(time.Duration(1+rand.Intn(20)) * time.Millisecond)
		_ = lock.Release(ctx)
		time.Sleep(time.Duration(rand.Intn(20)) * time.Millisecond)
	}
}
