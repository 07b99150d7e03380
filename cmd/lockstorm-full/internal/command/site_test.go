package command

import (
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// A folder of pages as a reader meets it.
type walked struct {
	pages map[string]*walkedPage // by their names
	files map[string]bool
}

type walkedPage struct {
	title string
	ids   map[string]int
	links []string // where it leads, and what it loads
}

var (
	void    = regexp.MustCompile(`<(meta|link|img|input|br)\b([^>]*)>`)
	raw     = regexp.MustCompile(`(?s)<(style|script)([^>]*)>.*?</(style|script)>`)
	doctype = regexp.MustCompile(`(?i)^<!DOCTYPE html>`)
)

// readSite reads a site; a page that is not well-formed fails the test.
func readSite(t *testing.T, dir string) *walked {
	t.Helper()
	w := &walked{pages: map[string]*walkedPage{}, files: map[string]bool{}}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, file)
		name = filepath.ToSlash(name)
		w.files[name] = true
		if path.Ext(name) != ".html" {
			return nil
		}
		text, err := os.ReadFile(file)
		if err == nil {
			w.pages[name], err = readPage(string(text))
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			delete(w.pages, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// readPage reads a page as strictly as XML is read, once what HTML leaves open is closed.
func readPage(text string) (*walkedPage, error) {
	text = void.ReplaceAllString(raw.ReplaceAllString(doctype.ReplaceAllString(text, ""), "<$1$2></$1>"), "<$1$2/>")
	p := &walkedPage{ids: map[string]int{}}
	x := xml.NewDecoder(strings.NewReader(text))
	x.Entity = xml.HTMLEntity
	var open []string
	for {
		token, err := x.Token()
		if errors.Is(err, io.EOF) {
			return p, nil
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Name.Local)
			for _, a := range token.Attr {
				switch a.Name.Local {
				case "id":
					p.ids[a.Value]++
				case "href", "src", "action":
					if token.Name.Local != "use" {
						p.links = append(p.links, a.Value)
					}
				}
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if slices.Equal(open, []string{"html", "head", "title"}) {
				p.title += string(token)
			}
		}
	}
}

// wrong says what a reader would stumble over.
func (w *walked) wrong() (wrong []string) {
	reached := map[string]bool{"index.html": true}
	next := []string{"index.html"}
	for len(next) > 0 {
		name := next[0]
		next = next[1:]
		p := w.pages[name]
		if p == nil {
			continue
		}
		for _, link := range p.links {
			if strings.Contains(link, "://") || strings.HasPrefix(link, "data:") {
				continue
			}
			file, anchor, _ := strings.Cut(link, "#")
			to := name
			if file != "" {
				to = path.Join(path.Dir(name), file)
			}
			switch target := w.pages[to]; {
			case !w.files[to]:
				wrong = append(wrong, name+" leads to "+link+", which is not there")
			case anchor != "" && (target == nil || target.ids[anchor] == 0):
				wrong = append(wrong, name+" leads to "+link+", where no such anchor is")
			}
			if !reached[to] {
				reached[to] = true
				next = append(next, to)
			}
		}
	}
	for name, p := range w.pages {
		if title := strings.TrimSuffix(p.title, " · Lockstorm"); title == "" {
			wrong = append(wrong, name+" has no title")
		}
		for id, n := range p.ids {
			if n > 1 {
				wrong = append(wrong, name+" has several places called "+id)
			}
		}
	}
	for name := range w.files {
		if !reached[name] && name != siteFile && name != "preview.png" { // to which previews of links lead
			wrong = append(wrong, "no page leads to "+name)
		}
	}
	slices.Sort(wrong)
	return wrong
}

func madeSite(t *testing.T, args ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "site")
	mustRun(t, 0, append([]string{"site", dir, "-q"}, args...)...)
	return dir
}

func TestEveryLinkOfTheSiteHasATarget(t *testing.T) {
	w := readSite(t, madeSite(t, "--runs", "0", "--no-playground"))
	for _, msg := range w.wrong() {
		t.Error(msg)
	}
	for name := range w.files {
		if strings.Contains("/"+name, "/.") {
			t.Errorf("%s is hidden, and who uploads a site may leave it out", name)
		}
	}
	if len(w.pages) < 36 {
		t.Errorf("there are %d pages", len(w.pages))
	}
}

// The runs of a debate, from which the site makes each part of its page.
func TestDebatePageHasNoBrokenLinks(t *testing.T) {
	need.Long(t) // the debate has many runs
	dir := filepath.Join(t.TempDir(), "site")
	lockstorm("site", dir, "--runs", "3", "--no-playground", "--quiet") // so few runs may contradict the text
	w := readSite(t, dir)
	for _, msg := range w.wrong() {
		t.Error(msg)
	}
	if w.pages["debate.html"] == nil {
		t.Error("there is no page of the debate")
	}
}

// The same flags yield the same bytes with any number of workers, and a second site in the same place leaves nothing
// of the first.
func TestSameSiteHasTheSameBytes(t *testing.T) {
	flags := []string{"--runs", "0", "--no-playground"}
	a, b := madeSite(t, append(flags, "--workers", "1")...), madeSite(t, flags...)
	mustRun(t, 0, append([]string{"site", b, "-q"}, flags...)...)
	ours, theirs := tree(t, a), tree(t, b)
	if len(ours) < 100 || len(ours) != len(theirs) {
		t.Errorf("%d files, and %d in the place of another site", len(ours), len(theirs))
	}
	for name, text := range ours {
		if theirs[name] != text {
			t.Errorf("%s differs", name)
		}
	}
}

// tree returns the files below a directory.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all[strings.TrimPrefix(file, dir)] = fileText(t, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSiteOverwritesNothingElse(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.Mkdir(at("full"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"file", "full/thesis.txt"} {
		if err := os.WriteFile(at(name), []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		says string
		args []string
	}{
		{"lockstorm site takes one DIR, not 0; name the output directory, such as public", nil},
		{"file is a file; name a directory, which is created if needed", []string{at("file")}},
		{"full holds more than a site; name an empty directory, or add --force", []string{at("full")}},
		{"--sources: nowhere has no go.mod of github.com/lockstorm/lockstorm", []string{at("new"), "--sources", "nowhere"}},
		{"--runs: -1 is not positive", []string{at("new"), "--runs", "-1"}},
		{"below can't be written: ", []string{at("file/below"), "--runs", "0", "--no-playground"}},
	} {
		out, errs, code := lockstorm(append([]string{"site"}, c.args...)...)
		if code != cli.BadInput || !strings.Contains(errs, c.says) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: exit %d\n%s%swant %s", c.args, code, out, errs, c.says)
		}
	}
	if _, err := os.Stat(at("new")); err == nil {
		t.Error("a command that was refused has begun a site")
	}
	mustRun(t, 0, "site", at("full"), "--force", "--runs", "0", "--no-playground", "-q")
	if fileText(t, at("full/thesis.txt")) != "mine" {
		t.Error("what was there is gone")
	}
	mustRun(t, 0, "site", at("full"), "--runs", "0", "--no-playground", "-q") // now it is a site
}

// The list in a site may come from a stranger: it can remove files within the site only.
func TestSiteRemovesOnlyItsFiles(t *testing.T) {
	dir := t.TempDir()
	site := filepath.Join(dir, "site")
	for _, name := range []string{"mine", "site/old", "site/new", "site/below/mine", "site/empty/was"} {
		if err := store.Write(filepath.Join(dir, name), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(dir, filepath.Join(site, "out")); err != nil {
		need.Possible(t, "no link is left alone", err)
	}
	if err := os.Remove(filepath.Join(site, "empty", "was")); err != nil {
		t.Fatal(err)
	}
	old := folder{Files: []string{"old", "new", "below", "empty", "out", "out/mine", "../mine", filepath.Join(dir, "mine"), "gone"}}
	if err := putSite(site, old, []reports.File{{Name: "new", Content: []byte("new")}}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"mine": true, "site/old": false, "site/new": true, "site/below/mine": true, "site/empty": true, "site/out": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: %v, and it should be there: %t", name, err, want)
		}
	}
}
