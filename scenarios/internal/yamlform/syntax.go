package yamlform

import (
	"errors"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// parse reads the text as YAML, and returns the top node; nil if something is wrong. The library panics on some malformed
// text.
func (d *Decoder) parse(text []byte) (root ast.Node) {
	if p, problem := checkLimits(text); problem != "" {
		d.Fail(p, "%s", problem)
		return nil
	}
	defer func() {
		if r := recover(); r != nil {
			d.Fail(Place{}, "this can't be read as YAML; lockstorm new shows what a scenario file looks like")
			root = nil
		}
	}()
	f, err := parser.ParseBytes(text, 0)
	if err != nil {
		d.failSyntax(err)
		return nil
	}
	var docs []ast.Node
	for _, doc := range f.Docs {
		if _, directive := doc.Body.(*ast.DirectiveNode); doc.Body != nil && !directive {
			docs = append(docs, doc.Body)
		}
	}
	switch {
	case len(docs) == 0:
		d.Fail(Place{}, "the file is empty; lockstorm new shows what a scenario file looks like")
		return nil
	case len(docs) > 1:
		d.Fail(placeOf(docs[1].GetToken()), "a second document begins here; a file holds one scenario")
		return nil
	}
	return docs[0]
}

// failSyntax reports where the YAML itself is wrong.
func (d *Decoder) failSyntax(err error) {
	if y, is := errors.AsType[yaml.Error](err); is && y.GetToken() != nil {
		d.Fail(placeOf(y.GetToken()), "%s", advice(y.GetMessage()))
		return
	}
	d.Fail(Place{}, "%v", err)
}

// advice returns what would be right, where the library only says what is wrong.
func advice(problem string) string {
	for _, a := range [...]struct{ about, advice string }{
		{"found character '\t'", "found a tab; indent with spaces"},
		{"found a tab", "found a tab; indent with spaces"},
		{"mapping value is not allowed in this context", "found a second colon; put a text that has one in quotes, and begin each key as far in as its neighbours"},
		{"value is not allowed in this context", "this does not belong here; indent it like the lines that it goes with"},
		{"non-map value is specified", "found no “key: value”; put a space after the colon, and indent what goes with the key above by two spaces"},
		{"double-quoted text", "the quote that begins here has no end; close it"},
		{"single-quoted text", "the quote that begins here has no end; close it"},
		{"sequence end token", "the list that begins here has no end; close it with ]"},
		{"flow map", "the mapping has no end; close it with }"},
		{"',' or '}' must be specified", "the mapping before this has no end; close it with }"},
		{"',' or ']' must be specified", "the list before this has no end; close it with ]"},
		{"is a reserved character", problem + "; put the text in quotes"},
		{"invalid key", "this is not a key; a key is a plain word"},
		{"unexpected key name", "this is not a key; a key is a plain word"},
	} {
		if strings.Contains(problem, a.about) {
			return a.advice
		}
	}
	if m := duplicateKey.FindStringSubmatch(problem); m != nil {
		return m[1] + " stands there twice; leave one out, here or in line " + m[2]
	}
	return problem
}

// duplicateKey matches the library's message about a key that is there twice.
var duplicateKey = regexp.MustCompile(`^mapping key "(.*)" already defined at \[(\d+):\d+\]$`)
