package play_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/lockstorm/lockstorm/reports/site/play"
)

// A slider that is dragged asks for another run at each place.
func BenchmarkRunWithItsPictures(b *testing.B) {
	p, n := &play.Program{}, 0
	for b.Loop() {
		n++
		q, _ := json.Marshal(fields{"setup": setup{Scenario: "kleppmann/gc-pause", Seed: 1, Set: []string{"pause.for=" + strconv.Itoa(8000+n%8000) + "ms"}}})
		if a := p.Call("run", q); len(a) < 10_000 {
			b.Fatalf("%s", a)
		}
	}
}

func BenchmarkAThousandSeeds(b *testing.B) {
	p := &play.Program{}
	q, _ := json.Marshal(fields{"setup": setup{Scenario: "kleppmann/gc-pause"}, "first": 1, "runs": 1000})
	for b.Loop() {
		p.Call("many", q)
	}
}
