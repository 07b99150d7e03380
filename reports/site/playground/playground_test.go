package playground_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/site/playground"
)

// ours are the scripts and styles of the playground and the site that were written by hand: all but what build.sh
// makes.
func ours(t *testing.T) (all []string) {
	for _, pattern := range []string{"*.js", "*.css", "files/*.js", "editor/*.mjs", "../*.js", "../*.css"} {
		names, err := filepath.Glob(pattern)
		if err != nil || names == nil {
			t.Fatalf("%s: %q, %v", pattern, names, err)
		}
		all = append(all, names...)
	}
	return slices.DeleteFunc(all, func(name string) bool { return name == "files/editor.js" })
}

func TestScriptsAndStylesHaveAtMost1500Lines(t *testing.T) {
	lines := 0
	for _, name := range ours(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		n := bytes.Count(text, []byte("\n"))
		t.Logf("%4d %s", n, name)
		lines += n
		for i, line := range strings.Split(string(text), "\n") {
			if len(line) > 130 && filepath.Ext(name) != ".css" {
				t.Errorf("%s:%d has %d columns: lines that are this long are two", name, i+1, len(line))
			}
		}
	}
	if t.Logf("%4d in all", lines); lines > 1500 {
		t.Errorf("there are %d lines of scripts and styles; at most 1,500 are wanted", lines)
	}
}

// Nothing of the page sets markup from text, or makes code of it.
func TestScriptsNeverTurnTextIntoMarkupOrCode(t *testing.T) {
	wrong := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|\beval\b|new Function|javascript:`)
	for _, name := range ours(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if found := wrong.Find(text); found != nil {
			t.Errorf("%s has %s: set texts as text, and read pictures with picture of dom.js", name, found)
		}
	}
}

func TestThePageShowsARunWithoutScripts(t *testing.T) {
	page := playground.Page("1.2.3", glossary(t)).HTML()
	for _, want := range []string{`<strong>An update was lost.</strong></span> c1 overwrites an update of c2`, `<li>No lost update <span class="violated">violated</span></li>`,
		"<svg ", `data-window="`, `lockstorm run <span class="word">kleppmann/gc-pause</span> <span class="word">--seed</span> 1`, "this browser runs none", "Lockstorm 1.2.3."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	source, err := os.ReadFile("page.html")
	if err != nil {
		t.Fatal(err)
	}
	if explained, terms := strings.Count(page, `class="term"`), strings.Count(string(source), "[["); explained != terms || terms < 8 {
		t.Errorf("of %d terms, the glossary explains %d", terms, explained)
	}
	if left := regexp.MustCompile(`{{\w*}}|\[\[.*?\]\]`).FindString(page); left != "" {
		t.Errorf("%s is not filled in", left)
	}
	if playground.Page("1.2.3", glossary(t)).HTML() != page {
		t.Error("the page is another one each time")
	}
}

func TestPageLoadsOnlyItsFiles(t *testing.T) {
	names := map[string]bool{}
	for _, f := range playground.Files("1.2.3", []byte("engine"), []byte("exec")) {
		if len(f.Content) == 0 {
			t.Errorf("%s is empty", f.Name)
		}
		names[f.Name] = true
	}
	for _, name := range ours(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?:from|import\(|URL\() ?"(\.?[^",]+\.js|[^",]+\.gz)"`).FindAllSubmatch(text, -1) {
			from := playground.Folder
			if filepath.Dir(name) == "." {
				from = "."
			}
			if to := filepath.ToSlash(filepath.Join(from, string(m[1]))); filepath.Dir(name) != "editor" && !names[to] {
				t.Errorf("%s loads %s, which is not among the files", name, to)
			}
		}
	}
}

// The editor is made from packages at exact versions, whose bytes the lock file fixes, and each has its licence next
// to it.
func TestTheEditorIsPinnedAndLicensed(t *testing.T) {
	var lock struct {
		Packages map[string]struct {
			Version, Resolved, Integrity string
			Dev, Optional                bool
			Dependencies                 map[string]string
		}
	}
	text, err := os.ReadFile("editor/package-lock.json")
	if err == nil {
		err = json.Unmarshal(text, &lock)
	}
	licences, more := os.ReadFile("files/editor.licences.txt")
	if err != nil || more != nil {
		t.Fatal(err, more)
	}
	for name, p := range lock.Packages {
		if name == "" {
			for of, version := range p.Dependencies {
				if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(version) {
					t.Errorf("%s is wanted as %q, and not at one version", of, version)
				}
			}
			continue
		}
		if p.Integrity == "" || p.Resolved != "" {
			t.Errorf("%s: the lock should have its hash, and no address", name)
		}
		if title := strings.TrimPrefix(name, "node_modules/") + " " + p.Version; !p.Dev && !strings.Contains(string(licences), "\n"+title+"\n\n") {
			t.Errorf("there is no licence of %s", title)
		}
	}
	if len(lock.Packages) < 15 {
		t.Errorf("the lock has %d packages", len(lock.Packages))
	}
}

// On a page, markup is written as it is; other formats leave it out.
func TestMarkupIsOnlyInPages(t *testing.T) {
	d := playground.Page("1.2.3", glossary(t))
	if text := d.Text(reports.Screen{}) + d.Markdown(); strings.Contains(text, "<") {
		t.Errorf("as text it is %q", text)
	}
}
