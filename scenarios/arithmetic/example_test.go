package arithmetic_test

import (
	"fmt"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/arithmetic"
)

// One per cent of the TTL, in whole milliseconds, is nothing for a TTL below 100 ms.
func ExampleFind() {
	flaws, err := arithmetic.Find(arithmetic.Rules{
		Validity: func(ttl, elapsed time.Duration) time.Duration {
			return ttl - elapsed - time.Duration(ttl.Milliseconds()/100)*time.Millisecond
		},
		Drift: 500, // parts per million
	}, 1000, 1)
	if err != nil {
		fmt.Println(err)
	}
	for _, f := range flaws {
		fmt.Println(f.Law.Name, f.Numbers.TTL)
		_, seed, _ := f.Scenario()
		fmt.Println("breaks a promise with seed", seed)
	}
	// Output:
	// validity-within-key 1ms
	// breaks a promise with seed 2
}
