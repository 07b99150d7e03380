package scenarios_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
)

// filled repeats a unit as often as a file may hold it. A %d in the unit is a number that no other has.
func filled(head, unit string) string {
	var b strings.Builder
	b.WriteString(head)
	for i := 0; ; i++ {
		next := unit
		if strings.Contains(unit, "%d") {
			next = fmt.Sprintf(unit, i)
		}
		if b.Len()+len(next) > 65_000 || i*strings.Count(unit, "\n") > 3900 {
			return b.String()
		}
		b.WriteString(next)
	}
}

// judgedWithin is far above what a busy machine needs for any file, and far below what a bad one once took.
const judgedWithin = 30 * time.Second

// parseTimed parses a text, and returns how long it took.
func parseTimed(text string) (took time.Duration, err error) {
	before := time.Now()
	_, err = scenarios.Parse("x.yaml", []byte(text))
	return time.Since(before), err
}

// A file is judged in a fraction of a second, whatever it holds. All of these are as large as a file may be, and some
// of them once took a reader of YAML, or the checks of a scenario, a minute on an idle machine.
func TestNoFileTakesLongToJudge(t *testing.T) {
	row := strings.Repeat
	stairs := func(step string) (s string) {
		for i := range 55 {
			s += row(" ", i) + step
		}
		return s
	}
	many := "title: a\nclients: 100\nnodes: 100\nschedule: |\n"
	half := filled(many, "  at 1s jump all +1ns\n")[:11_000] + "\n  at 1s crash c1\n"
	for i, text := range []string{
		// The reader of YAML: much of each thing that it knows.
		filled("", "a:\n"), filled("", "- a\n"), filled("", "-\n"), filled("", "? a\n"), filled("", "?\n"), filled("", "]\n"), filled("", "}\n"),
		filled("", ",\n"), filled("", "`\n"), filled("", "@\n"), filled("", "é: ü\n"), filled("", "\tb\n"), filled("a: b", "\r"), filled("", "a:\r\n"),
		filled("", "&a \n"), filled("", "k%d: &a b\n"), filled("", "*a \n"), filled("a: &a b\n", "k%d: *a\n"), filled("", "<<: *a\n"), filled("", "k%d:\n  <<: *a\n"),
		filled("", "!a \n"), filled("", "!!a \n"), filled("", "k%d: !!binary a\n"), filled("", "%YAML 1.2\n"), filled("", "%\n"),
		filled("", "\"\n"), filled("", "'\n"), filled("a: \"", "b\n"), filled("a: '", "b\n"), filled("a: \"", row(`\x41`, 400)+"\n"), filled("a: \"", "\\\n"), filled("a: '", "''\n"),
		filled("", "|\n"), filled("a: |\n", " x\n"), filled("a: >\n", " x\n"), filled("a: |+\n", "  b\n\n"), filled("a: >-\n", "  b \n\n"),
		"a: |\n" + row("\n", 60_000), "a: >\n" + row(" \n", 30_000), "a: |-\n  b\n" + row("\n", 99) + "c: d", filled("a: |-\n", "  b"+row("\n", 99)),
		filled("", "#\n"), filled("a: b\n", "  # x\n"), filled("", "k%d: # b\n  v\n"), filled("", "# c\nk%d: v # b\n"), filled("", "- a # b\n"), filled("a: b ", "#"),
		filled("", "---\n"), filled("", "---\na\n"), filled("", "...\n"), filled("", "k%d: v\n"), filled("", "k%d:\n  v\n"), filled("", "k%d:\n- a\n- b\n"), filled("", "- a: b\n  c: d\n"),
		filled("a: {", "b,\n"), filled("a: [", "b,\n"), filled("a: {", "k%d: b,\n"), filled("a: {", row("k: b, ", 300)+"\n"), filled("a: [", row("b,", 900)+"\n"), filled("a: [", row("{},", 600)+"\n"),
		filled("a: ", "[]\n"), filled("", "{}\n"), filled("a: b", "\n  c"), filled("a: b", "\n  c "), filled("a: b", "\n  c\t"), filled("a", "\nc"), filled("a: b", "\n  c # d"), filled("a: [b", "\n  c "),
		filled("", row("[", 19)+row("]", 19)+"\n"), filled("", row("{a: ", 19)+row("}", 19)+"\n"), filled("a: [", row("[", 18)+row("]", 18)+",\n"),
		filled("", stairs("a:\n")), filled("", stairs("-\n")), filled("", stairs("? a\n")), filled("", row("- ", 29)+"a\n"), filled("", row("? ", 29)+"a\n"), filled("", row(": ", 29)+"a\n"),
		filled("", row("a: ", 600)+"\n"), filled("", row("&a ", 600)+"\n"), filled("", row("!a ", 600)+"\n"), filled("", row("a ", 900)+"\n"), filled("", row("'a' ", 450)+"\n"),
		filled("a: &x0 [b]\n", "k%d: &x [*x, *x, *x, *x, *x, *x, *x, *x, *x]\n"),

		// The decoder itself: long lists, and long words to suggest something for.
		filled("clocks:\n", "  n%d: +1ppm\n"), filled("clocks: {", "n%d: +1ppm,\n"), filled("expect:\n", "  p%d: holds\n"), filled("sometimes:\n", "  - a%d\n"),
		filled("title: a\nmutants:\n", "  -\n"), filled("title: a\nmutants:\n", "  - {}\n"), filled("title: a\nmutants: [", row("{},", 600)+"\n"),
		filled("title: a\n", row("x", 1900)+": 1\n"), filled("title: a\n", row("x", 1900)+"%d: 1\n"), "clients: " + row("9", 1900), "network: {loss: " + row("1", 1900) + "}",
		"lock: {ttl: " + row("1h", 900) + "}", "clients: " + row(".", 1900), filled("source: |\n", "  "+row("x ", 900)+"\n"),

		// The checks: each fault with all others, each mutant with all faults.
		filled(many, "  at 1s drift all +0.001ppm\n"), filled(many, "  at 1s jump all +1ns\n"), filled(many, "  at 1s explode\n"), filled(many, "  at 1s pause x\n"),
		filled(many, "  at 1s partition "+row("a-node ", 250)+"| c1\n"), filled(many, "  at 1s partition holder nodes | clients\n"), filled(many, "  at 1s cut all>all\n"),
		half, filled(half+"mutants:\n  - name: x\n    set:\n", "      fault.%d.for: 5s\n"), filled(half+"mutants:\n", "  - {name: m%d, set: {falt.1.for: 5s}}\n"),
		filled(half+"mutants:\n", "  - {name: m%d, set: {work.cycles: 5}, breaks: [tokens], within: 1}\n"), filled("mutants:\n", "  - {name: m%d, set: {"+row("x", 1900)+": 5s}}\n"),
		filled(half, "bounds:\n")[:len(half)] + "bounds:\n" + row("  - {setting: work.cycles, from: 1, to: 2, property: tokens, formula: restart-delay}\n", 10),
	} {
		if !long && i%6 > 0 {
			continue
		}
		d, err := parseTimed(text)
		if d > judgedWithin {
			t.Errorf("%.60q… took %s: %.200v", text, d, err)
		} else {
			t.Logf("%10s %.60q: %.150q", d.Round(time.Millisecond), text, fmt.Sprint(err))
		}
	}
}
