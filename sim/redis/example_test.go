package redis_test

import (
	"fmt"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// A lock is taken for ten seconds. Then somebody sets the server's clock ahead, and another client takes it too.
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
