package guests_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests"
)

func TestScratch(t *testing.T) {
	ids := []string{"baseline/fault-free"}
	if id := os.Getenv("ID"); id != "" {
		ids = []string{id}
	}
	seeds := uint64(1)
	if n, _ := strconv.Atoi(os.Getenv("N")); n > 0 {
		seeds = uint64(n)
	}
	for i := range guests.Libraries {
		l := &guests.Libraries[i]
		if l.Name != os.Getenv("LIB") {
			continue
		}
		for _, id := range ids {
			s, _ := scenarios.Find(id)
			if err := l.Fit(&s); err != nil {
				t.Fatal(err)
			}
			for seed := range seeds {
				from := time.Now()
				res, err := l.Guest().Run(t, &s, seed+1)
				fmt.Println(id, seed+1, time.Since(from), err, res.End, res.Evidence.Cut, res.Hangs, len(res.Evidence.Holds), "sent", len(res.Trace))
				for _, f := range res.Findings {
					if f.Verdict.String() != "holds" {
						fmt.Println(f)
					}
				}
				if os.Getenv("TRACE") != "" {
					fmt.Println(string(res.TraceJSONL()))
				}
			}
		}
	}
}
