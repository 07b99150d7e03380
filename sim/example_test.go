package sim_test

import (
	"fmt"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A register keeps the last value that it was sent, and answers with the one before.
type register struct{ value any }

func (r *register) Serve(request any) any {
	before := r.value
	r.value = request
	return before
}

// A client checks that its second is not over yet, and writes. Between the two it is paused for ten seconds.
func Example() {
	w := sim.New(sim.Config{Seed: 1})
	defer w.Close()
	server := w.AddHost("server", &register{value: "nothing"}, 0, 0)
	client := w.AddHost("client", nil, 0, 20*clock.PPM)
	client.Go("main", func(p *sim.Proc) {
		deadline := p.Mono() + time.Second
		if p.Mono() < deadline {
			p.Mark("checked")
			before, err := p.Call(server.ID, "a value", 50*time.Millisecond)
			fmt.Println("replaced", before, err)
			fmt.Println("in time?", p.Mono() < deadline)
		}
	})
	w.OnMark(client, "checked", 1, func() {
		client.Pause()
		w.At(w.Now().Add(10*time.Second), client.Resume)
	})
	fmt.Println("the run", w.Run())
	for _, e := range w.Trace() {
		fmt.Printf("%.3fs %s %v\n", time.Duration(e.At).Seconds(), w.Hosts()[e.Host].Name, e.Kind)
	}
	// Output:
	// replaced nothing <nil>
	// in time? false
	// the run finished
	// 0.000s client mark
	// 0.000s client pause
	// 10.000s client resume
	// 10.000s client sent
	// 10.000s server served
	// 10.000s client received
}
