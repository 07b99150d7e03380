package layout

import (
	"strings"
	"testing"
)

// sample has a block of most kinds.
func sample() *Document {
	d := &Document{Title: "Runs & shares"}
	d.Headline("Runs & shares")
	d.Rich(Span{Text: "run <x>", Look: Coded}, Span{Text: " breaks "}, Span{Text: "belief", Look: Bold})
	t := &Table{Columns: Numbers("lock", "runs")}
	t.Add("a|b", "3")
	d.Table("In all:", t)
	d.Verdict("FAIL: it broke.")
	d.Command("Repeat it:", "lockstorm run x --seed 3")
	return d
}

func TestADocumentIsWrittenInEachFormat(t *testing.T) {
	for format, want := range map[Format][]string{
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

// What has data of its own is written as that, and rows that are given take the place of the tables that are read.
func TestDataAndRowsStandForTheBlocks(t *testing.T) {
	d := sample()
	d.Data, d.Rows = map[string]int{"runs": 3}, &Table{Columns: Columns("seed")}
	if got := d.JSON() + d.CSV(); got != "{\n  \"runs\": 3\n}\nseed\n" {
		t.Errorf("%q", got)
	}
}

// A block for one medium is left out of the others.
func TestABlockIsOnlyWhereItIsMeant(t *testing.T) {
	var d Document
	for in, word := range map[Media]string{Terminal: "screen", Marked: "mark", Page: "page"} {
		d.Add(Block{Kind: Sentence, Words: Words(word), In: in})
	}
	for _, c := range []struct{ got, has string }{{d.Text(Screen{}), "screen"}, {d.Markdown(), "mark"}, {d.HTML(), "<p>page</p>"}} {
		body := c.got[strings.LastIndex(c.got, "<main")+1:]
		if !strings.Contains(body, c.has) || strings.Count(body, "screen")+strings.Count(body, "<p>") > 1 {
			t.Errorf("want %q alone: %s", c.has, body)
		}
	}
}
