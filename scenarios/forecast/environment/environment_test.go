package environment_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
)

func TestEveryShippedEnvironmentSaysWhereEachNumberIsFrom(t *testing.T) {
	for _, name := range environment.Names() {
		e, ok := environment.Find(name)
		if !ok || e.Title == "" || e.Work.Source == "" || e.Network.Source == "" || e.Clocks.Source == "" || len(e.Causes) < 4 {
			t.Errorf("%s: %+v", name, e)
		}
		for _, c := range e.Causes {
			if c.Source == "" || c.Date == "" {
				t.Errorf("%s: %s has no source or no date", name, c.Name)
			}
		}
		again, err := environment.Parse(name+".yaml", e.YAML())
		if err != nil || string(again.YAML()) != string(e.YAML()) {
			t.Errorf("%s: written and read again it differs: %v", name, err)
		}
	}
}

const whole = `title: a
work: {clients: 3, hold: 1s..2s, think: 1s}
causes:
  - name: freeze
    strikes: pause a-client for ~
    rate: 12/year
    size: uniform(1s,2s)
    source: made up
`

func TestMistakesAreSaidWithTheirPlace(t *testing.T) {
	if _, err := environment.Parse("e.yaml", []byte(whole)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, mistake, want string }{
		{"12/year", "12", `e.yaml:6:11: found "12"; want a rate with its unit of time, such as 12/year`},
		{"12/year", "12/jear", `e.yaml:6:11: found "12/jear"; want a rate with its unit of time`},
		{"12/year", "5..1/year", `e.yaml:6:11`},
		{"12/year", "0/year", `e.yaml:6:11`},
		{"12/year", "0..5/year", `e.yaml:6:11`},
		{"12/year", "5/0s", `e.yaml:6:11`},
		{"uniform(1s,2s)", "quantiles(0:2s,1:1s)", `e.yaml:7:11: causes.1.size, at`},
		{"uniform(1s,2s)", "unifrom(1s,2s)", `uniform`},
		{"uniform(1s,2s)", "uniform(1,2)", `e.yaml:7:11`},
		{"    size: uniform(1s,2s)\n", "", `e.yaml:4:9: freeze: a size and a ~ in "pause a-client for ~" for it go together`},
		{"pause a-client", "paus a-client", `e.yaml:5:14: freeze: `},
		{"    source: made up\n", "", `freeze: it has no source`},
		{"clients: 3", "clients: 0", `e.yaml:2:17`},
		{"1s..2s", "2s..1s", `e.yaml:2:26`},
		{"rate:", "rat:", `e.yaml:6:5`},
		{"think: 1s", "think: 1s, together: 4/minute", `e.yaml:2:41: work.think: clients that start together don't think`},
		{"think: 1s", "together: 1..4/minute", `work.together: give one rate`},
		{"think: 1s", "gap: 1s", `work.gap: clients don't start together`},
		{"think: 1s", "together: 4/minute, gap: 2s..1s", `work.gap: 2s..1s is no range`},
	} {
		_, err := environment.Parse("e.yaml", []byte(strings.Replace(whole, c.old, c.mistake, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s in place of %s:\n%v\nwant %s", c.mistake, c.old, err, c.want)
		}
	}
}

func TestRatesAreOfAYear(t *testing.T) {
	for text, want := range map[string][2]float64{
		"12/year": {12, 12}, "1..30/month": {12, 360}, "3/1h": {26280, 26280}, "0.5/day": {182.5, 182.5},
	} {
		e, err := environment.Parse("e.yaml", []byte(strings.Replace(whole, "12/year", text, 1)))
		if err != nil {
			t.Fatal(err)
		}
		r := e.Causes[0].Rate
		low, high := r.Yearly()
		if low < want[0]*0.9999 || high > want[1]*1.0001 || r.String() != strings.Replace(text, "/1h", "/hour", 1) {
			t.Errorf("%s: %v to %v, %s", text, low, high, r)
		}
	}
}
