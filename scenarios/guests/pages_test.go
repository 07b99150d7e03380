package guests_test

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios/guests"
)

// pages are the pages of libraries, each with the libraries that it is about.
var pages = map[string][]string{
	"redsync.md":     {"redsync", "redsync-redigo", "redsync-rueidis"},
	"redislock.md":   {"redislock"},
	"rueidislock.md": {"rueidislock", "rueidis"},
	"gocron.md":      {"gocron"},
	"asynq.md":       {"asynq"},
}

// The tables of the page and the CSV files next to it are what testdata says: with -update they are written again.
func TestPagesShowWhatWasMeasured(t *testing.T) {
	checkPage(t, "libraries.md", map[string]string{"libraries": libraryTable(t), "configurations": configurationTable(t)})
	checkCSV(t, "measured.csv", measuredRows(t))
	checkCSV(t, "verdicts.csv", verdictRows(t))
	checkCSV(t, "searches.csv", searchRows(t))
}

// checkCSV compares a CSV file with what it should be, or writes it.
func checkCSV(t *testing.T, file string, rows [][]string) {
	t.Helper()
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if is, err := os.ReadFile(file); err != nil || string(is) != b.String() {
		t.Errorf("%v: %s is not what testdata says: go test -run 'PagesShow|PageShows' -update", err, file)
	}
}

// checkPage compares each table of a page with the expected one, or writes it. A table sits between <!-- name --> and
// <!-- end -->.
func checkPage(t *testing.T, page string, tables map[string]string) {
	t.Helper()
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	is := string(b)
	for name, table := range tables {
		before, rest, ok := strings.Cut(is, "<!-- "+name+" -->\n")
		_, after, closed := strings.Cut(rest, "<!-- end -->\n")
		if !ok || !closed {
			t.Fatalf("%s has no place for the table %s: a line <!-- %s -->, and a line <!-- end -->", page, name, name)
		}
		is = before + "<!-- " + name + " -->\n" + table + "<!-- end -->\n" + after
	}
	switch {
	case is == string(b):
	case *update:
		if err := os.WriteFile(page, []byte(is), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s does not show what testdata says: go test -run PagesShow -update", page)
	}
}

// row is a row of a table.
func row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

// head is the head of a table.
func head(cells ...string) string {
	return row(cells...) + strings.Repeat("| --- ", len(cells)) + "|\n"
}

// of says what breaks, and in how many of the runs.
func (c counts) of(runs int) string {
	var all []string
	for _, p := range checker.Properties {
		if n := c[p.Name]; n > 0 {
			all = append(all, p.Name+" "+fmt.Sprint(n))
		}
	}
	for _, other := range []string{"hangs", "unknown"} {
		if n := c[other]; n > 0 {
			all = append(all, fmt.Sprintf("%s %d", other, n))
		}
	}
	if len(all) == 0 {
		all = []string{"nothing"}
	}
	return strings.Join(all, ", ") + " of " + fmt.Sprint(runs)
}

// measuredRows returns a row for each library: its versions, how many runs there were, how far they repeat, and how fast they run.
func measuredRows(t *testing.T) [][]string {
	rows := [][]string{{"kind", "modules", "scenarios", "seeds of each", "universes", "universes tried for repeats", "alike to the last message",
		"the same verdicts", "cycles a second", "in a bare bubble"}}
	for i := range guests.Libraries {
		l := &guests.Libraries[i]
		m, searched := load(t, l), 0
		var seeds []int
		for _, v := range m.Verdicts {
			seeds = append(seeds, v.Seeds)
		}
		for _, f := range m.Fuzz {
			searched += f.Universes
		}
		rows = append(rows, []string{l.Name, strings.Join(m.Versions, ", "), fmt.Sprint(len(m.Verdicts)), between(seeds), fmt.Sprint(searched),
			fmt.Sprint(m.Repeats.Universes), fmt.Sprint(m.Repeats.Alike), fmt.Sprint(m.Repeats.Verdicts), fmt.Sprintf("%.0f", m.Speed.Here),
			fmt.Sprintf("%.0f", m.Speed.Bare)})
	}
	return rows
}

// verdictRows returns a row for each library and scenario: what breaks, what our own lock breaks there with as many
// seeds, and what breaks when runs begin warm.
func verdictRows(t *testing.T) [][]string {
	rows := [][]string{{"kind", "scenario", "breaks", "our own lock breaks", "breaks if warm"}}
	for i := range guests.Libraries {
		l := &guests.Libraries[i]
		for _, v := range load(t, l).Verdicts {
			warm := ""
			if v.WarmSeeds > 0 {
				warm = v.Warm.of(v.WarmSeeds)
			}
			rows = append(rows, []string{l.Name, v.Scenario, v.cell(), v.Reference.of(v.Seeds), warm})
		}
	}
	return rows
}

// cell says what broke. Where nothing did, and in every run something was missing that the scenario needs, it proves nothing.
func (v *verdicts) cell() string {
	missing, never := "", false
	for _, p := range slices.Sorted(maps.Keys(v.Empty)) {
		missing += fmt.Sprintf("; no %s in %d", p, v.Empty[p])
		never = never || v.Empty[p] == v.Seeds
	}
	if never && len(v.Broken) == 0 {
		return fmt.Sprintf("proves nothing: no %s in %d", slices.Sorted(maps.Keys(v.Empty))[0], v.Seeds)
	}
	return v.Broken.of(v.Seeds) + missing
}

// searchRows returns a row for each library and set of faults: what breaks, and the first universe for each promise.
func searchRows(t *testing.T) [][]string {
	rows := [][]string{{"kind", "what may go wrong", "breaks", "our own lock breaks", "shortest schedules"}}
	for i := range guests.Libraries {
		l := &guests.Libraries[i]
		for _, f := range load(t, l).Fuzz {
			var finds []string
			for _, d := range f.Finds {
				finds = append(finds, fmt.Sprintf("%s, seed %d, %d of 3: %s", d.Promise, d.Seed, d.Repeats, strings.Join(d.Faults, "; ")))
			}
			rows = append(rows, []string{l.Name, strings.Join(f.Faults, ", "), f.Broken.of(f.Universes), f.Reference.of(f.Universes),
				strings.Join(finds, "\n")})
		}
	}
	return rows
}

// libraryTable is the list of all libraries.
func libraryTable(t *testing.T) string {
	s, before := head("library", "kind", "configuration"), ""
	for i := range guests.Libraries {
		l := &guests.Libraries[i]
		title := l.Title
		if page := pageOf(l); page != "" {
			title = "[" + title + "](" + page + ")"
		}
		if before == l.Title {
			title = ""
		}
		before = l.Title
		s += row(title, "`"+l.Name+"`", l.As)
	}
	return s
}

// between returns the minimum and maximum of some numbers, as text.
func between(all []int) string {
	least, most := slices.Min(all), slices.Max(all)
	if least == most {
		return fmt.Sprint(most)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

func pageOf(l *guests.Library) string {
	for page, names := range pages {
		same := func(name string) bool { return l.Name == name || strings.HasPrefix(l.Name, name+"-") }
		if slices.ContainsFunc(names, same) {
			return page
		}
	}
	return ""
}

// configurationTable says what each configuration breaks that our own lock keeps in as many runs of the scenario, in
// how many scenarios calls hang or the verdict is unknown, and in how many other promises break when a run begins warm.
func configurationTable(t *testing.T) string {
	s := head("kind", "breaks what our own lock keeps, in how many scenarios", "hangs in", "unknown in", "warm differs in")
	for i := range guests.Libraries {
		l := &guests.Libraries[i]
		beyond, hangs, unknown, warm := map[string]int{}, 0, 0, 0
		for _, v := range load(t, l).Verdicts {
			for p, n := range v.Broken {
				switch {
				case p == "hangs":
					hangs++
				case p == "unknown":
					unknown++
				case n > 0 && v.Reference[p] == 0:
					beyond[p]++
				}
			}
			if v.WarmSeeds > 0 && !sameKinds(v.Broken, v.Warm) {
				warm++
			}
		}
		s += row("`"+l.Name+"`", inScenarios(beyond), fmt.Sprint(hangs), fmt.Sprint(unknown), fmt.Sprint(warm))
	}
	return s
}

// sameKinds reports whether the same promises broke in some runs.
func sameKinds(a, b counts) bool {
	broke := func(c counts) []string {
		return slices.DeleteFunc(slices.Sorted(maps.Keys(c)), func(p string) bool { return c[p] == 0 })
	}
	return slices.Equal(broke(a), broke(b))
}

func inScenarios(n map[string]int) string {
	var all []string
	for _, p := range slices.Sorted(maps.Keys(n)) {
		all = append(all, fmt.Sprintf("%s %d", p, n[p]))
	}
	return cmp.Or(strings.Join(all, ", "), "nothing")
}

// What was measured was measured with the versions that go.mod has.
func TestMeasuredVersionsMatchGoMod(t *testing.T) {
	each(t, func(t *testing.T, l *guests.Library) {
		if was, is := loadLive(t, l.Name).Versions, versions(t, l); l.Wire == nil && !slices.Equal(was, is) {
			t.Errorf("run live: %s; go.mod: %s; run it anew, as libraries.md says", was, is)
		}
		if was, is := load(t, l).Versions, versions(t, l); len(is) != len(l.Modules) || !slices.Equal(was, is) {
			t.Errorf("measured: %s; go.mod: %s; measure it anew, as libraries.md says", was, is)
		}
	})
}
