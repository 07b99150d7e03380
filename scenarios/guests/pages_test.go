package guests_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
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

// The tables of the pages are what testdata says: with -update they are written anew.
func TestPagesShowWhatWasMeasured(t *testing.T) {
	for page, names := range pages {
		var on []*guests.Library
		for i := range guests.Libraries {
			if l := &guests.Libraries[i]; slices.Contains(names, l.Name) {
				on = append(on, l)
			}
		}
		tables := map[string]string{"measured": measuredTable(t, on), "verdicts": verdictTable(t, on), "searches": searchTable(t, on)}
		if long || *update { // each new scenario of the catalogue changes it
			tables["excluded"] = excludedList(on)
		}
		checkPage(t, page, tables)
	}
	checkPage(t, "README.md", map[string]string{
		"libraries": libraryTable(t), "faults": faultTable(t), "configurations": configurationTable(t),
	})
}

// checkPage compares each table of a page with what it should be, or writes it. A table stands between <!-- name --> and <!-- end -->.
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

// titles returns the heads of the columns of libraries, after a first one.
func titles(first string, on []*guests.Library) (all []string) {
	all = []string{first}
	for _, l := range on {
		all = append(all, l.Title)
	}
	return all
}

// of says what breaks in how many of so many runs.
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

// measuredTable says which versions were measured, how far they repeat, and how fast they run.
func measuredTable(t *testing.T, on []*guests.Library) string {
	s := head("", "modules", "one run, down to the last message", "the same verdicts", "cycles a second here", "in a bare bubble", "ratio")
	for _, l := range on {
		m := load(t, l)
		s += row(l.Title, strings.Join(m.Versions, ", "), fmt.Sprintf("%d of %d universes", m.Repeats.Alike, m.Repeats.Universes),
			fmt.Sprintf("%d of %d", m.Repeats.Verdicts, m.Repeats.Universes),
			fmt.Sprintf("%.0f", m.Speed.Here), fmt.Sprintf("%.0f", m.Speed.Bare), fmt.Sprintf("%.2f", m.Speed.ratio()))
	}
	return s
}

// verdictTable says what breaks in each scenario, and what our own lock breaks there with as many seeds.
func verdictTable(t *testing.T, on []*guests.Library) string {
	s := head(append(titles("scenario", on), "our own "+on[0].Kind.String())...)
	for _, id := range scenarios.IDs() {
		cells, ours := []string{id}, ""
		for _, l := range on {
			all := load(t, l).Verdicts
			i := slices.IndexFunc(all, func(v verdicts) bool { return v.Scenario == id })
			if i < 0 {
				cells = append(cells, "")
				continue
			}
			v := all[i]
			cells, ours = append(cells, v.cell()), cmp.Or(ours, v.Reference.of(v.Seeds))
		}
		if ours != "" {
			s += row(append(cells, ours)...)
		}
	}
	return s
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

// searchTable says what searches found, with the first universe for each promise.
func searchTable(t *testing.T, on []*guests.Library) string {
	s := head("", "what may go wrong", "breaks", "our own lock", "least schedule")
	for _, l := range on {
		for _, f := range load(t, l).Fuzz {
			finds := ""
			for _, d := range f.Finds {
				finds += fmt.Sprintf("%s, seed %d, %d of 3: `%s`<br>", d.Promise, d.Seed, d.Repeats, strings.ReplaceAll(strings.Join(d.Faults, "; "), "|", `\|`))
			}
			s += row(l.Title, strings.Join(f.Faults, ", "), f.Broken.of(f.Universes), f.Reference.of(f.Universes), strings.TrimSuffix(finds, "<br>"))
		}
	}
	return s
}

// excludedList says which scenarios the libraries of a page are not in, by the reason.
func excludedList(on []*guests.Library) (s string) {
	all := excluded(on[0])
	for _, why := range slices.Sorted(maps.Keys(all)) {
		s += fmt.Sprintf("- %s: %d (%s)\n", why, len(all[why]), list(all[why]))
	}
	return s
}

// list names scenarios, by their sources where there are many.
func list(ids []string) string {
	if len(ids) <= 12 {
		return strings.Join(ids, ", ")
	}
	var sources []string
	for _, id := range ids {
		source, _, _ := strings.Cut(id, "/")
		sources = append(sources, source+"/*")
	}
	return strings.Join(slices.Compact(sources), ", ")
}

// libraryTable is the list of all libraries.
func libraryTable(t *testing.T) string {
	s := head("library", "kind", "as", "modules", "lock of", "scenarios", "seeds of each", "universes", "page")
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
		on := map[scenarios.Kind]string{scenarios.Redlock: "several nodes", scenarios.Single: "one node"}[l.Kind]
		s += row(l.Title, "`"+l.Name+"`", l.As, strings.Join(m.Versions, ", "), on, fmt.Sprint(len(m.Verdicts)), between(seeds), fmt.Sprint(searched), pageOf(l))
	}
	return s
}

// between gives the least and the most of some numbers.
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
			return "[" + page + "](" + page + ")"
		}
	}
	return ""
}

// faultTable says for each library which promises break in a search, by what may go wrong.
func faultTable(t *testing.T) string {
	s := head("kind", "delay, loss, partition, pause, crash", "our own lock, in the same universes", "restarts, clocks and suspended nodes too")
	for i := range guests.Libraries {
		l := &guests.Libraries[i]
		cells := []string{"`" + l.Name + "`"}
		if len(load(t, l).Fuzz) == 0 {
			continue
		}
		for j, f := range load(t, l).Fuzz {
			cell := f.Broken.of(f.Universes)
			if j == 0 && !slices.Equal(f.Faults, survivable) {
				cell += ", under " + strings.Join(f.Faults, ", ")
			}
			if cells = append(cells, cell); j == 0 {
				cells = append(cells, f.Reference.of(f.Universes))
			}
		}
		s += row(cells...)
	}
	return s
}

// configurationTable says what each configuration breaks, and hangs in, that our own lock keeps in as many runs of the scenario, and
// what more breaks, or less, when a run begins warm.
func configurationTable(t *testing.T) string {
	s := head("kind", "breaks what our own lock keeps, in how many scenarios", "hangs in", "unknown in", "warm")
	for i := range guests.Libraries {
		l := &guests.Libraries[i]
		beyond, hangs, unknown, warm, tried := map[string]int{}, 0, 0, []string{}, 0
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
			if tried += v.WarmSeeds; v.WarmSeeds > 0 && !sameKinds(v.Broken, v.Warm) {
				warm = append(warm, fmt.Sprintf("%s: %s", v.Scenario, v.Warm.of(v.WarmSeeds)))
			}
		}
		s += row("`"+l.Name+"`", inScenarios(beyond), fmt.Sprint(hangs), fmt.Sprint(unknown), inWarm(warm, tried))
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

// inWarm says what differs.
func inWarm(differ []string, tried int) string {
	switch {
	case tried == 0:
		return "not tried"
	case len(differ) > 6:
		return strings.Join(differ[:6], "<br>") + fmt.Sprintf("<br>and %d more", len(differ)-6)
	}
	return cmp.Or(strings.Join(differ, "<br>"), "the same")
}

// What was measured was measured with the versions that go.mod has.
func TestWhatWasMeasuredAreTheVersionsOfGoMod(t *testing.T) {
	each(t, func(t *testing.T, l *guests.Library) {
		if was, is := loadLive(t, l.Name).Versions, versions(t, l); l.Wire == nil && !slices.Equal(was, is) {
			t.Errorf("run live: %s; go.mod: %s; run it anew, as README.md says", was, is)
		}
		if was, is := load(t, l).Versions, versions(t, l); len(is) != len(l.Modules) || !slices.Equal(was, is) {
			t.Errorf("measured: %s; go.mod: %s; measure it anew, as README.md says", was, is)
		}
	})
}
