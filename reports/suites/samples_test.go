package suites_test

import (
	"os"

	"github.com/lockstorm/lockstorm/reports/suites"
)

// mixed returns a suite in which one scenario passes, one fails and one is unknown.
func mixed() suites.Suite { return sample("mixed") }

// killed returns a suite of mutants: one dies, one survives, and of one the reference fails.
func killed() suites.Suite { return sample("killed") }

func sample(name string) suites.Suite {
	text, err := os.ReadFile("testdata/" + name + ".json")
	if err != nil {
		panic(err)
	}
	s, err := suites.Parse(text)
	if err != nil {
		panic(err)
	}
	for i := range s.Scenarios { // a file has the number of runs once
		for j := range s.Scenarios[i].BlackBox {
			v := &s.Scenarios[i].BlackBox[j]
			v.Runs = v.Holds + v.Violated + v.Unknown
		}
	}
	return *s
}
