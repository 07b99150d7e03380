package theorem_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/site/theorem"
)

// theoremOf explores the budgets of some locks that are of one thing at most.
func theoremOf(t *testing.T, locks ...string) *theorem.Table {
	t.Helper()
	table := &theorem.Table{SchemaVersion: 1, Lockstorm: "9.9.9", Command: "lockstorm-full theorem", Base: theorem.Base}
	for _, name := range locks {
		all, err := theorem.Subjects(name)
		if err != nil {
			t.Fatal(err)
		}
		s := &all[0]
		s.Most = 1
		var cells []theorem.Cell
		for _, b := range s.Budgets() {
			c, err := s.Explore(b, 2, nil, func(int) {})
			if err != nil {
				t.Fatal(err)
			}
			cells = append(cells, c)
		}
		if err := table.Add(s, cells, func(w string) string { return "'" + w + "'" }); err != nil {
			t.Fatal(err)
		}
	}
	return table
}

// Every form of the table has each cell with its counts and what repeats it, and names what breaks a promise.
func TestEachTheoremFormatHasTheCounts(t *testing.T) {
	table := theoremOf(t, "redlock", "single, plain delete")
	each := theoremOf(t, "redlock").Document().Markdown() + theoremOf(t, "single, plain delete").Document().Markdown()
	for name, text := range map[string]string{
		"text": table.Document().Text(reports.Screen{}), "Markdown": each, "HTML": table.Document().HTML(),
		"JSON": table.Document().JSON(),
	} {
		plain := strings.Join(strings.Fields(strings.NewReplacer("&#39;", "'", `<span class="word">`, "", "</span>", "", `<span class="violated">`, "", "&#43;", "+").Replace(text)), " ")
		for _, want := range []string{
			"single, plain delete", "a release does not compare the token", "141", wording.Grouped(table.Locks[0].Cells[1].States), "a pause", "no deviation",
			"'redlock/small'", "'work.work=14ms..14ms'", "'1ms,6ms,25ms'", "'pause clients for 25ms'",
		} {
			if !strings.Contains(strings.ToLower(plain), want) {
				t.Errorf("%s has no %q:\n%s", name, want, text)
			}
		}
	}
	if text := each; !strings.Contains(text, "| belief | a pause or a suspension | 1 message; a restart, ") || !strings.Contains(text, "| fenced | – | every explored budget |") {
		t.Errorf("it does not say what breaks belief and fenced:\n%s", text)
	}
}

// The grid of locks by budgets comes first, with a gloss of each promise; sentences say what it can't.
func TestTheTheoremIsAGridOfLocksByBudgets(t *testing.T) {
	d := theoremOf(t, "redlock", "single, plain delete").Document()
	for _, want := range []string{
		"| lock | none | 1 message | pause | suspension | restart | restart, ½ TTL | restart, 1 TTL | jump | step back | drift 2.5% | drift 25% |\n",
		"\n| redlock | – | SL | B | B | – | – | – | – | – | – | Q |\n", "\n| single, plain delete | BVQS | BVQSL | BVQS |",
		"\n| B | belief | Do two clients act as holder together? |\n",
	} {
		if text := d.Markdown(); !strings.Contains(text, want) || strings.Index(text, want) > strings.Index(text, "Each cell is one exploration") ||
			strings.Contains(text, "\n## ") {
			t.Errorf("it does not begin with %q:\n%s", want, text)
		}
	}
	if !strings.Contains(d.HTML(), `<span class="violated">BVQSL</span>`) || strings.Count(d.CSV(), "\n") < 20 {
		t.Error("the page lacks the grid, or CSV the cells")
	}
	all, err := theorem.Subjects("redlock")
	if err != nil {
		t.Fatal(err)
	}
	widest := theorem.Lock{Name: "redlock, tokens from its own nodes", About: "x"} // as the whole table has it
	for _, b := range all[0].Budgets() {
		c := theorem.Explored{Budget: b.String(), Messages: b.Messages, Faults: b.Hazards}
		for _, name := range []string{"belief", "validity", "quorum", "storage", "continuity"} {
			c.Broken = append(c.Broken, theorem.Broken{Property: name})
		}
		if strings.HasPrefix(c.Budget, "a restart") {
			c.Broken = append(c.Broken, theorem.Broken{Property: "tokens"})
		}
		widest.Cells = append(widest.Cells, c)
	}
	table := theorem.Table{Locks: []theorem.Lock{widest}}
	if text := table.Document().Text(reports.Screen{}); !strings.Contains(text, "redlock, tokens      BVQSC") {
		t.Errorf("a screen has no room for the grid:\n%s", text)
	}
}
