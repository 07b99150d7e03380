package yamlform

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// An entry is a key of a mapping with its value.
type entry struct {
	key   string
	at    Place // of the key
	value ast.Node
}

// mapping returns the entries of a mapping. ok is false if the node is none.
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
			d.Fail(p, "%s stands there twice", name.Value)
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
		d.Fail(placeOf(n.GetToken()), "found %s; anchors, aliases and tags are not read here: write %s", describe(n), want)
	default:
		d.Fail(placeOf(n.GetToken()), "found %s; want %s", describe(n), want)
	}
}

// describe returns in a few words what a node is.
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

// cut shortens a text to what fits into a line of a message.
func cut(text string) string {
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:60], "") + "…"
	}
	return text
}

// number matches what YAML takes for a number. The library returns some of them as text: those that are too long, and 1e+30.
var number = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

// scalarText returns the text of a scalar. ok is false if it is not of a type of JSON Schema; "" stands for any.
func scalarText(n ast.Node, kind string) (text string, ok bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		if n.GetToken().Type == token.StringType && number.MatchString(n.Value) {
			return n.Value, kind == "" || kind == "number" || kind == "integer" && strings.Trim(n.Value, "+-0123456789") == ""
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
