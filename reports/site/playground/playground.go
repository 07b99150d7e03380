package playground

import (
	"cmp"
	"embed"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/site/play"
)

// Folder is the name of the folder with the files of the page, next to it.
const Folder = "playground"

// Scripts is what a policy must let the page run, in addition to the script in it: the scripts next to it.
const Scripts = "'self'"

// The page begins with Kleppmann's first argument, next to the answer to it.
const (
	opening = "kleppmann/gc-pause"
	beside  = "work.recheck=true"
)

// A choice is one change that a reader can compare with a run: a setting, and the words for it after "the run that".
type choice struct {
	Set   string `json:"set"`
	Label string `json:"label"`
}

var choices = []choice{
	{beside, "looks at its validity again before it writes"},
	{"work.recheck=false", "writes without another look at its validity"},
	{"fencing.source=ideal", "has fencing tokens, from a counter that never fails"},
	{"fencing.source=none", "has no fencing tokens"},
	{"fencing.source=max-incr", "has fencing tokens, the largest that any node counts"},
	{"persistence=aof-always", "has nodes that sync each command to disk"},
	{"persistence=aof-everysec", "has nodes that sync to disk each second"},
	{"persistence=none", "has nodes that keep nothing when they go off"},
}

//go:embed files
var files embed.FS

//go:embed page.html
var body string

//go:embed playground.css
var style string

//go:embed boot.js
var boot string

// Page returns the page of a version, with the run that it begins with. Its files are in Folder, next to it.
func Page(version string) *reports.Document {
	p := program{play.Program{Version: version}}
	r := ask[run](&p, "run", request())
	words := func(text string) string {
		return reports.Fragment(reports.Block{Words: []reports.Span{{Text: text}}})
	}
	filled := strings.NewReplacer("{{name}}", opening, "{{title}}", words(r.Title), "{{left}}", words(r.Left),
		"{{verdict}}", reports.Fragment(verdict(&r)...), "{{chips}}", reports.Fragment(chips(&r)), "{{timeline}}", r.Timeline,
		"{{stories}}", reports.Fragment(stories(&r)...), "{{sequence}}", r.Sequence,
		"{{command}}", string(reports.CommandHTML(r.Command)), "{{hash}}", r.Hash)
	d := &reports.Document{Title: "Playground", Style: draw.Style + style, Script: boot,
		Foot: "Lockstorm " + version + ". Everything runs in this page: nothing is sent anywhere."}
	d.Add(reports.Block{Kind: "markup", Image: filled.Replace(body), In: reports.Page})
	return d
}

// Files returns what lies in Folder: scripts, the editor with its licences, the simulator as WebAssembly (gzipped, as any server
// can serve it), Go's script that runs it, and the answers that the page begins with.
func Files(version string, engine, wasmExec []byte) []reports.File {
	all := []reports.File{{Name: Folder + "/engine.wasm.gz", Content: engine}, {Name: Folder + "/wasm_exec.js", Content: wasmExec},
		{Name: Folder + "/first.js", Content: first(version)}}
	entries, err := files.ReadDir("files")
	for _, e := range entries {
		var content []byte
		if content, err = files.ReadFile(path.Join("files", e.Name())); err != nil {
			break
		}
		all = append(all, reports.File{Name: Folder + "/" + e.Name(), Content: content})
	}
	if err != nil {
		panic("playground: " + err.Error()) // they are in the program
	}
	return all
}

// first returns, as a module, the answers to what the page asks first: it has its controls before the simulator is there.
func first(version string) []byte {
	p := program{play.Program{Version: version}}
	text, err := json.Marshal(map[string]any{
		"scenario": opening, "beside": beside, "choices": choices,
		"about": ask[json.RawMessage](&p, "about", struct{}{}),
		"open":  ask[json.RawMessage](&p, "open", request()),
		"run":   ask[json.RawMessage](&p, "run", request()),
	})
	if err != nil {
		panic("playground: " + err.Error()) // they are answers
	}
	return slices.Concat([]byte("export default "), text, []byte(";\n"))
}

// A setup is what the page asks to be run, and a run what it shows of the answer before there are scripts.
type (
	setup struct {
		Scenario string   `json:"scenario"`
		Set      []string `json:"set"`
		Seed     int      `json:"seed"`
	}
	run struct {
		Title, Timeline, Left, Sequence, Command, Hash string
		Promises                                       []judged
	}
	judged struct{ Name, Verdict, Short, Story string }
)

func request() map[string]setup { return map[string]setup{"setup": {opening, []string{}, 1}} }

// A program answers as the one does that the page has.
type program struct{ play.Program }

func ask[T any](p *program, name string, q any) (answer T) {
	request, err := json.Marshal(q)
	if err == nil {
		err = json.Unmarshal(p.Call(name, request), &answer)
	}
	if err != nil {
		panic("playground: " + name + ": " + err.Error()) // the request is ours
	}
	return answer
}

// broken returns what is violated, the worst first: the losses of an application, before the promises of a lock.
// page.js does the same.
func broken(r *run) (all []judged) {
	for _, p := range r.Promises {
		if p.Verdict == "violated" {
			all = append(all, p)
		}
	}
	worst := []string{"belief", "fenced", "storage"}
	slices.SortStableFunc(all, func(a, b judged) int {
		return cmp.Compare(slices.Index(worst, b.Name), slices.Index(worst, a.Name))
	})
	return all
}

// verdict says in words how a run ended.
func verdict(r *run) []reports.Block {
	all := broken(r)
	if len(all) == 0 {
		kept := reports.Span{Text: "Every promise holds.", Look: "bold", Class: "holds"}
		return []reports.Block{{Words: []reports.Span{kept}}}
	}
	return []reports.Block{violated(all[0].Name, all[0].Short+".")}
}

// stories says, for each violated promise, how it broke.
func stories(r *run) (all []reports.Block) {
	for _, p := range broken(r) {
		all = append(all, violated(p.Name, p.Story))
	}
	return all
}

func violated(name, says string) reports.Block {
	return reports.Block{Words: []reports.Span{
		{Text: name + " is violated.", Look: "bold", Class: "violated"}, {Text: " " + says}}}
}

func chips(r *run) reports.Block {
	var words []reports.Span
	for _, p := range r.Promises {
		words = append(words, reports.Span{Text: p.Name + " "}, reports.Span{Text: p.Verdict, Class: p.Verdict})
	}
	return reports.Block{Kind: "chips", Words: words}
}
