package forecasts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios/forecast"
)

// advise lists the settings that keep a goal, with what each costs.
func advise(d *reports.Document, a *forecast.Advice) {
	what := breaks[a.Promise].goal
	d.Heading("What keeps it below " + amount(a.Yearly) + " a year")
	keeps := func(s forecast.Advised) bool { return s.Keeps }
	if i := slices.IndexFunc(a.Settings, keeps); i >= 0 {
		s := a.Settings[i]
		d.Paragraph(fmt.Sprintf("With the least effort, %s come less than %s times a year by this: a TTL of %s, and %s. Even the "+
			"upper end of the interval is below that.", what, amount(a.Yearly), s.TTL, s.About))
	} else {
		d.Paragraph(fmt.Sprintf("None of these settings is shown to have %s less than %s times a year. Where only the interval's "+
			"upper end is above that, more runs may show it: --more.", what, amount(a.Yearly)))
	}
	t := &reports.Table{Columns: reports.Columns("besides the TTL", "shortest TTL", breaks[a.Promise].head, "others wait",
		"no majority", "and")}
	for _, s := range a.Settings {
		ttl := s.TTL
		if !s.Keeps {
			ttl = "none; tried to " + s.TTL
		}
		t.Add(wording.Plain(s.About), ttl, Text(s.Now), seconds(s.Costs.Waiting)+" a year", away(s.Costs.Away), others(&s))
	}
	d.Table("Each with the shortest TTL that keeps it, of "+wording.List(a.Tried)+", from the least effort to the most:", t)
	note := "A holder that dies keeps the others waiting for a TTL. They wait for one that is frozen, too: the rate of freezes, " +
		"times the share of time for which a client has the lock, times the mean of the shorter of freeze and TTL. No majority: what " +
		"nodes that restart independently of each other come to. Rates are the middle of their range."
	if a.Promise == "storage" {
		note += " A lock that expires can't go to 0 in storage that checks no token: some freeze is longer than any TTL, and may " +
			"hit after the last look at the deadline."
	}
	d.Note(note)
}

// others lists the other costs of settings.
func others(s *forecast.Advised) string {
	var all []string
	if s.Costs.Syncs {
		all = append(all, "a sync of each node's disk at acquire and release")
	}
	if slices.Contains(s.Set, "work.recheck=true") {
		all = append(all, "work that comes too late is given up")
	}
	if s.Fenced {
		all = append(all, "a source of tokens, and storage that checks them")
	}
	return wording.Dash(strings.Join(all, "; "))
}

// away writes how long there is no majority.
func away(v float64) string {
	if v < 0 {
		return "-"
	}
	return seconds(v) + " a year"
}

func seconds(v float64) string {
	switch {
	case v >= 2*3600:
		return amount(v/3600) + " h"
	case v < 1e-3:
		return "below 1 ms"
	case v < 1:
		return amount(v*1000) + " ms"
	}
	return amount(v) + " s"
}
