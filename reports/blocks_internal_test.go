package reports

import (
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// htmlOf returns what one block is on a page.
func htmlOf(b *Block) string {
	w := &htmlWriter{}
	w.block(b)
	return w.String()
}

func TestBlockContentIsOnItsPage(t *testing.T) {
	within := []Block{{Words: Words("within")}}
	for name, kind := range map[string]string{"a group": "group", "an alarm": "alarm", "details": "details"} {
		if got := htmlOf(&Block{Kind: kind, Words: Words("of it"), Blocks: within}); strings.Count(got, "<p>within</p>") != 1 {
			t.Errorf("%s is written so:\n%s", name, got)
		}
	}
}

func TestCommandHasAParagraphOnlyForItsText(t *testing.T) {
	if got := htmlOf(&Block{Kind: "command", Command: "ls"}); strings.Contains(got, "<p>") {
		t.Errorf("without words:\n%s", got)
	}
	if got := htmlOf(&Block{Kind: "command", Command: "ls", Words: Words("List:")}); !strings.Contains(got, "<p>List:</p>") {
		t.Errorf("with words:\n%s", got)
	}
}

func TestAHeadingWithoutANameIsNumbered(t *testing.T) {
	if got := htmlOf(&Block{Kind: "heading", Words: Words("One")}); !strings.Contains(got, `id="s1"`) {
		t.Errorf("it is written so:\n%s", got)
	}
}

func TestAColourTakesNoColumn(t *testing.T) {
	if got := wording.Width("a\x1b[31mbc\x1b[0md"); got != 4 {
		t.Errorf("it takes %d columns", got)
	}
}

func TestOnlyBlanksOutsideQuotesSplitACommand(t *testing.T) {
	if got := shellWords(`run x --set 'a b' c\ d`); !slices.Equal(got, []string{"run", "x", "--set", "'a b'", `c\ d`}) {
		t.Errorf("the words are %q", got)
	}
}

func TestThousandsAreSetApart(t *testing.T) {
	for n, want := range map[int]string{0: "0", 100: "100", 1000: "1,000", -100: "-100", -1000: "-1,000", 1234567: "1,234,567"} {
		if got := wording.Grouped(n); got != want {
			t.Errorf("%d is written %s", n, got)
		}
	}
}

// The link that skips to the content of a page leads to its title and its lead.
func TestContentIsWithinMain(t *testing.T) {
	d := Document{Title: "A title"}
	d.Paragraph("A lead.")
	d.Table("", &Table{Columns: Columns("a"), Rows: [][]Cell{{{Text: "a table"}}}})
	d.Heading("A heading")
	page := d.HTML()
	main := strings.Index(page, `<main id="main">`)
	for _, part := range []string{"<h1>", "A lead.", "a table", "A heading"} {
		if at := strings.Index(page, part); at < main {
			t.Errorf("%s is at %d, outside main, which begins at %d", part, at, main)
		}
	}
}
