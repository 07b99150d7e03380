package browse

import (
	"html/template"

	"github.com/lockstorm/lockstorm/reports"
)

// A form is what a page asks for. Its answer is an address, so it can be kept.
type form struct {
	action string // the address that the answer is added to
	class  string
	role   string
	fields []field
	words  []reports.Span // next to the button
	button string
	table  *reports.Block // what is chosen from, if anything; the button is also below it
}

// A field is one thing that a form asks for: a choice, or a text. A field without a label is not shown.
type field struct {
	name, label, value string
	choices            []choice // none for a text
}

// A choice is one of the values of a field, and the words for it.
type choice struct{ value, words string }

// FormClass is the class of a group that is a form. A page without a server shows only the tables in it.
const FormClass = "form"

// block returns the form for a page.
func (f *form) block() reports.Block {
	opening := "<form" + attribute("class", f.class) + attribute("action", f.action) + attribute("role", f.role) + ">\n"
	for _, x := range f.fields {
		opening += x.html() + "\n"
	}
	var button []reports.Span
	if f.button != "" {
		button = []reports.Span{markup("<button>" + template.HTMLEscapeString(f.button) + "</button>")}
	}
	all := []reports.Block{{Kind: "markup", Image: opening}, {Class: "tools", Words: append(f.words, button...)}}
	if f.table != nil {
		all = append(all, *f.table)
	}
	if f.table != nil && button != nil {
		all = append(all, reports.Block{Class: "tools", Words: button})
	}
	return reports.Block{Kind: "group", Class: FormClass, In: reports.Page,
		Blocks: append(all, reports.Block{Kind: "markup", Image: "</form>\n"})}
}

func (f *field) html() string {
	name, value := attribute("name", f.name), " value=\""+template.HTMLEscapeString(f.value)+"\""
	label := "<label>" + template.HTMLEscapeString(f.label) + " "
	switch {
	case f.label == "":
		return "<input type=\"hidden\"" + name + value + ">"
	case len(f.choices) == 0:
		return label + "<input type=\"search\" size=\"16\"" + name + value + "></label>"
	}
	options := ""
	for _, c := range f.choices {
		chosen := ""
		if c.value == f.value {
			chosen = " selected"
		}
		options += "<option value=\"" + template.HTMLEscapeString(c.value) + "\"" + chosen + ">" +
			template.HTMLEscapeString(c.words) + "</option>"
	}
	return label + "<select" + name + ">" + options + "</select></label>"
}

// tick returns a box to tick.
func tick(name, value, label string) reports.Span {
	return markup("<input type=\"checkbox\"" + attribute("name", name) + attribute("value", value) +
		attribute("aria-label", label) + "> ")
}

// markup returns HTML as a span of a page.
func markup(html string) reports.Span {
	return reports.Span{Look: "markup", Text: html, In: reports.Page}
}

func attribute(name, value string) string {
	if value == "" {
		return ""
	}
	return " " + name + `="` + template.HTMLEscapeString(value) + `"`
}
