package campaigns_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// summed returns the lines of a summary of one lock, whose belief broke in so many of 100 runs under each class of faults.
func summed(broken map[string]int, cut string) (text, markdown string) {
	m := campaign.Matrix{First: 1, Runs: 100, Properties: []string{"belief", "fenced"}}
	var plots []campaign.Plot
	for _, w := range campaign.Columns() {
		belief := campaign.Frequency{Name: "belief", Count: stats.Count{Violated: broken[w.Name], Runs: 100}}
		if w.Name == cut {
			belief.Unknown = 1
		}
		plots = append(plots, campaign.Plot{
			Variant: &campaign.Variants()[0], Faults: w, Runs: 100, Found: []campaign.Frequency{belief, {Name: "fenced", Count: stats.Count{Runs: 100}}},
		})
	}
	x := campaigns.NewMatrix(&m, plots)
	return x.Summary().Text(reports.Screen{}), x.Summary().Markdown()
}

func TestASummaryOfTheMatrixNamesWhatBreaksALock(t *testing.T) {
	for name, c := range map[string]struct {
		broken map[string]int
		cut    string
		want   string
	}{
		"the most harmful first":                                   {map[string]int{"client pause": 2, "crash, lost": 14}, "", "crash, lost 14 (9–22) · client pause 2 (0.6–7.0)"},
		"all together, beside one that suffices, say nothing more": {map[string]int{"partition": 2, "all": 90}, "", "partition 2 (0.6–7.0)"},
		"all together, where none suffices":                        {map[string]int{"all": 9}, "", "all 9 (4.8–16.2)"},
		"no fault is needed":                                       {map[string]int{"none": 5, "partition": 50}, "", "even without a fault 5 (2.2–11.2)"},
		"a run was cut short":                                      {map[string]int{"partition": 2}, "all", "partition 2 (0.6–7.0) · ?"},
		"nothing":                                                  {nil, "", "–"},
	} {
		text, markdown := summed(c.broken, c.cut)
		if !strings.Contains(markdown, "| redlock | an oracle | "+c.want+" | – |") {
			t.Errorf("%s: want %q\n%s", name, c.want, markdown)
		}
		kept := "  keeps   fenced\n"
		if c.want == "–" {
			kept = "  keeps  belief, fenced\n"
		} else if !strings.Contains(text, "  belief  "+c.want+"\n") {
			t.Errorf("%s: want %q\n%s", name, c.want, text)
		}
		if !strings.Contains(text, kept) || !strings.Contains(text, "below 3.7 % of the runs") {
			t.Errorf("%s: want %q\n%s", name, kept, text)
		}
		if says := strings.Contains(text, "cut short"); says != (c.cut != "") {
			t.Errorf("%s: that runs were cut short is said: %v", name, says)
		}
	}
}
