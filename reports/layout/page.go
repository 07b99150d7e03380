package layout

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // for the style
	"encoding/base64"
	"html/template"
	"strings"
)

// PageStyle is the style of every page.
//
//go:embed page.css
var PageStyle string

// Hashed names a style or script as the only one that may run.
func Hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

//go:embed head.html
var pageHead string

// PageTemplate returns the template of a page. It can begin with the template head, and has the function command.
func PageTemplate(text string) *template.Template {
	return template.Must(template.Must(template.New("page").Funcs(template.FuncMap{"command": CommandHTML}).Parse(pageHead)).Parse(text))
}

// Policy is the Content-Security-Policy of a page that loads nothing, and has this style and what else is allowed.
func Policy(style, allowed string) string {
	return "default-src 'none'; style-src " + Hashed(style) + ";" + allowed + " base-uri 'none'; form-action 'none'"
}

// Execute returns the page that a template makes of data. The template must fit the data.
func Execute(t *template.Template, data any) []byte {
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		panic("layout: " + err.Error())
	}
	return b.Bytes()
}

// CommandHTML returns a command for a page. Words with hyphens are held together: a browser would break a line within
// "--seed".
func CommandHTML(command string) template.HTML {
	words := strings.Split(command, " ")
	for i, w := range words {
		words[i] = template.HTMLEscapeString(w)
		if strings.Contains(w, "-") {
			words[i] = `<span class="word">` + words[i] + "</span>"
		}
	}
	return template.HTML(strings.Join(words, " "))
}
