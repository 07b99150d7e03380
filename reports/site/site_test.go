package site

import (
	"encoding/csv"
	"encoding/json"
	"path"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/reports"
	_ "github.com/lockstorm/lockstorm/sim/simtest" // fixes the seeds
)

// made returns the files of a site by name.
func made(t *testing.T, s Site) map[string]string {
	t.Helper()
	files, err := s.Files()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range files {
		all[f.Name] = string(f.Content)
	}
	return all
}

const document = `# A title with ` + "`code`" + `

Words, *slanted* and **bold** and **` + "`both`" + `**, a [link](other.md#a-heading), [source](lock.go), &lt;, \* and <https://example.org>.

## A heading

1. first
2. second
   - below it

<!-- lockstorm list --format markdown -->
| name | runs |
| --- | --- |
| a<br>b | 1,000 |
| ` + "`c\\|d`" + ` | 20 |
<!-- end -->

Made by ` + "`lockstorm sweep x`" + `; the like as a study: ` + "`lockstorm study pause-map`" + `.

## A heading

<details><summary>More</summary>

> quoted

    as it is

</details>

![a picture](p.svg)
`

func documents() []reports.File {
	return []reports.File{{Name: "a/one.md", Content: []byte(document)}, {Name: "a/p.svg", Content: []byte("<svg/>")},
		{Name: "a/other.md", Content: []byte("# Other\n\n## A heading\n\nWords.\n")}, {Name: "a/b/README.md", Content: []byte("# B\n")}}
}

func TestADocumentIsShownWhole(t *testing.T) {
	page := made(t, Site{Version: "1", Documents: documents()})["a/one.html"]
	for _, want := range []string{
		"<h1><bdi>A title with code</bdi></h1>", "<em>slanted</em>", "<strong>bold</strong>", "<code>both</code>",
		`<a href="other.html#a-heading">link</a>`, "source (<code>a/lock.go</code>)", "&lt;, * and",
		`<a href="https://example.org">https://example.org</a>`, `<section id="a-heading"`, `<section id="a-heading-1"`,
		"<ol class=\"numbered\">\n<li>first</li>\n<li>second<ul>\n<li>below it</li>", "a<br>b", "c|d", `<td class="n">1,000</td>`,
		"<details><summary>More</summary>", "<pre>as it is</pre>", "<p>quoted</p>", `<img src="p.svg" alt="a picture">`,
		`<link rel="stylesheet" href="../style.css">`, `<form role="search" action="../search.html">`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if t.Failed() {
		t.Log(page)
	}
}

// A table has its rows as files, the command that made it and the study that does the like, in one line.
func TestTableHasLinksToDataCommandAndStudy(t *testing.T) {
	all := made(t, Site{Documents: documents()})
	line := `<p class="source">Data: <a href="one.table-1.csv">CSV</a> · <a href="one.table-1.json">JSON</a> · Made by ` +
		`<code>lockstorm sweep x</code> · As a study: <code>lockstorm study <span class="word">pause-map</span></code> ` +
		`(<a href="../studies/pause-map.yaml">its file</a>)</p>`
	if !strings.Contains(all["a/one.html"], line) {
		t.Errorf("the page lacks\n%s\n%s", line, all["a/one.html"])
	}
	rows, err := csv.NewReader(strings.NewReader(all["a/one.table-1.csv"])).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][0] != "a b" || rows[2][1] != "20" {
		t.Errorf("%v, %v", rows, err)
	}
	var data struct {
		MadeBy string     `json:"made_by"`
		Study  string     `json:"study"`
		Heads  []string   `json:"heads"`
		Rows   [][]string `json:"rows"`
	}
	if err := json.Unmarshal([]byte(all["a/one.table-1.json"]), &data); err != nil || data.MadeBy != "lockstorm sweep x" ||
		data.Study != "pause-map" || len(data.Rows) != 2 || data.Heads[1] != "runs" {
		t.Errorf("%+v, %v", data, err)
	}
	if !strings.Contains(all["studies/pause-map.yaml"], "title") {
		t.Error("the study has no file")
	}
	var untold = strings.Replace(document, "Made by `lockstorm sweep x`", "It is so", 1)
	page := made(t, Site{Documents: []reports.File{{Name: "x.md", Content: []byte(untold)}, {Name: "p.svg"}}})["x.html"]
	if !strings.Contains(page, `Made by <code>lockstorm list <span class="word">--format</span> markdown</code>`) {
		t.Errorf("a table does not say what the comment around it says: %s", page)
	}
}

// A figure has the committed numbers next to it; the picture of one run has what that run recorded.
func TestFigureHasALinkToItsData(t *testing.T) {
	const pictures = "# F\n\n![numbers](n.svg)\n\nMade by `lockstorm sweep x`.\n\nBefore it:\n![a run](r.svg) Made by `lockstorm run kleppmann/gc-pause`.\n"
	all := made(t, Site{Documents: []reports.File{{Name: "a/f.md", Content: []byte(pictures)}, {Name: "a/n.svg"}, {Name: "a/n.csv"}, {Name: "a/r.svg"}}})
	for page, line := range map[string]string{
		"a/f.html": `Data: <a href="n.svg">SVG</a> · <a href="n.csv">CSV</a> · Made by <code>lockstorm sweep x</code></p>`,
		"index.html": `Data: <a href="runs/lead/history.jsonl">history</a> · <a href="runs/lead/trace.jsonl">trace</a> · ` +
			`Made by <code>lockstorm run <span class="word">kleppmann/gc-pause</span> `,
	} {
		if !strings.Contains(all[page], line) {
			t.Errorf("%s lacks\n%s\n%s", page, line, all[page])
		}
	}
	if want := `<a href="r.svg">SVG</a> · <a href="../runs/kleppmann/gc-pause/history.jsonl">history</a>`; !strings.Contains(all["a/f.html"], want) {
		t.Errorf("the page lacks %s", want)
	}
	if before, after := strings.Index(all["a/f.html"], "Before it:"), strings.Index(all["a/f.html"], `<img src="r.svg"`); before < 0 || before > after {
		t.Errorf("the words at %d are not before the picture at %d", before, after)
	}
	if r := all["runs/kleppmann/gc-pause/history.jsonl"]; !strings.HasPrefix(r, `{"index":0,`) {
		t.Errorf("the history is %.100s", r)
	}
}

// Nothing of a document is dropped without a word.
func TestDocumentContentThatNoPageShowsIsAnError(t *testing.T) {
	for text, want := range map[string]string{
		"no title\n":                "x.md: it has no title",
		"# T\n\n<div>x</div>\n":     "it has HTML, which the site doesn't show: <div>x</div>",
		"# T\n\na <b>c</b>\n":       "Markdown of the kind RawHTML",
		"# T\n\n---\n":              "Markdown of the kind ThematicBreak",
		"# T\n\n## ![p](p.svg)\n":   "a picture stands among words",
		"# T\n\n<script>1</script>": "it has HTML, which the site doesn't show",
	} {
		if _, err := (Site{Documents: []reports.File{{Name: "x.md", Content: []byte(text)}}}).Files(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := (Site{Documents: []reports.File{{Name: "search.md", Content: []byte("# T\n")}}}).Files(); err == nil {
		t.Error("a document may not take the place of the search")
	}
}

func TestMenuMarksTheCurrentPage(t *testing.T) {
	all := made(t, Site{Documents: append(documents(), reports.File{Name: "README.md", Content: []byte("# Read me\n")})})
	for page, want := range map[string]string{
		"README.html": `<a href="#main" aria-current="page">Read me</a>`, "index.html": `<a href="#main" aria-current="page">Start here</a>`,
		"a/one.html": `<a href="../README.html">Read me</a>`,
	} {
		if !strings.Contains(all[page], want) || strings.Count(all[page], "aria-current") > 1 {
			t.Errorf("%s lacks %s", page, want)
		}
	}
}

// The playground is on the site where its engine is, with a policy that lets it run.
func TestAnEngineBringsThePlayground(t *testing.T) {
	all := made(t, Site{Documents: documents(), Engine: []byte("engine"), Support: []byte("support")})
	if page := all["playground.html"]; !strings.Contains(page, "script-src &#39;self&#39; &#39;wasm-unsafe-eval&#39; &#39;sha256-") || all["playground/engine.wasm.gz"] != "engine" {
		t.Errorf("there is no playground, or it may not run: %.900s", page)
	}
	if !strings.Contains(all["index.html"], `href="playground.html"`) {
		t.Error("the first page does not lead to it")
	}
}

func TestARelativeAddressLeadsFromAnyPageToAnyOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file := rapid.StringMatching(`([ab]/){0,3}[xy]\.html`)
		from, to := file.Draw(t, "from"), file.Draw(t, "to")
		if got := path.Join(path.Dir(from), relative(from, to)); got != to {
			t.Fatalf("from %s, %s leads to %s, and not to %s", from, relative(from, to), got, to)
		}
	})
}

// A page says what it is about, so that a link to it can be shown with a sentence, and no table or code of it is
// without a name or out of reach of the keyboard.
func TestPagesAreDescribedAndReachable(t *testing.T) {
	const text = "# A title\n\n| a | |\n| --- | --- |\n| x | y |\n\n- in a list\n\nA *lead* about \"locks\".\n\n## Twice\n\n| a |\n| --- |\n| x |\n\n" +
		"Words.\n\n| b |\n| --- |\n| x |\n\n    short\n\n```\na line of code that is too wide for a small phone\n```\n"
	all := made(t, Site{Documents: append(documents(), reports.File{Name: "x.md", Content: []byte(text)}), Engine: []byte("e"), Support: []byte("s")})
	for name, page := range all { // order: they are independent
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, want := range []string{`<meta name="description" content="`, `<meta property="og:title" content="`, `<meta property="og:description" content="`, `<meta property="og:image" content="`} {
			if _, rest, _ := strings.Cut(page, want); rest == "" || rest[0] == '"' {
				t.Errorf("%s has no %s", name, want)
			}
		}
	}
	for _, want := range []string{`name="description" content="A lead about &#34;locks&#34;."`, `property="og:title" content="A title"`,
		`aria-label="Table 1: A title, can be scrolled"`, `aria-label="Table 2: Twice, can be scrolled"`, `aria-label="Table 3: Twice, can be scrolled"`,
		"<pre>short</pre>", `<pre tabindex="0">a line of code`, `<td></td></tr></thead>`} {
		if !strings.Contains(all["x.html"], want) {
			t.Errorf("the page lacks %s\n%s", want, all["x.html"])
		}
	}
}
