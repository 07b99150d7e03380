package playground

import (
	"cmp"
	"embed"
	"encoding/json"
	"html"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/site/play"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Folder is the name of the folder with the files of the page, next to it.
const Folder = "playground"

// Scripts is what a policy must let the page run, in addition to the script in it: the scripts next to it, and the
// simulator, which one worker passes to the next through the page.
const Scripts = "'self' 'wasm-unsafe-eval'"

// The page begins with Kleppmann's first argument, next to the answer to it. Both clients work for a second, so that
// both holds are visible.
const (
	// Work is that setting.
	Work = "work.work=1s"

	opening = "kleppmann/gc-pause"
	beside  = "work.recheck=true"
)

// Lead returns the run that the page begins with.
func Lead() *scenarios.Result {
	s, _ := scenarios.Find(opening)
	if err := s.Change([]string{Work}); err != nil {
		panic("playground: " + err.Error()) // it is a setting of that scenario
	}
	return scenarios.Run(s, 1)
}

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
	{"fencing.source=nodes", "has fencing tokens, the highest count of all nodes"},
	{"fencing.reads_mark=false", "sends tokens with writes only, not with reads"},
	{"work.stagger=1s", "starts its clients a second apart"},
	{"persistence=aof-always", "has nodes that keep every write"},
	{"persistence=aof-everysec", "has nodes that keep all but about the last second"},
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

// Page returns the page of a version, with the run that it begins with. Its files are in Folder, next to it. The
// glossary is the text of scenarios/glossary.md.
func Page(version, glossary string) *reports.Document {
	p := program{play.Program{Version: version}}
	r := ask[run](&p, "run", request())
	words := func(text string) string {
		return reports.Fragment(reports.Block{Words: []reports.Span{{Text: text}}})
	}
	filled := strings.NewReplacer("{{name}}", opening, "{{title}}", words(r.Title), "{{left}}", words(r.Left),
		"{{verdict}}", reports.Fragment(verdict(&r)...), "{{chips}}", reports.Fragment(chips(&r)), "{{timeline}}", r.Timeline,
		"{{stories}}", reports.Fragment(stories(&r)...), "{{sequence}}", r.Sequence,
		"{{command}}", string(reports.CommandHTML(r.Command)), "{{hash}}", r.Hash)
	d := &reports.Document{Title: "Playground", Summary: "Change one run of a distributed lock, and see when an update is lost.", Style: draw.Style + style, Script: boot,
		Foot: "Lockstorm " + version + ". Everything runs in this page: nothing is sent anywhere."}
	d.Add(reports.Block{Kind: "markup", Image: filled.Replace(defined(body, meanings(glossary))), In: reports.Page})
	return d
}

// A term is a word of the page in double brackets that the glossary defines, with what the page shows of it if that
// differs.
var term = regexp.MustCompile(`\[\[([^\]|]+)\|?([^\]]*)\]\]`)

// defined makes each term of a page a button that shows its meaning.
func defined(page string, meanings map[string]string) string {
	n := 0
	return term.ReplaceAllStringFunc(page, func(text string) string {
		parts := term.FindStringSubmatch(text)
		meaning, shown := meanings[parts[1]], cmp.Or(parts[2], parts[1])
		if meaning == "" {
			return shown
		}
		n++
		id := "term-" + strconv.Itoa(n)
		return `<button type="button" class="term" popovertarget="` + id + `">` + shown + `</button>` +
			`<span popover class="meaning" id="` + id + `"><strong>` + parts[1] + `</strong>: ` +
			html.EscapeString(meaning) + `.</span>`
	})
}

// meanings reads the tables of a glossary: the meaning of each word in bold.
func meanings(glossary string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(glossary) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		for _, names := range bold.FindAllStringSubmatch(cells[1], -1) {
			for name := range strings.SplitSeq(names[1], ", ") {
				all[name] = strings.NewReplacer("*", "", "`", "").Replace(strings.TrimSpace(cells[2]))
			}
		}
	}
	return all
}

var bold = regexp.MustCompile(`\*\*([^*]+)\*\*`)

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
		"scenario": opening, "set": []string{Work}, "beside": beside, "choices": choices, "tour": tour,
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
		Broken                                         []string
		Outcome                                        struct{ Says, Class, Why, Also string }
	}
	judged struct{ Name, Verdict, Story string }
)

func request() map[string]setup { return map[string]setup{"setup": {opening, []string{Work}, 1}} }

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

// verdict says in words how a run ended. views.js does the same.
func verdict(r *run) []reports.Block {
	return []reports.Block{
		{Words: []reports.Span{{Text: r.Outcome.Says, Look: "bold", Class: r.Outcome.Class}, {Text: " " + r.Outcome.Why}}},
		{Words: []reports.Span{{Text: r.Outcome.Also, Class: "soft"}}},
	}
}

// stories says, for each promise that broke, how it broke, the worst first.
func stories(r *run) (all []reports.Block) {
	for _, name := range r.Broken {
		p, _ := checker.Lookup(name)
		story := r.Promises[slices.IndexFunc(r.Promises, func(j judged) bool { return j.Name == name })].Story
		all = append(all, reports.Block{Words: []reports.Span{{Text: p.Broken, Look: "bold", Class: "violated"}, {Text: " " + story}}})
	}
	return all
}

func chips(r *run) reports.Block {
	var words []reports.Span
	for _, j := range r.Promises {
		p, _ := checker.Lookup(j.Name)
		words = append(words, reports.Span{Text: p.Plain + " "}, reports.Span{Text: j.Verdict, Class: j.Verdict})
	}
	return reports.Block{Kind: "chips", Words: words}
}
