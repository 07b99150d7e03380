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
		if !reached[name] && name != siteFile {
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

func TestEveryLinkOfTheSiteLeadsSomewhere(t *testing.T) {
	w := readSite(t, madeSite(t, "--runs", "0", "--no-playground"))
	for _, msg := range w.wrong() {
		t.Error(msg)
	}
	if len(w.pages) < 36 {
		t.Errorf("there are %d pages", len(w.pages))
	}
}
