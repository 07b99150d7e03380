package site

import (
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/site/play"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Each scenario and run that the pages name opens in the playground, and breaks there what the catalogue says.
func TestNamedRunsOpenInThePlayground(t *testing.T) {
	var all []reports.File
	err := filepath.WalkDir("../..", func(name string, e fs.DirEntry, err error) error {
		short := strings.TrimPrefix(filepath.ToSlash(name), "../../")
		if err == nil && filepath.Ext(name) == ".md" && !strings.Contains(short, "testdata") && short[0] != '.' {
			var text []byte
			if text, err = os.ReadFile(name); err == nil {
				all = append(all, reports.File{Name: short, Content: text})
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`playground\.html#(run=[^"]+)"`)
	seen := map[string]bool{}
	pages := made(t, Site{Documents: all, Engine: []byte("e"), Support: []byte("s")})
	for name, content := range pages { // order: they are independent
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, m := range links.FindAllStringSubmatch(content, -1) {
			seen[strings.ReplaceAll(m[1], "&amp;", "&")] = true
		}
	}
	if len(seen) < 40 {
		t.Errorf("only %d states are linked", len(seen))
	}
	for link := range seen { // order: independent
		q, err := url.ParseQuery(link)
		if err != nil {
			t.Error(err)
			continue
		}
		seed, _ := strconv.Atoi(q.Get("seed"))
		setup := map[string]any{"scenario": q.Get("run"), "seed": seed, "set": q["set"]}
		asked, err := json.Marshal(map[string]any{"setup": setup})
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Broken   []string
			Problems []struct{ Message string }
		}
		p := play.Program{Version: "1"}
		if err := json.Unmarshal(p.Call("run", asked), &got); err != nil || len(got.Problems) > 0 {
			t.Errorf("%s: %v %v", link, err, got.Problems)
			continue
		}
		s, _ := scenarios.Find(q.Get("run"))
		for _, x := range checker.Properties {
			if breaks := slices.Contains(got.Broken, x.Name); len(q["set"]) == 0 && !s.Search.Drawn() &&
				breaks != (s.Expected(x.Name) == checker.Violated) {
				t.Errorf("%s: %s breaks in the playground: %t", link, x.Name, breaks)
			}
		}
	}
	t.Logf("%d states", len(seen))
}

// A cell of a grid opens a run that breaks the promise that its title names.
func TestTilesOpenRunsThatBreakThePromise(t *testing.T) {
	var all []reports.File
	for _, name := range []string{"matrix.md", "matrix.csv", "explore/theorem.md"} {
		name = "scenarios/campaign/" + name
		text, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, reports.File{Name: name, Content: text})
	}
	pages := made(t, Site{Documents: all, Engine: []byte("e"), Support: []byte("s")})
	tiles := regexp.MustCompile(`title="[^"]*“([^”]*)”"><a href="[^"#]*#([^"]+)"`)
	p, opened := play.Program{Version: "1"}, 0
	for name, least := range map[string]int{"matrix.html": 200, "explore/theorem.html": 100} {
		name = "scenarios/campaign/" + name
		found := tiles.FindAllStringSubmatch(pages[name], -1)
		if len(found) < least || !strings.Contains(pages[name], "As a table</summary>\n<div") {
			t.Errorf("%s: only %d cells open a run, or its table is not there", name, len(found))
		}
		if number := regexp.MustCompile(`>[0-9.]+e[+-][0-9]+<`).FindString(pages[name]); number != "" {
			t.Errorf("%s: a cell has %s, which is no number for people", name, number)
		}
		for i := 0; i < len(found); i += 7 {
			q, err := url.ParseQuery(strings.ReplaceAll(found[i][2], "&amp;", "&"))
			if err != nil {
				t.Fatal(err)
			}
			seed, _ := strconv.Atoi(q.Get("seed"))
			setup := map[string]any{"scenario": q.Get("run"), "seed": seed, "set": q["set"]}
			if q.Has("schedule") {
				setup["schedule"] = q.Get("schedule") + "\n"
			}
			asked, _ := json.Marshal(map[string]any{"setup": setup})
			answer := p.Call("run", asked)
			var got struct{ Broken []string }
			if err := json.Unmarshal(answer, &got); err != nil {
				t.Fatal(err)
			}
			breaks := slices.ContainsFunc(got.Broken, func(b string) bool {
				x, _ := checker.Lookup(b)
				return x.Plain == found[i][1]
			})
			if opened++; !breaks {
				t.Errorf("%s: %s breaks %q, and not %s; %.300s", name, found[i][2], got.Broken, found[i][1], answer)
			}
		}
		t.Logf("%s: %d cells open a run", name, len(found))
	}
	t.Logf("%d opened", opened)
}
