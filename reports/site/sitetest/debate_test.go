package sitetest_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/lockstorm/lockstorm/reports/debate"
	"github.com/lockstorm/lockstorm/reports/site/sitetest"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// tried makes one run of each scenario that an argument is about, and few where it has to search.
func tried(a *debate.Argument, searched int) *debate.Debate {
	d := &debate.Debate{Argument: a, Trials: a.Trials(), Version: "9.9.9", Command: "lockstorm debate", Seed: 1, Runs: 1, Seeds: 1}
	for i := range d.Trials {
		trial := &d.Trials[i]
		rows := func(n int, set campaign.Cell) []campaign.Row {
			return (&campaign.Job{Scenario: trial.Scenario, Cells: []campaign.Cell{set}, First: 1, Runs: n, Size: 50}).All(2, nil)
		}
		if trial.Searched() {
			trial.Rows = rows(searched, nil)
			continue
		}
		trial.Rows = rows(1, nil)
		for _, m := range trial.Scenario.Mutants {
			trial.Mutants = append(trial.Mutants, rows(max(1, m.Within), m.Set))
		}
		trial.Drawn = scenarios.Run(*trial.Scenario, 1)
	}
	for _, s := range a.Studied() {
		study := debate.NewStudy(s, 1, 1)
		study.Rows = study.Job.All(2, nil)
		d.Studies = append(d.Studies, study)
	}
	return d
}

// lie is an argument with an assertion that is not true.
const lie = `
# summary: In one page
An update is lost {kleppmann/gc-pause: storage violated}.

# chapter: A chapter

# appendix: The appendix

# steps: Steps

## kleppmann/gc-pause: A pause
figure
An update is lost {storage violated}, and two periods overlap {validity violated}.
`

// The document is quiet and legible in both themes, fits a phone, and needs no script. So it is when it raises its alarm.
func TestTheDocumentIsQuietAndLegibleInABrowser(t *testing.T) {
	b := sitetest.Browse(t)
	b.Call(func() error {
		_, err := chromedp.Call(b.Ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	})
	lying, err := debate.ParseArgument(lie)
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]*debate.Debate{
		"the document": tried(debate.TheArgument(), 100), "one that lies": tried(lying, 60),
	} {
		page := []byte(d.Document().HTML())
		for _, theme := range []string{"light", "dark"} {
			b.Theme(theme)
			b.Open(page)
			for _, text := range sitetest.Ask[[]string](b, sitetest.Faint) {
				t.Errorf("%s, %s: too faint: %s", name, theme, text)
			}
		}
		b.Do(chromedp.EmulateViewport(400, 800))
		if wide := sitetest.Ask[int](b, `document.documentElement.scrollWidth`); wide > 400 {
			t.Errorf("%s: on a phone the page is %d pixels wide", name, wide)
		}
		b.Do(chromedp.EmulateViewport(1280, 800))
		b.Quiet(name)
	}
}
