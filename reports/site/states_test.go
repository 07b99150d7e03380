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
