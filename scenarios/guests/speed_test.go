package guests_test

import (
	"context"
	"math/rand"
	"net"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alicebob/miniredis/v2"
	rsredis "github.com/go-redsync/redsync/v4/redis"

	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	rsredigo "github.com/go-redsync/redsync/v4/redis/redigo"
	"github.com/gomodule/redigo/redis"
	goredisv9 "github.com/redis/go-redis/v9"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guest"
)

// TestSpeedBesideABareBubble reports how many cycles a second a library makes here, judged and all, and in a bare bubble with
// five miniredis: the same clients, cycles and pauses. It fails only where the ratio is far below what it was.
func TestSpeedBesideABareBubble(t *testing.T) {
	const runs = 40
	s, _ := scenarios.Find("baseline/fault-free")
	for name, pool := range map[string]func(*miniredis.Miniredis) (rsredis.Pool, func()){"redigo": barePool, "go-redis": bareGoRedis} {
		var here, bare time.Duration
		for seed := range uint64(runs) {
			from := time.Now()
			if _, err := guest.Run(t, &s, seed+1, redsyncs[name]); err != nil {
				t.Fatal(err)
			}
			half := time.Now()
			bareRun(t, pool)
			here, bare = here+half.Sub(from), bare+time.Since(half)
		}
		cycles := float64(runs * s.Clients * s.Work.Cycles)
		ratio := float64(bare) / float64(here)
		t.Logf("redsync over %s: %.0f cycles/s here, %.0f in a bare bubble: %.2f x", name, cycles/here.Seconds(), cycles/bare.Seconds(), ratio)
		if ratio < 0.2 {
			t.Errorf("the ratio is %.2f", ratio)
		}
	}
}

// bareRun is the work of baseline/fault-free, 3 clients with 10 cycles each, on five miniredis.
func bareRun(t *testing.T, pool func(*miniredis.Miniredis) (rsredis.Pool, func())) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	synctest.Test(t, func(*testing.T) {
		var nodes []*miniredis.Miniredis
		for range 5 {
			nodes = append(nodes, miniredis.NewMiniRedis())
		}
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				var pools []rsredis.Pool
				for _, n := range nodes {
					p, end := pool(n)
					defer end()
					pools = append(pools, p)
				}
				bareCycles(redsync.New(pools...))
			})
		}
		all.Wait()
		for _, n := range nodes {
			n.Close()
		}
	})
}

func bareCycles(rs *redsync.Redsync) {
	for range 10 {
		m := rs.NewMutex("lock", redsync.WithExpiry(10*time.Second))
		for m.TryLock() != nil {
			time.Sleep(time.Duration(50+rand.Intn(200)) * time.Millisecond)
		}
		time.Sleep(time.Duration(1+rand.Intn(20)) * time.Millisecond)
		_, _ = m.Unlock()
		time.Sleep(time.Duration(rand.Intn(20)) * time.Millisecond)
	}
}

func barePool(n *miniredis.Miniredis) (rsredis.Pool, func()) {
	p := &redis.Pool{MaxIdle: 3, Dial: func() (redis.Conn, error) {
		c, err := n.Dial()
		return redis.NewConn(c, time.Second, time.Second), err
	}}
	return rsredigo.NewPool(p), func() { _ = p.Close() }
}

func bareGoRedis(n *miniredis.Miniredis) (rsredis.Pool, func()) {
	c := goredisv9.NewClient(&goredisv9.Options{Addr: "10.0.0.1:6379", Dialer: func(context.Context, string, string) (net.Conn, error) { return n.Dial() }})
	return goredis.NewPool(c), func() { _ = c.Close() }
}
