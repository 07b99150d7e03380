package reports

import (
	"html"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// sample has a block of most kinds.
func sample() *Document {
	d := &Document{Title: "Runs & shares"}
	d.Headline("Runs & shares")
	d.Rich(Span{Text: "run <x>", Look: "code"}, Span{Text: " breaks "}, Span{Text: "belief", Look: "bold"})
	t := &Table{Columns: Numbers("lock", "runs")}
	t.Add("a|b", "3")
	d.Table("In all:", t)
	d.Verdict("FAIL: it broke.")
	d.Command("Repeat it:", "lockstorm run x --seed 3")
	return d
}

func TestDocumentIsWrittenInEachFormat(t *testing.T) {
	for format, want := range map[string][]string{
		"text":     {"Runs & shares\n\nrun <x> breaks belief\n\nIn all:\n  lock  runs\n  a|b      3\n\nFAIL: it broke.\nRepeat it: ./ls run x --seed 3\n"},
		"markdown": {"**FAIL**: it broke.\n\n`run <x>` breaks **belief**\n\nIn all:\n\n| lock | runs |\n| --- | --- |\n| a\\|b | 3 |\n\nRepeat it:\n\n```sh\nlockstorm run x --seed 3\n```\n"},
		"html": {"<title>Runs &amp; shares · Lockstorm</title>", "<p><code>run &lt;x&gt;</code> breaks <strong>belief</strong></p>", `<td class="n">3</td>`,
			`<p class="verdict">FAIL: it broke.</p>`, `<pre>lockstorm run x <span class="word">--seed</span> 3</pre>`, "style-src &#39;sha256-"},
		"json": {`"text": [`, `"run \u003cx\u003e breaks belief"`, `"heads": [`, `"a|b"`},
		"csv":  {"lock,runs\na|b,3\n"},
	} {
		var b strings.Builder
		if err := sample().Write(&b, format, Screen{Program: "./ls"}); err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(b.String(), text) {
				t.Errorf("%s has no %q:\n%s", format, text, b.String())
			}
		}
	}
	if n := len(formats); n != 5 {
		t.Errorf("there are %d formats, and 5 are tested", n)
	}
	if err := sample().Write(&strings.Builder{}, "xml", Screen{}); err == nil || err.Error() != `"xml" is not one of text, markdown, html, json, csv` {
		t.Errorf("xml: %v", err)
	}
}

// A block with its own data is written as that data, and given rows replace the tables that were read.
func TestDataAndRowsReplaceTheBlocks(t *testing.T) {
	d := sample()
	d.Data, d.Rows = map[string]int{"runs": 3}, &Table{Columns: Columns("seed")}
	if got := d.JSON() + d.CSV(); got != "{\n  \"runs\": 3\n}\nseed\n" {
		t.Errorf("%q", got)
	}
}

// A block for one medium is left out of the others.
func TestBlockIsOnlyInItsFormats(t *testing.T) {
	d := Document{Title: "A title"}
	for in, word := range map[Media]string{Terminal: "screen", Marked: "mark", Page: "page"} {
		d.Add(Block{Words: Words(word), In: in})
	}
	for _, c := range []struct{ got, has string }{{d.Text(Screen{}), "screen"}, {d.Markdown(), "mark"}, {d.HTML(), "<p>page</p>"}} {
		body := c.got[strings.LastIndex(c.got, "<main")+1:]
		if !strings.Contains(body, c.has) || strings.Count(body, "screen")+strings.Count(body, "<p>") > 1 {
			t.Errorf("want %q alone: %s", c.has, body)
		}
	}
}

// A fit shows the first version that has room together with the blocks above and below it. If no version has room, the
// last is cut.
func TestFitShrinksUntilThereIsRoom(t *testing.T) {
	version := func(lines ...string) Block {
		return Block{Kind: "group", Blocks: []Block{{Kind: "lines", Words: Words(strings.Join(lines, "\n") + "\n")}}}
	}
	for most, want := range map[int]string{
		8: "above\n\n1\n2\n3\n4\n\nbelow\n", 7: "above\n\n1\n2\n\nbelow\n", 6: "above\n\n1\n2\n\nbelow\n", 5: "above\n\n  … and more\n\nbelow\n",
		0: "above\n\n1\n2\n3\n4\n\nbelow\n",
	} {
		d := &Document{Most: most}
		d.Paragraph("above")
		d.Add(Block{Kind: "fit", Blocks: []Block{version("1", "2", "3", "4"), version("1", "2")}})
		d.Paragraph("below")
		if got := d.Text(Screen{}); got != want {
			t.Errorf("in %d lines it is\n%s", most, got)
		}
		if got := d.Markdown(); strings.Count(got, "1\n2") != 1 || !strings.Contains(got, "3\n4") {
			t.Errorf("as Markdown it is\n%s", got)
		}
	}
}

// A narrow text has commands that can be pasted.
func TestANarrowTextKeepsItsCommandsWhole(t *testing.T) {
	d := &Document{Columns: 40}
	d.Paragraph(strings.Repeat("word ", 20))
	command := "lockstorm run " + strings.Repeat("--set x=1 ", 9) + "--seed 1"
	d.Command("Repeat it:", command)
	text := d.Text(Screen{})
	if !strings.HasSuffix(text, "\nRepeat it: "+command+"\n") || strings.Index(text, "\n") > 40 {
		t.Error(text)
	}
}

func TestAPictureHasAFormForEachPlace(t *testing.T) {
	d := &Document{Script: "go();"}
	d.Add(Block{Kind: "picture", ID: "lanes", Label: "Timeline", Drawn: Figure{
		Text: func(s Screen) string { return strings.Repeat("-", s.LineWidth()) + "\n" }, SVG: func() string { return "<svg/>" }}})
	d.Add(Block{Kind: "picture", Drawn: Figure{SVG: func() string { return "<svg>2</svg>" }}})
	if got := d.Text(Screen{Width: 40}); got != strings.Repeat("-", 40)+"\n" {
		t.Errorf("as text %q", got)
	}
	if got := d.Markdown(); got != "```text\n"+strings.Repeat("-", 118)+"\n```\n" {
		t.Errorf("as Markdown %q", got)
	}
	page := d.HTML()
	for _, want := range []string{`<div class="wide" id="lanes" tabindex="0" role="region" aria-label="Timeline, can be scrolled">` + "\n<svg/></div>",
		"<figure>\n<svg>2</svg></figure>", "<script>go();</script>", "script-src &#39;sha256-"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s:\n%s", want, page)
		}
	}
}

func TestMomentsAreATableAndOnPagesAList(t *testing.T) {
	d := &Document{}
	m := &Table{Bare: true, Moments: []int64{5}, Columns: []Column{{Head: "true time", Kind: "number", Least: 12}, {Kind: "prose"}}}
	m.Add("0.5s", "c1 <acquires>")
	d.Add(Block{Kind: "hung", Words: []Span{{Text: "  why: "}, {Text: strings.Repeat("so ", 40)}}})
	d.Add(Block{Kind: "rows", Table: m})
	if got := d.Text(Screen{}); !strings.Contains(got, "\n       so so") || !strings.HasSuffix(got, "\n          0.5s  c1 <acquires>\n") {
		t.Errorf("as text\n%s", got)
	}
	if got := d.HTML(); !strings.Contains(got, `<li data-at="5"><time>0.5s</time><span>c1 &lt;acquires&gt;</span></li>`) {
		t.Errorf("the page is %s", got)
	}
}

// Some words are for one medium, such as braces around words that a page shows in a frame.
func TestWordIsOnlyInItsFormats(t *testing.T) {
	d := &Document{}
	d.Rich(Span{Text: "is lost "}, Span{Text: "{", In: Terminal | Marked}, Span{Text: "3 of 3", Class: "seen", Link: "#a"}, Span{Text: "}", In: Terminal | Marked}, Span{Text: ", see below", In: Page})
	for _, c := range []struct{ got, want string }{
		{d.Text(Screen{}), "is lost {3 of 3}\n"}, {d.Markdown(), "is lost {3 of 3}\n"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	if want := `<p>is lost <a class="seen" href="#a">3 of 3</a>, see below</p>`; !strings.Contains(d.HTML(), want) {
		t.Errorf("the page has no %s", want)
	}
	if strings.Contains(d.JSON(), "see below") {
		t.Error("JSON has what only a page says")
	}
}

// A text says what an alarm is about, with or without the alarm's box.
func TestAnAlarmIsABoxOfAPage(t *testing.T) {
	d := &Document{}
	d.Paragraph("above")
	d.Add(Block{Kind: "alarm", Class: "violated", Words: Words("Do not cite it."), Blocks: []Block{
		{Words: Words("first")}, {Words: Words("second"), Class: "small"},
	}})
	if got := d.Text(Screen{}); got != "above\n\nfirst\n\nsecond\n" {
		t.Errorf("as text %q", got)
	}
	if got := d.Markdown(); got != "above\n\nfirst\n\nsecond\n" {
		t.Errorf("as Markdown %q", got)
	}
	want := "<div class=\"alarm violated\" role=\"alert\">\n<p>Do not cite it.</p>\n<p>first</p>\n<p class=\"small\">second</p>\n</div>"
	if !strings.Contains(d.HTML(), want) {
		t.Errorf("the page has no %s", want)
	}
}

func TestPageOmitsEmptyColumns(t *testing.T) {
	table := &Table{Columns: Columns("name", "expected", "runs")}
	if got := table.html("", ""); !strings.Contains(got, "expected</th>") {
		t.Errorf("without rows, it lost a head: %s", got)
	}
	table.Add("belief", "", "3 of 3")
	if got := table.html("broke", ""); strings.Contains(got, "expected") || !strings.Contains(got, `<table class="broke">`) || !strings.Contains(got, "<td>3 of 3</td>") {
		t.Error(got)
	}
	table.Rows[0][1] = Rich(Span{Text: "mark", In: Page})
	if got := table.html("", ""); !strings.Contains(got, "expected</th>") || !strings.Contains(table.Markdown(), "| belief |  | 3 of 3 |") {
		t.Errorf("%s\n%s", got, table.Markdown())
	}
}

// A picture brings its style, which its page allows. Words that look like a style are escaped, and allow nothing.
func TestPageAllowsOnlyItsPicturesStyles(t *testing.T) {
	d := &Document{Title: "T"}
	d.Paragraph("<style>p{color:red}</style>")
	for range 2 {
		d.Add(Block{Kind: "picture", Label: "P", Drawn: Figure{SVG: func() string { return "<svg><style>.a{}</style></svg>" }}})
	}
	page := d.HTML()
	for style, want := range map[string]int{".a{}": 1, "p{color:red}": 0} {
		if got := strings.Count(html.UnescapeString(page), Hashed(style)); got != want {
			t.Errorf("%s is allowed %d times, want %d", style, got, want)
		}
	}
}

// A picture can come before the first heading, and the policy of the page allows its style there too.
func TestAPictureAboveTheFirstHeadingHasItsStyle(t *testing.T) {
	var d Document
	d.Add(Block{Kind: "picture", Drawn: Figure{SVG: func() string { return "<svg><style>.a{fill:red}</style></svg>" }}})
	d.Heading("Below")
	if page := html.UnescapeString(d.HTML()); !strings.Contains(page, Hashed(".a{fill:red}")) {
		t.Errorf("the policy does not allow the style of a picture:\n%.400s", page)
	}
}

// A verdict comes above the tables of a page, and at the end of a text, where a terminal has the cursor.
func TestVerdictComesAboveTheTables(t *testing.T) {
	page := sample().HTML()
	if verdict, table := strings.Index(page, "FAIL"), strings.Index(page, "<table"); verdict < 0 || verdict > table {
		t.Errorf("the verdict is at %d, the first table at %d", verdict, table)
	}
}

func TestAmountIsNotBrokenBeforeItsUnit(t *testing.T) {
	table := &Table{Columns: Columns("share", "note")}
	table.Add("0 s to 5 s", wording.Differs)
	for _, want := range []string{"0\u00a0s to 5\u00a0s", `<td><span class="violated">not as expected</span></td>`} {
		if got := table.html("", ""); !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
}

// Names keep one line each where a page is wide. Sentences would push all other columns out of it.
func TestALongFirstCellIsBroken(t *testing.T) {
	table := &Table{Columns: Columns("claim", "tested by")}
	table.Add("short", "x")
	if got := table.html("", ""); strings.Contains(got, "wraps") {
		t.Errorf("a name is broken: %s", got)
	}
	table.Add(strings.Repeat("a claim of many words ", 5), "y")
	if got := table.html("", ""); strings.Count(got, `class="wraps"`) != 2 {
		t.Errorf("a sentence is not broken: %s", got)
	}
}
