package browse

import (
	"bytes"
	_ "embed" // for the pages, what they add to the style, and their icon
	"html/template"
	"net/url"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/reports/internal/onerun"
)

//go:embed pages.html
var pageText string

//go:embed pages.css
var pageStyle string

//go:embed icon.svg
var icon string

var templates = template.Must(template.New("pages").Funcs(template.FuncMap{"command": layout.CommandHTML, "listed": listed}).Parse(pageText))

// Policy is the Content-Security-Policy of the pages: a style sheet and pictures of their own, forms that come back, and
// nothing else. They have no scripts.
const Policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Style returns the style sheet of the pages: that of all reports, and a little more.
func Style() []byte { return []byte(onerun.Style() + pageStyle) }

// Icon returns the picture that a browser shows beside the title.
func Icon() []byte { return []byte(icon) }

// Notice returns a page that says something in a sentence or two, such as that there is no such page.
func Notice(title, text string) []byte {
	return render("notice", struct{ Title, Text string }{layout.Plain(title), layout.PlainLong(text)})
}

// listed returns a text for a page, which may be broken into lines behind its commas.
func listed(text string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(text), ",", ",<wbr>"))
}

func render(name string, page any) []byte {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, page); err != nil {
		panic("browse: " + err.Error()) // the template fits its page
	}
	return b.Bytes()
}

// besides returns the address of two runs side by side.
func besides(a, b string) string {
	return "/compare?a=" + url.QueryEscape(escape(a)) + "&b=" + url.QueryEscape(escape(b))
}

// bytesOf returns a size as people read it.
func bytesOf(n int64) string {
	switch {
	case n < 1000:
		return layout.Grouped(int(n)) + " B"
	case n < 1_000_000:
		return layout.Grouped(int(n+500)/1000) + " kB"
	}
	return layout.Grouped(int(n+500_000)/1_000_000) + " MB"
}
