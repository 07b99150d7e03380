package layout

import (
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

// PageWords are what the templates of pages can do with a text.
var PageWords = template.FuncMap{"command": CommandHTML}

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
