package site

import (
	"fmt"
	"path"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/reports/site/internal/browse"
	"github.com/lockstorm/lockstorm/reports/site/serve"
)

// storesTitle is the title of the first page of a site that has stores alone.
const storesTitle = "Runs and campaigns"

const suitesHead = "Your suites"

// stores adds what stores hold, each in a folder of its own.
func (b *builder) stores() error {
	b.rooms = b.named()
	for i, s := range b.Stores {
		still, err := serve.StillOf(s)
		if err != nil {
			return err
		}
		b.still(b.rooms[i].To, still)
	}
	return nil
}

// ownFront adds the first page of a site that has stores and suites alone. It says what came of each suite.
func (b *builder) ownFront() {
	d := &reports.Document{Title: storesTitle, Foot: "Made by Lockstorm " + b.Version + "."}
	for _, shelf := range b.shelves() {
		list := reports.Block{Kind: "bullets"}
		for i, l := range shelf.Links {
			words := []reports.Span{{Text: l.Text, Link: l.To}}
			if shelf.Head == suitesHead {
				words = append(words, reports.Span{Text: ": " + b.Suites[i].Document().Summary})
			}
			list.Blocks = append(list.Blocks, reports.Block{Words: words})
		}
		if len(list.Blocks) > 0 {
			d.Heading(shelf.Head)
			d.Add(list)
		}
	}
	b.add(indexFile, d)
}

// named returns a name and the folder of each store: that of its directory, and a number where two have the same.
func (b *builder) named() (rooms []reports.Link) {
	taken := map[string]int{}
	for _, s := range b.Stores {
		rooms = append(rooms, named("stores/", s.Name(), taken))
	}
	return rooms
}

// named returns the last word of a path, and a place for it in a folder of the site; a number is added where that is taken.
func named(folder, name string, taken map[string]int) reports.Link {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	place := lettered(name)
	if taken[place]++; taken[place] > 1 {
		place = fmt.Sprintf("%s~%d", place, taken[place])
	}
	return reports.Link{Text: wording.Plain(name), To: folder + place}
}

// shelves returns the stores and the suites for the menu.
func (b *builder) shelves() []reports.Shelf {
	stores := reports.Shelf{Head: "Your stores"}
	for _, r := range b.rooms {
		stores.Links = append(stores.Links, reports.Link{Text: r.Text, To: r.To + "/" + indexFile})
	}
	return []reports.Shelf{stores, {Head: suitesHead, Links: b.tests}}
}

// still adds one store: its pages, whose links lead from address to address, and its files.
func (b *builder) still(room string, s *serve.Still) {
	to := map[string]string{} // files of the site by the addresses that a server has
	for _, p := range s.Pages {
		to[p.Address] = room + "/" + stillFile(p.Address)
	}
	for _, f := range s.Files {
		name := room + "/" + stillFile(f.Name)
		to[f.Name] = name
		if path.Ext(f.Name) == ".html" { // anybody may have written it
			place := browse.Unescape(path.Dir(strings.TrimPrefix(f.Name, "/files/")))
			d := &reports.Document{Title: path.Base(name) + " of " + wording.Plain(place), Class: "boxed"}
			d.Frame = &reports.Frame{Allowed: runs.Scripts(), Inline: true}
			d.Frame.Up = reports.Link{Text: "All runs and campaigns", To: relative(name, room+"/"+indexFile)}
			d.Add(reports.Block{Kind: "boxed", Words: reports.Words(string(f.Content)), Label: "The report, as it was kept"})
			b.add(name, d)
			continue
		}
		b.file(name, f.Content)
	}
	for command, address := range s.Runs { // order: each command has a place of its own
		if b.runs[command] == "" {
			b.runs[command] = to[address]
		}
	}
	for _, p := range s.Pages {
		own := to[p.Address]
		p.Foot = "Made by Lockstorm " + b.Version + "."
		p.Blocks = withoutForms(p.Blocks)
		turned := func(address string) string {
			if file, there := to[address]; there {
				return relative(own, file)
			}
			if strings.HasPrefix(address, "/timeline/") {
				return relative(own, room+"/"+stillFile(address))
			}
			return ""
		}
		p.Frame.Up.To = turned(p.Frame.Up.To)
		turnAddresses(p.Blocks, turned)
		b.add(own, p.Document)
	}
}

// turnAddresses turns the addresses in blocks; words that lead nowhere lead nowhere, and buttons of the kind go.
func turnAddresses(blocks []reports.Block, turned func(string) string) {
	eachWords(blocks, func(words []reports.Span) (left []reports.Span) {
		for _, s := range words {
			if s.Look == "markup" { // a box to tick
				continue
			}
			if was := s.Link; was != "" {
				if s.Link = turned(was); s.Link == "" && s.Class == "button" {
					continue
				}
			}
			left = append(left, s)
		}
		return left
	})
	eachBlock(blocks, func(b *reports.Block) {
		if b.Kind == "picture" && b.Source != "" {
			b.Source = turned(b.Source)
		}
		if b.Table == nil {
			return
		}
		for _, row := range b.Table.Rows {
			for c := range row {
				if link := turned(row[c].Link); path.Ext(link) != ".svg" { // on its own, it could run scripts of others
					row[c].Link = link
				} else {
					row[c].Link = ""
				}
			}
		}
	})
}

// withoutForms returns blocks with the tables of forms in place of the forms.
func withoutForms(blocks []reports.Block) (left []reports.Block) {
	for _, b := range blocks {
		if b.Class != browse.FormClass {
			left = append(left, b)
			continue
		}
		for _, x := range b.Blocks {
			if x.Kind == "rows" {
				left = append(left, x)
			}
		}
	}
	return left
}

// stillFile returns the file for an address of the server. Its letters are safe in an address, on any disk and in an archive.
func stillFile(address string) string {
	switch {
	case address == "/":
		return indexFile
	case strings.HasPrefix(address, "/?page="):
		return "runs-" + lettered(strings.TrimPrefix(address, "/?page=")) + ".html"
	}
	room, place, _ := strings.Cut(strings.TrimPrefix(address, "/"), "/")
	var words []string
	for word := range strings.SplitSeq(place, "/") {
		words = append(words, lettered(browse.Unescape(word)))
	}
	place = strings.Join(words, "/")
	if room == "files" {
		return place
	}
	return path.Join(place, map[string]string{"run": "run.html", "campaign": "campaign.html", "timeline": draw.TimelineFile}[room])
}

// lettered returns a word in letters that are safe anywhere. Others become ~ and their number; two words never become the same.
func lettered(word string) string {
	var b strings.Builder
	for i := range len(word) {
		switch c := word[i]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '-', c == '_', c == '.' && i > 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "~%02x", c)
		}
	}
	return b.String()
}
