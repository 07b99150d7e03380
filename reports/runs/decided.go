package runs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// Decided says when it was decided that a run breaks a promise; empty if that is not among the decisions.
func Decided(all []campaign.Decision, property string) string {
	d := decisionOn(all, property)
	if d == nil {
		return ""
	}
	if d.Of == 0 {
		return fmt.Sprintf("It is not known when that was decided: a run of %s steps is too long to be continued in "+
			"other ways.", wording.Grouped(d.Steps))
	}
	n, when, how := d.Shares[d.Decided], "from the start", "with other delays"
	if n.At > 0 {
		when, how = "at "+wording.Micros(n.At), "continued from there with other delays"
	}
	text := fmt.Sprintf("Decided %s, %s: %s in %d of %d runs %s", when, d.By, wording.Broke([]string{property}),
		n.Broken, d.Of, how)
	if d.Decided > 0 {
		text += fmt.Sprintf(", and in %d of %d from just before", d.Shares[d.Decided-1].Broken, d.Of)
		if strings.HasPrefix(d.By, "by the fault") {
			text += ", without that fault"
		}
	}
	return wording.PlainLong(text) + "."
}

func decisionOn(all []campaign.Decision, property string) *campaign.Decision {
	i := slices.IndexFunc(all, func(d campaign.Decision) bool { return d.Property == property })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// decide draws the decision on the most important promise that broke.
func (d *report) decide() {
	for _, f := range byImportance(d.run) {
		if drawDecided(d.scene, d.made.Decisions, f.Property) {
			return
		}
	}
}

// DecidedTimeline draws a run's timeline with the decision on a promise; empty if that is not among the decisions.
func DecidedTimeline(r *scenarios.Result, all []campaign.Decision, property string) string {
	scene := draw.NewScene(r)
	if !drawDecided(scene, all, property) {
		return ""
	}
	return draw.NewChart(scene).SVG
}

func drawDecided(scene *draw.Scene, all []campaign.Decision, property string) bool {
	x := decisionOn(all, property)
	if x == nil || x.Of == 0 {
		return false
	}
	var shares []draw.Share
	for _, n := range x.Shares {
		says := fmt.Sprintf("%d of %d runs that continue from here break the promise (%s)", n.Broken, x.Of, wording.Plainly(property))
		shares = append(shares, draw.Share{From: n.At, Percent: n.Broken * 100 / x.Of, Says: says})
	}
	scene.Decided(shares)
	return true
}
