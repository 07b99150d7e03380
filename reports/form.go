package reports

import "html/template"

// A Frame is what a page has around it that is one of several of a site.
type Frame struct {
	Sheet, Icon string   // addresses
	Up          Link     // the page that leads to this one; none if it leads nowhere
	Menu        []Shelf  // of all pages; without one, a server states the policy
	Home        Link     // the first page
	Search      string   // the address of the page that searches; "" for none
	Scripts     []string // addresses of those of the page
	Allowed     string   // other scripts that may run, as a policy has them
	Inline      bool     // styles within the page are allowed: it shows a page of others
}

// A Shelf is pages that stand together in a menu. The one that is shown has no address.
type Shelf struct {
	Head  string
	Links []Link
}

// A Form is what a page asks for. Its answer is an address, so it can be kept.
type Form struct {
	Action string // the address that the answer is added to
	Role   string
	Fields []Field
	Button string
	Words  []Span // beside the button
}

// A Field is one thing that a form asks for: a choice, or a text. One without a label is not shown.
type Field struct {
	Name, Label, Value string
	Choices            []Choice // none: a text
}

// A Choice is one of the values of a field, and the words for it.
type Choice struct{ Value, Words string }

// form writes a form: what it asks for, and the blocks that stand in it. Behind them stands the button once more.
func (w *htmlWriter) form(b *Block) {
	f := b.Form
	w.WriteString("<form" + attribute("class", b.Class) + attribute("action", f.Action) + attribute("role", f.Role) + ">\n")
	for _, field := range f.Fields {
		w.WriteString(field.html() + "\n")
	}
	button := ""
	if f.Button != "" {
		button = "<button>" + template.HTMLEscapeString(f.Button) + "</button>"
	}
	beside := "<p class=\"tools\">" + spansHTML(f.Words) + button + "</p>\n"
	w.WriteString(beside)
	if w.blocks(b.Blocks); len(b.Blocks) > 0 && button != "" {
		w.WriteString("<p class=\"tools\">" + button + "</p>\n")
	}
	w.WriteString("</form>\n")
}

func (f Field) html() string {
	name, value := attribute("name", f.Name), " value=\""+template.HTMLEscapeString(f.Value)+"\""
	label := "<label>" + template.HTMLEscapeString(f.Label) + " "
	switch {
	case f.Label == "":
		return "<input type=\"hidden\"" + name + value + ">"
	case len(f.Choices) == 0:
		return label + "<input type=\"search\" size=\"16\"" + name + value + "></label>"
	}
	options := ""
	for _, c := range f.Choices {
		chosen := ""
		if c.Value == f.Value {
			chosen = " selected"
		}
		options += "<option value=\"" + template.HTMLEscapeString(c.Value) + "\"" + chosen + ">" +
			template.HTMLEscapeString(c.Words) + "</option>"
	}
	return label + "<select" + name + ">" + options + "</select></label>"
}

// tick returns the field as a box to tick; nil is none.
func (f *Field) tick() string {
	if f == nil {
		return ""
	}
	return "<input type=\"checkbox\"" + attribute("name", f.Name) + attribute("value", f.Value) +
		attribute("aria-label", f.Label) + "> "
}
