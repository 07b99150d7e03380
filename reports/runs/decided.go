package runs

import (
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// Decided says when it was decided that a run breaks a promise; empty if that is not among the decisions.
func Decided(all []campaign.Decision, property string) string {
	d := decisionOn(all, property)
	if d == nil {
		return ""
	}
	n, when := d.Shares[d.Decided], "from the start"
	if n.At > 0 {
		when = "at " + wording.Micros(n.At)
	}
	text := fmt.Sprintf("Decided %s, %s: %d of %d continuations from there break this promise", when, d.By, n.Broken, d.Of)
	if d.Decided > 0 {
		text += fmt.Sprintf(", %d of %d from just before", d.Shares[d.Decided-1].Broken, d.Of)
	}
	return wording.PlainLong(text) + ". They have other delays and choices, and no further faults."
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
		x := decisionOn(d.made.Decisions, f.Property)
		if x == nil {
			continue
		}
		var shares []draw.Share
		for _, n := range x.Shares {
			says := fmt.Sprintf("%d of %d continuations break the promise (%s)", n.Broken, x.Of, wording.Plainly(f.Property))
			shares = append(shares, draw.Share{From: n.At, Percent: n.Broken * 100 / x.Of, Says: says})
		}
		d.scene.Decided(shares)
		return
	}
}
