package redis_test

import (
	"fmt"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// A client acquires a lock for ten seconds. Then the server's clock is set ahead, and another client acquires it too.
func Example() {
	world := sim.New(sim.Config{})
	defer world.Close()
	node := redis.NewNode()
	defer node.Close()
	host := world.AddHost("n1", node, clock.Reading(1767225600*time.Second), 0)
	node.Attach(host, redis.Config{Watch: "lock"})

	world.At(0, func() {
		fmt.Println("first:", node.Serve([]string{"SET", "lock", "one", "NX", "PX", "10000"}))
	})
	world.At(clock.Instant(3*time.Second), func() {
		fmt.Println("second:", node.Serve([]string{"SET", "lock", "two", "NX", "PX", "10000"}))
		host.Step(11 * time.Second)
		fmt.Println("second, after the clock jumped:", node.Serve([]string{"SET", "lock", "two", "NX", "PX", "10000"}))
		fmt.Println("first releases:", node.Serve([]string{"EVAL", redis.Scripts[0].Text, "1", "lock", "one"}))
	})
	world.Run()
	for _, s := range node.Spans() {
		fmt.Printf("held by %s from %v to %v\n", s.Value, s.From, s.To)
	}
	// Output:
	// first: OK
	// second: <nil>
	// second, after the clock jumped: OK
	// first releases: 0
	// held by one from 0s to 3s
	// held by two from 3s to 13.001s
}

// A master fails before it has sent its replica the write that it confirmed to its client. An observer promotes the
// replica, which grants the lock to another client.
func ExampleObserver() {
	world := sim.New(sim.Config{})
	defer world.Close()
	nodes := []*redis.Node{redis.NewNode(), redis.NewNode()}
	group := []int{0, 1} // the IDs of their hosts: they are added first
	for i, node := range nodes {
		defer node.Close()
		host := world.AddHost([]string{"n1", "n2"}[i], node, clock.Reading(1767225600*time.Second), 0)
		lag := sim.Range{Min: 50 * time.Millisecond, Max: 50 * time.Millisecond}
		node.Attach(host, redis.Config{Watch: "lock", Replication: redis.Replication{Group: group, Lag: lag}})
	}
	observer := &redis.Observer{}
	observed := world.AddHost("o", observer, 0, 0)
	observer.Attach(observed, redis.Observation{Group: group, Down: 5 * time.Second})

	client := world.AddHost("c", nil, 0, 0)
	client.Go("main", func(p *sim.Proc) {
		first, _ := p.Call(0, []string{"SET", "lock", "one", "NX", "PX", "60000"}, time.Second)
		fmt.Println("first:", first)
		world.Hosts()[0].Crash(true)
		p.Sleep(10 * time.Second)
		master, _ := p.Call(observed.ID, []string{"SENTINEL", "get-master-addr-by-name", "mymaster"}, time.Second)
		second, _ := p.Call(1, []string{"SET", "lock", "two", "NX", "PX", "60000"}, time.Second)
		fmt.Println("second, on", master, "-", second)
	})
	world.Run()
	for _, s := range redis.Lives(observer.Terms(), nodes) {
		fmt.Println("held by", s.Value)
	}
	// Output:
	// first: OK
	// second, on [n2 6379] - OK
	// held by one
	// held by two
}
