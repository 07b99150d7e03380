package paper

import (
	"cmp"
	_ "embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
)

// A Kind is the kind of an item.
type Kind string

// The kinds.
const (
	Example  Kind = "example"  // what a command prints, in a page
	Figure   Kind = "figure"   // a committed picture
	Data     Kind = "data"     // a committed CSV file: a table, or the numbers of a picture
	Study    Kind = "study"    // a study that ships: its table, which is not committed
	Document Kind = "document" // a page that is not committed
)

// An Item is something that a command makes again.
type Item struct {
	Name    string   `json:"name"`
	Kind    Kind     `json:"kind"`
	Page    string   `json:"page,omitempty"` // the page that has it
	File    string   `json:"file,omitempty"` // where a figure or CSV file is
	Program string   `json:"program"`        // the one that has the command: lockstorm, or lockstorm-full
	Command []string `json:"command"`        // without the program; of a figure there may be several, one after the other
	Cost    float64  `json:"cost,omitempty"` // core-seconds that it took once; 0 if not measured

	snippet Snippet
}

// A Snippet is an example in a page: a comment with a command, what it prints, and the line that says what made it.
type Snippet struct{ Whole, Program, Command, Text string }

// The programs. The full one has all commands, but prints its own name.
const lockstorm, full = "lockstorm", "lockstorm-full"

var (
	example = regexp.MustCompile("(?s)<!-- (lockstorm(?:-full)?) ([^\n]*) -->\n(.*?)<!-- end -->")
	picture = regexp.MustCompile("!\\[[^\\]]*\\]\\(([^)\\s]+\\.svg)\\)\\s+Made by (`[^\n]*)\\.\n")
	code    = regexp.MustCompile("`(lockstorm(?:-full)?) ([^`]+)`")
	table   = regexp.MustCompile("\\]\\(([^)\\s]+\\.csv)\\), made by\\s+`(lockstorm(?:-full)?) ([^`\n]+)`")
)

// Snippets returns the examples of a page.
func Snippets(page string) (all []Snippet) {
	for _, part := range example.FindAllStringSubmatch(page, -1) {
		all = append(all, Snippet{part[0], part[1], part[2], part[3]})
	}
	return all
}

// Args returns the arguments of the command, without those that cut what it prints.
func (b *Snippet) Args() []string {
	command, _, _ := strings.Cut(b.Command, " | head -")
	return strings.Fields(command)
}

// With returns the example unchanged if its command prints this.
func (b *Snippet) With(out string) string {
	_, head, cut := strings.Cut(b.Command, " | head -")
	if n, err := strconv.Atoi(head); cut && err == nil {
		lines := strings.SplitAfter(out, "\n")
		out = strings.Join(lines[:min(n, len(lines))], "")
	}
	before, after := "\n", ""
	if strings.HasPrefix(b.Text, "```text\n") {
		before, after = "```text\n", "```\n"
	}
	if !cut { // the page says it before
		after += "\n" + b.Made() + "\n"
	}
	return "<!-- " + b.Program + " " + b.Command + " -->\n" + before + strings.TrimRight(out, "\n") + "\n" + after + "<!-- end -->"
}

// Studies are what some commands are as studies.
var Studies = map[string]string{"sweep": "pause-map"}

// Made names the command that makes the example, for the reader of the page.
func (b *Snippet) Made() string {
	text := "Made by `" + b.Program + " " + b.Command + "`"
	if name, is := Studies[b.Args()[0]]; is {
		text += "; the like as a study: `lockstorm study " + name + "`"
	}
	return text + "."
}

// Items lists everything that can be made again, from the pages of a repository and the studies.
func Items(repository fs.FS, studies []string) ([]Item, error) {
	var all []Item
	seen := map[string]int{}
	add := func(i Item) {
		if seen[i.Name]++; seen[i.Name] > 1 {
			i.Name += "-" + strconv.Itoa(seen[i.Name])
		}
		i.Cost = costs[i.Name]
		all = append(all, i)
	}
	err := fs.WalkDir(repository, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && passed(file):
			return fs.SkipDir
		case d.IsDir() || path.Ext(file) != ".md":
			return nil
		}
		text, err := fs.ReadFile(repository, file)
		if err != nil {
			return err
		}
		for _, i := range itemsOf(repository, file, string(text)) {
			add(i)
		}
		return nil
	})
	for _, name := range studies {
		command := []string{"study", name, "--format", "markdown"}
		add(Item{Name: "study-" + name, Kind: Study, Program: lockstorm, Command: command})
	}
	add(Item{Name: "debate", Kind: Document, Program: lockstorm, Command: []string{"debate", "--out", "debate.html"}})
	add(Item{Name: "theorem", Kind: Document, Program: full, Command: []string{"theorem", "--format", "html"}})
	return all, err
}

// itemsOf lists the examples of a page, its tables in CSV files, and its figures, each with its numbers if the repository has them.
func itemsOf(repository fs.FS, file, page string) (all []Item) {
	for _, b := range Snippets(page) {
		all = append(all, Item{Name: called(file) + "-" + b.Args()[0], Kind: Example, Page: file, Program: b.Program,
			Command: b.Args(), snippet: b})
	}
	for _, part := range table.FindAllStringSubmatch(page, -1) {
		name := "data-" + strings.TrimSuffix(path.Base(part[1]), ".csv")
		all = append(all, Item{Name: name, Kind: Data, Page: file, File: path.Join(path.Dir(file), part[1]),
			Program: part[2], Command: strings.Fields(part[3])})
	}
	for _, part := range picture.FindAllStringSubmatch(page, -1) {
		var program string
		var commands []string
		for _, c := range code.FindAllStringSubmatch(part[2], -1) {
			program, commands = c[1], append(commands, c[2])
		}
		picture, command := path.Join(path.Dir(file), part[1]), strings.Join(commands, " && ")
		name := strings.TrimSuffix(path.Base(picture), ".svg")
		all = append(all, Item{Name: "figure-" + name, Kind: Figure, Page: file, File: picture, Program: program, Command: strings.Fields(command)})
		numbers := strings.TrimSuffix(picture, ".svg") + ".csv"
		if _, err := fs.Stat(repository, numbers); err == nil { // what prints a page with the figure prints its numbers, too
			command = strings.Replace(command, "--format html", "--format csv", 1)
			all = append(all, Item{Name: "data-" + name, Kind: Data, Page: file, File: numbers, Program: program, Command: strings.Fields(command)})
		}
	}
	return all
}

// passed reports whether a folder of a repository has nothing that is read: folders of tools, and what runs leave.
func passed(folder string) bool {
	name := path.Base(folder)
	hidden := strings.HasPrefix(name, ".") && name != ".ci" && name != ".github"
	return folder != "." && (hidden || name == "node_modules" || folder == "store" || folder == "dist")
}

// called returns what the items of a page are called after.
func called(page string) string {
	switch {
	case path.Base(page) != "README.md":
		return strings.ToLower(strings.TrimSuffix(path.Base(page), ".md"))
	case path.Dir(page) == ".":
		return "readme"
	}
	return path.Base(path.Dir(page))
}

// costs are how long items took once.
var costs = func() map[string]float64 {
	all := map[string]float64{}
	for line := range strings.Lines(costsText) {
		if name, amount, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			all[name], _ = strconv.ParseFloat(strings.TrimSpace(amount), 64)
		}
	}
	return all
}()

//go:embed costs.txt
var costsText string

// List returns the items as a table.
func List(items []Item) *reports.Document {
	d := &reports.Document{Title: "What can be made again", Data: items}
	t := &reports.Table{Columns: reports.Columns("item", "kind", "page", "core-seconds", "command")}
	for _, i := range items {
		cost := "-"
		if i.Cost > 0 {
			cost = fmt.Sprintf("%.0f", i.Cost)
		}
		t.Add(i.Name, string(i.Kind), cmp.Or(i.Page, "-"), cost, strings.Join(i.Command, " "))
	}
	d.Table("", t)
	return d
}
