package yamlform

import (
	"errors"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/lockstorm/lockstorm/faults"
)

// schedule reads the faults of a schedule, each with its own place in the file.
func (d *Decoder) schedule(n ast.Node, into reflect.Value) {
	first, text, ok := d.block(n)
	if !ok {
		d.mismatch(n, "a schedule: write “schedule: |”, and a fault a line below it")
		return
	}
	s, lines, err := faults.ParseLines(text)
	if err != nil {
		d.failLines(first, text, err)
		return
	}
	for i, line := range lines {
		d.places[Item("fault", i)] = d.inBlock(first, text, line, 1)
	}
	into.Set(reflect.ValueOf(s))
}

// block returns a block of text, and the place at which its first line begins. A text on the key's own line is one too; a
// folded block is not, because its lines are not those of the file.
func (d *Decoder) block(n ast.Node) (first Place, text string, ok bool) {
	switch n := n.(type) {
	case *ast.LiteralNode:
		if strings.HasPrefix(n.Start.Value, ">") {
			return first, "", false
		}
		first.Line = n.Start.Position.Line + 1
		for i, line := range strings.Split(n.Value.Value, "\n") { // YAML removes the same indentation from each line
			if at := first.Line - 1 + i; strings.TrimSpace(line) != "" && at < len(d.lines) {
				first.Column = len(strings.TrimRight(d.lines[at], " \t\r")) - len(strings.TrimRight(line, " \t\r")) + 1
				break
			}
		}
		return first, n.Value.Value, true
	case *ast.StringNode:
		return placeOf(n.GetToken()), n.Value, true
	}
	return first, "", false
}

// inBlock returns the place in the file of a line and column of a block that begins at a place. Text that is quoted or broken
// into lines in another way has only the place where it begins.
func (d *Decoder) inBlock(first Place, text string, line, column int) Place {
	p := Place{first.Line + line - 1, first.Column + column - 1}
	want := strings.Split(text, "\n")[line-1]
	if p.Line > len(d.lines) || !strings.HasPrefix(d.lines[p.Line-1][min(first.Column-1, len(d.lines[p.Line-1])):], want) {
		return first
	}
	return p
}

// failLines reports what is wrong with lines of a schedule whose text begins at a place. The error joins SyntaxErrors.
func (d *Decoder) failLines(first Place, text string, err error) {
	for _, line := range err.(interface{ Unwrap() []error }).Unwrap() {
		if e, is := errors.AsType[*faults.SyntaxError](line); is {
			p := d.inBlock(first, text, e.Line, e.Column)
			e.Line, e.Column = 0, 0
			d.Fail(p, "%s", e)
		}
	}
}
