package study

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// Sweep returns a study with a cell for each combination of the values of some axes. The last axis is the axis of the
// study, and each place of the others is a line. The caller adds the scenario and the measure.
func Sweep(s *scenarios.Scenario, axes []campaign.Axis) (*Study, error) {
	x := &Study{Map: len(axes) > 1}
	known := map[string]bool{}
	for i, a := range axes {
		k, _ := scenarios.Lookup(s, a.Key)
		if known[k.Key] {
			return nil, fmt.Errorf("%s is an axis already", a.Key)
		}
		known[k.Key] = true
		for _, v := range a.Values {
			if strings.ContainsAny(string(v), "@: ") {
				return nil, fmt.Errorf("%s: a study can't have the value %q", a.Key, v)
			}
		}
		if i == len(axes)-1 {
			x.X = axisOf(a)
		} else if x.Lines = withEach(x.Lines, a); len(x.Lines) > linesMost {
			return nil, fmt.Errorf("the axes before the last have more than %d combinations; take fewer steps",
				linesMost)
		}
	}
	return x, nil
}

// withEach returns each line with each value of one more axis.
func withEach(lines []Line, a campaign.Axis) (all []Line) {
	if lines == nil {
		lines = []Line{{}}
	}
	for _, l := range lines {
		for _, v := range a.Values {
			set := a.Key + "=" + string(v)
			all = append(all, Line{Name: strings.TrimSpace(l.Name + " " + set), Set: append(slices.Clip(l.Set), set)})
		}
	}
	return all
}

// axisOf returns an axis of plain numbers, if the values are numbers with one unit, or times. Other values stay as they
// are.
func axisOf(a campaign.Axis) Axis {
	x := Axis{Label: a.Key, Set: []string{a.Key + "=@"}}
	points, unit := plain(a.Values)
	if unit != "" {
		x.Label, x.Set[0] = a.Key+" ["+unit+"]", x.Set[0]+unit
	}
	x.Values = scenarios.Value(strings.Join(points, " "))
	return x
}

// plain returns values without the unit that they have in common. Times of several units become seconds.
func plain(values []scenarios.Value) (points []string, unit string) {
	var seconds []string
	unit = strings.TrimLeft(string(values[0]), "+-.0123456789")
	for _, v := range values {
		point := strings.TrimPrefix(string(v), "+")
		if d, err := time.ParseDuration(point); err == nil && strings.HasSuffix(point, "s") {
			exact := new(big.Rat).SetFrac64(int64(d), int64(time.Second)).FloatString(9)
			seconds = append(seconds, strings.TrimSuffix(strings.TrimRight(exact, "0"), "."))
		}
		points = append(points, strings.TrimSuffix(point, unit))
		if _, is := number(points[len(points)-1]); !is || !strings.HasSuffix(point, unit) {
			unit = ""
		}
	}
	switch {
	case unit != "":
		return points, unit
	case len(seconds) == len(values):
		return seconds, "s"
	}
	points = nil
	for _, v := range values {
		points = append(points, string(v))
	}
	return points, ""
}
