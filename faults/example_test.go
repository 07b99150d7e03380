package faults_test

import (
	"fmt"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/sim"
)

// A schedule is checked, injected into a world, and heals while the world runs.
func Example() {
	schedule := faults.Schedule{
		{At: clock.Instant(3 * time.Second), Kind: faults.Jump, Host: "n1", By: 11 * time.Second},
		{When: faults.Mark{Host: "c1", Name: "acquired"}, For: 15 * time.Second, Kind: faults.Pause, Host: "c1"},
	}
	fmt.Print(schedule)

	w := sim.New(sim.Config{})
	defer w.Close()
	w.AddHost("n1", nil, 0, 0)
	client := w.AddHost("c1", nil, 0, 0)
	cast := faults.Cast{Nodes: []string{"n1"}, Clients: []string{"c1"}}
	if err := schedule.Check(cast, time.Minute); err != nil {
		fmt.Println(err)
	}
	injection := schedule.Inject(w, cast)
	client.Go("main", func(p *sim.Proc) {
		p.Sleep(time.Second)
		p.Mark("acquired")
	})
	w.Run()

	for _, s := range injection.Strikes() {
		fmt.Println(s.What, "struck; it heals:", s.To != clock.Forever)
	}
	// Output:
	// at 3s jump n1 +11s
	// when c1 acquired pause c1 for 15s
	// pause c1 struck; it heals: true
	// jump n1 +11s struck; it heals: false
}
