package yamlform

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Limits of a file. They are far beyond what a person writes, and keep the time that the YAML library takes for
// malformed or hostile text below a fraction of a second.
const (
	// BytesMax is how many bytes a file may have.
	BytesMax = 64 << 10

	lineBytesMax = 2000
	linesMax     = 4000
	blankMax     = 100 // in a row: the library copies a whole block of text for each one at its end
	indentMax    = 60
	nestingMax   = 20
)

// checkLimits rejects text that no person would write as YAML, before the library reads it.
func checkLimits(text []byte) (p Place, problem string) {
	if len(text) > BytesMax {
		return p, fmt.Sprintf("the file has more than %d bytes; no scenario needs that many", BytesMax)
	}
	if bytes.HasPrefix(text, []byte{0xff, 0xfe}) || bytes.HasPrefix(text, []byte{0xfe, 0xff}) {
		return p, "this is UTF-16; save it as UTF-8"
	}
	nesting, blank := 0, 0
	for i, line := range strings.Split(string(text), "\n") {
		p.Line, p.Column = i+1, 1
		if i >= linesMax {
			return p, fmt.Sprintf("a scenario has at most %d lines", linesMax)
		}
		if blank++; strings.TrimSpace(line) != "" {
			blank = 0
		}
		if blank > blankMax {
			return p, fmt.Sprintf("%d empty lines follow each other; give at most %d", blank, blankMax)
		}
		line = strings.TrimSuffix(line, "\r")
		if len(line) > lineBytesMax {
			return p, fmt.Sprintf("the line has %d bytes; give at most %d", len(line), lineBytesMax)
		}
		if in := len(line) - len(strings.TrimLeft(line, " -?:")); in > indentMax {
			p.Column = in
			return p, fmt.Sprintf("this is %d columns in; nothing in a scenario is that deep", in)
		}
		column := 0
		for at, r := range line {
			column++
			p.Column = column
			if _, size := utf8.DecodeRuneInString(line[at:]); r == utf8.RuneError && size == 1 ||
				unicode.IsControl(r) && r != '\t' {
				return p, "this is not text; a scenario file is YAML in UTF-8"
			}
			switch r {
			case '[', '{':
				nesting++
			case ']', '}':
				nesting = max(0, nesting-1)
			}
			if nesting > nestingMax {
				return p, fmt.Sprintf("%d brackets are open; nothing in a scenario is that deep", nesting)
			}
		}
	}
	return p, ""
}

// parse returns the top node of the text as YAML; nil if something is wrong. The library panics on some malformed text.
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
		{"mapping value is not allowed in this context",
			"found a second colon; put a text that has one in quotes, and indent each key like its neighbours"},
		{"value is not allowed in this context",
			"this is indented wrongly; indent it like the lines that it belongs to"},
		{"non-map value is specified",
			"found no “key: value”; put a space after the colon, and indent by two spaces what belongs to the key above"},
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
		return m[1] + " is there twice; leave one out, here or in line " + m[2]
	}
	return problem
}

// duplicateKey matches the library's message about a key that is there twice.
var duplicateKey = regexp.MustCompile(`^mapping key "(.*)" already defined at \[(\d+):\d+\]$`)

type entry struct {
	key   string
	at    Place // of the key
	value ast.Node
}

func (d *Decoder) mapping(n ast.Node, want string) (all []entry, ok bool) {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		d.mismatch(n, want)
		return nil, false
	}
	seen := map[string]bool{}
	for _, v := range values {
		name, plain := v.Key.(*ast.StringNode)
		p := placeOf(v.Key.GetToken())
		switch {
		case !plain:
			d.Fail(p, "%s is not a key; a key is a plain word", describe(v.Key))
		case seen[name.Value]:
			d.Fail(p, "%s is there twice", name.Value)
		default:
			seen[name.Value] = true
			all = append(all, entry{name.Value, p, v.Value})
		}
	}
	return all, true
}

func (d *Decoder) mismatch(n ast.Node, want string) {
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		d.Fail(placeOf(n.GetToken()), "found %s; anchors, aliases and tags are not supported; write %s", describe(n),
			want)
	default:
		d.Fail(placeOf(n.GetToken()), "found %s; want %s", describe(n), want)
	}
}

func describe(n ast.Node) string {
	switch n := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "nothing"
	case *ast.LiteralNode:
		return "a block of text"
	case *ast.AnchorNode:
		return "an anchor"
	case *ast.AliasNode:
		return "an alias"
	case *ast.TagNode:
		return "the tag " + n.GetToken().Value
	case *ast.MergeKeyNode:
		return "a merge key"
	}
	t := n.GetToken()
	text := fmt.Sprintf("%q", cut(t.Value))
	if t.Type == token.DoubleQuoteType || t.Type == token.SingleQuoteType {
		return "the text " + text
	}
	return text
}

func cut(text string) string {
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:60], "") + "…"
	}
	return text
}

// number matches a number of YAML. The library returns some as text: those that are too long, and 1e+30.
var number = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

// scalarText returns the text of a scalar. ok is false if it is not of a type of JSON Schema; "" is any.
func scalarText(n ast.Node, kind string) (text string, ok bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		if n.GetToken().Type == token.StringType && number.MatchString(n.Value) {
			return n.Value, kind == "" || kind == "number" || kind == "integer" &&
				strings.Trim(n.Value, "+-0123456789") == ""
		}
		return n.Value, kind == "string" || kind == ""
	case *ast.LiteralNode:
		return n.Value.Value, kind == "string" || kind == ""
	case *ast.IntegerNode:
		return n.GetToken().Value, kind == "integer" || kind == "number" || kind == ""
	case *ast.FloatNode:
		return n.GetToken().Value, kind == "number" || kind == ""
	case *ast.BoolNode:
		return n.GetToken().Value, kind == "boolean" || kind == ""
	}
	return "", false
}
