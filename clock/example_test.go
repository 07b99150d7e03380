package clock_test

import (
	"fmt"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A lock is acquired for ten seconds. Three seconds later an operator sets the server's clock forward by eleven. A
// server that counts on its wall clock expires the lock immediately, seven seconds early.
func Example() {
	const second = clock.Instant(time.Second)
	server := clock.New(1000*clock.Reading(time.Second), 0)
	deadline := server.Wall(0).Add(10 * time.Second)
	fmt.Println("expires when wall shows", deadline, "which is at", server.WhenWall(deadline, 0))

	server.Step(3*second, 11*time.Second)
	fmt.Println("just before the step", server.Wall(3*second-1))
	fmt.Println("at the step         ", server.Wall(3*second), "and mono", server.Mono(3*second))
	fmt.Println("so it expires at", server.WhenWall(deadline, 0))
	// Output:
	// expires when wall shows 1010s which is at 10s
	// just before the step 1002.999999999s
	// at the step          1014s and mono 3s
	// so it expires at 3s
}

// NTP found a clock to be 3 ms late, and slews it at the 500 ppm that Linux allows.
func ExampleClock_Slew() {
	const second = clock.Instant(time.Second)
	c := clock.New(0, 0)
	end := c.Slew(second, 3*time.Millisecond, 500*clock.PPM)
	fmt.Println("ends at", end)
	fmt.Println("gained", c.Wall(end).Sub(clock.Reading(end)))
	// Output:
	// ends at 7s
	// gained 3ms
}
