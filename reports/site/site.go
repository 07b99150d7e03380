package site

import (
	_ "embed" // for the style and the search
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/site/playground"
)

// A Site is what a folder of pages is made of. Each part can be missing.
type Site struct {
	Version   string         // of Lockstorm
	Address   string         // of the site; if it is not known, previews of links mostly lack their picture
	Engine    []byte         // of the playground: the simulator as WebAssembly, gzipped; nil for no playground
	Support   []byte         // Go's script that runs it
	Documents []reports.File // Markdown, and the pictures in it, by their names in the repository
	Debate    *reports.Document
}

// A page is a page of the site. Until turn changes them, its document's links are the links of its source.
type page struct {
	address string // from the root of the site, with slashes
	*reports.Document
}

// A builder makes the pages of a site.
type builder struct {
	Site
	pages []page
	files []reports.File // in addition to the pages
}

var (
	//go:embed site.css
	style string

	//go:embed front.js
	sticking string

	//go:embed internal/icon.svg
	icon string
)

// The files that all pages share, and those by which a site is known and searched.
const (
	sheetFile   = "style.css"
	iconFile    = "icon.svg"
	previewFile = "preview.png"
	indexFile   = "index.html"
	searchFile  = "search.html"
	listFile    = "pages.html"

	playgroundFile = "playground.html"
	debateFile     = "debate.html"
)

// Files returns all files of the site, sorted by name.
func (s Site) Files() ([]reports.File, error) {
	b := builder{Site: s}
	b.files = []reports.File{
		{Name: sheetFile, Content: []byte((&reports.Document{Style: style}).Sheet())},
		{Name: iconFile, Content: []byte(icon)},
		{Name: previewFile, Content: preview()},
	}
	if err := b.documents(); err != nil {
		return nil, err
	}
	if len(s.Engine) > 0 {
		i := slices.IndexFunc(s.Documents, func(f reports.File) bool { return f.Name == "scenarios/glossary.md" })
		var glossary []byte
		if i >= 0 {
			glossary = s.Documents[i].Content
		}
		d := playground.Page(s.Version, string(glossary))
		d.Frame = &reports.Frame{Allowed: playground.Scripts}
		b.add(playgroundFile, d)
		b.files = append(b.files, playground.Files(s.Version, s.Engine, s.Support)...)
	}
	if len(s.Documents) > 0 {
		b.references()
		b.front()
	}
	if s.Debate != nil {
		b.debate()
	}
	b.list()
	b.searching()
	return b.written()
}

// debate adds the page of the debate, with the numbers of all its figures and steps as files next to it.
func (b *builder) debate() {
	d := b.Debate
	first := max(slices.IndexFunc(d.Blocks, func(b reports.Block) bool { return b.Kind == "contents" }), 0)
	d.Blocks = slices.Insert(d.Blocks, first, b.numbers(&page{debateFile, d}, "debate")...)
	b.add(debateFile, d)
}

func (b *builder) add(address string, d *reports.Document) {
	b.pages = append(b.pages, page{address, d})
}

func (b *builder) file(name string, content []byte) {
	b.files = append(b.files, reports.File{Name: name, Content: content})
}

// kept reports whether a file of that name exists, other than the pages.
func (b *builder) kept(name string) bool {
	return slices.ContainsFunc(b.files, func(f reports.File) bool { return f.Name == name })
}

// has reports whether there is a page of an address.
func (b *builder) has(address string) bool {
	return slices.ContainsFunc(b.pages, func(p page) bool { return p.address == address })
}

// documents reads the Markdown among the documents, and keeps the other files as they are.
func (b *builder) documents() error {
	for _, f := range b.Documents {
		if path.Ext(f.Name) != ".md" {
			b.file(f.Name, f.Content)
			continue
		}
		d, err := parse(f.Name, f.Content)
		if err != nil {
			return err
		}
		d.Foot = "From " + f.Name + ", as of Lockstorm " + b.Version + "."
		p := page{addressOf(f.Name), d}
		b.turn(f.Name, d)
		b.sources(&p)
		contents(d)
		b.pages = append(b.pages, p)
	}
	return nil
}

// addressOf returns where the page of a document is. It is in no hidden folder: who uploads a site may leave those out.
func addressOf(name string) string {
	return strings.TrimPrefix(strings.TrimSuffix(name, ".md")+".html", ".")
}

// contents puts a list of its sections before a long document that has no such list.
func contents(d *reports.Document) {
	list := reports.Block{Kind: "contents"}
	for _, b := range d.Blocks {
		if b.Kind == "heading" {
			list.Links = append(list.Links, reports.Link{Text: plain(b.Words), To: "#" + b.ID})
		}
	}
	if len(list.Links) < 4 {
		return
	}
	first := slices.IndexFunc(d.Blocks, func(b reports.Block) bool { return b.Kind == "heading" })
	own := false
	eachWords(d.Blocks[:first], func(words []reports.Span) []reports.Span {
		own = own || slices.ContainsFunc(words, func(s reports.Span) bool { return strings.HasPrefix(s.Link, "#") })
		return words
	})
	if own {
		return
	}
	d.Blocks = slices.Insert(d.Blocks, first, list)
}

// written puts each page into its frame, and returns all files. Two files of one name are the mistake of the caller.
func (b *builder) written() ([]reports.File, error) {
	all := b.files
	for _, p := range b.pages {
		if err := b.grids(&p); err != nil {
			return nil, err
		}
		b.states(&p)
		b.frame(&p)
		all = append(all, reports.File{Name: p.address, Content: []byte(p.HTML())})
	}
	slices.SortFunc(all, func(a, b reports.File) int { return strings.Compare(a.Name, b.Name) })
	for i := range all[:max(len(all)-1, 0)] {
		if all[i].Name == all[i+1].Name {
			return nil, fmt.Errorf("two files of the site have the name %s", all[i].Name)
		}
	}
	return all, nil
}

// relative returns the address of a file for a page: the way up from it, and down again.
func relative(page, to string) string {
	up, down := strings.Split(path.Dir(page), "/"), strings.Split(to, "/")
	if up[0] == "." {
		up = nil
	}
	for len(up) > 0 && len(down) > 1 && up[0] == down[0] {
		up, down = up[1:], down[1:]
	}
	return strings.Repeat("../", len(up)) + strings.Join(down, "/")
}
