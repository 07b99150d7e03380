package reports

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

func TestTextIsBrokenBetweenWords(t *testing.T) {
	for _, c := range []struct {
		before, text string
		width        int
		want         string
	}{
		{"", "", 10, "\n"},
		{"", "one", 10, "one\n"},
		{"", "one two three", 10, "one two\nthree\n"},
		{"", "one two 34", 10, "one two 34\n"},
		{"", "one two 345", 10, "one two\n345\n"},
		{"", "a-word-that-is-too-long for it", 10, "a-word-tha\nt-is-too-l\nong for it\n"},
		{"", "one\n  two\t3", 10, "one two 3\n"},
		{"", "“eins” “zw” drei", 11, "“eins” “zw”\ndrei\n"}, // columns, not bytes
		{"  µ: ", "one two three", 12, "  µ: one two\n     three\n"},
		{"  µ: ", "one two three four", 12, "  µ: one two\n     three\n     four\n"},
		{"a long beginning ", "one two", 12, "a long beginning\n    one two\n"},
	} {
		if got := (Screen{}).Hang(c.before, "", c.text, c.width); got != c.want {
			t.Errorf("%q is broken into\n%q, want\n%q", c.text, got, c.want)
		}
	}
}

func TestBreakingATextLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.StringMatching(`[a-zµ]{1,12}`)).Draw(t, "words")
		width := rapid.IntRange(12, 40).Draw(t, "width")
		broken := Screen{}.Hang("", "", strings.Join(words, " "), width)
		if got := strings.Fields(broken); strings.Join(got, " ") != strings.Join(words, " ") {
			t.Fatalf("%q became %q", words, got)
		}
		lines := strings.Split(strings.TrimSuffix(broken, "\n"), "\n")
		for i, line := range lines {
			first, _, _ := strings.Cut(line, " ")
			if utf8.RuneCountInString(line) > width {
				t.Fatalf("%q is wider than %d", line, width)
			}
			if i > 0 && utf8.RuneCountInString(lines[i-1]+" "+first) <= width {
				t.Fatalf("%q would have fitted behind %q", first, lines[i-1])
			}
		}
	})
}

func TestTablesAlignAndEndWithoutBlanks(t *testing.T) {
	table := Table{Columns: []Column{{Head: "a"}, {Head: "b", Kind: "number"}, {Kind: "text"}}}
	table.Add("long", "µs", "!")
	table.Add("x|y", "", "")
	for form, got := range map[string]string{
		"  a      b\n  long  µs  !\n  x|y\n":                      table.Text(Screen{}),
		"| a | b |\n| --- | --- |\n| long | µs |\n| x\\|y |  |\n": table.Markdown(),
		"<div class=\"tablewrap\"><table>\n<thead><tr><th scope=\"col\">a</th><th scope=\"col\" class=\"n\">b</th></tr></thead>\n<tbody>\n" +
			"<tr><th scope=\"row\">long</th><td class=\"n\">µs</td></tr>\n<tr><th scope=\"row\">x|y</th><td class=\"n\"></td></tr>\n</tbody></table></div>\n": table.html("", ""),
		"a,b\nlong,µs\nx|y,\n": table.CSV(),
	} {
		if got != form {
			t.Errorf("got %q, want %q", got, form)
		}
	}
}

func TestATableThatIsTooWideIsWrittenInSentences(t *testing.T) {
	table := Table{Columns: Columns("lock", "what it does to whoever waits for it", "runs")}
	table.Add("redlock", "nothing", "10")
	if got, want := table.Text(Screen{Width: 40}), "  redlock\n    what it does to whoever waits for it\n    nothing, runs 10\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestListsReadAsSentencesDo(t *testing.T) {
	for _, c := range []struct {
		words []string
		list  string
		few   string
	}{
		{nil, "", ""}, {[]string{"a"}, "a", "a"}, {[]string{"a", "b"}, "a and b", "a b"}, {[]string{"a", "b", "c"}, "a, b and c", "a b and 1 more"},
	} {
		if got := wording.List(c.words); got != c.list {
			t.Errorf("got %q, want %q", got, c.list)
		}
		if got := wording.Few(c.words, 2, " "); got != c.few {
			t.Errorf("got %q, want %q", got, c.few)
		}
	}
	if got := wording.Shorten("größer", 6) + wording.Shorten("größere", 6); got != "größergröße…" {
		t.Error(got)
	}
}

func TestACommandForAPageKeepsItsOptionsWhole(t *testing.T) {
	got := string(CommandHTML(`lockstorm run a/b --seed 6 --set x="<i>-"`))
	want := `lockstorm run a/b <span class="word">--seed</span> 6 <span class="word">--set</span> <span class="word">x=&#34;&lt;i&gt;-&#34;</span>`
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
