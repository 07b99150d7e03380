package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lockstorm/lockstorm/reports"
)

// ManPages returns a page of the program and of each of its commands and topics, in the macros of man(7). Cobra's
// generator reads a text as Markdown: it drops words such as <seed> and fills tables, and it needs three more modules.
func ManPages(root *cobra.Command) []reports.File {
	pages := []reports.File{page(root)}
	for _, c := range Shown(root) {
		pages = append(pages, page(c))
	}
	return pages
}

// Shown returns the commands and topics that the help lists, each with those below it.
func Shown(parent *cobra.Command) (all []*cobra.Command) {
	for _, c := range parent.Commands() {
		if !c.Hidden && c.Name() != "help" {
			all = append(append(all, c), Shown(c)...)
		}
	}
	return all
}

// pageName returns the name of a command's page.
func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

func page(c *cobra.Command) reports.File {
	name := pageName(c)
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" %q Lockstorm\n.SH NAME\n%s \\- %s\n", escaped(strings.ToUpper(name)),
		c.Root().Name()+" "+Version, escaped(name), escaped(c.Short))
	switch {
	case !c.HasParent():
		fmt.Fprintf(&b, ".SH SYNOPSIS\n%s COMMAND [flags]\n", escaped(name))
	case c.Runnable():
		fmt.Fprintf(&b, ".SH SYNOPSIS\n%s\n", escaped(c.UseLine()))
	}
	b.WriteString(".SH DESCRIPTION\n" + escapedText(c.Long))
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	if c.Flags().HasAvailableFlags() {
		b.WriteString(".SH OPTIONS\n")
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			b.WriteString(flag(f))
		}
	})
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n" + escapedText(c.Example))
	}
	b.WriteString(seeAlso(c))
	return reports.File{Name: name + ".1", Content: []byte(b.String())}
}

func flag(f *pflag.Flag) string {
	value, usage := pflag.UnquoteUsage(f)
	names := `\fB` + escaped("--"+f.Name) + `\fR`
	if f.Shorthand != "" {
		names = `\fB` + escaped("-"+f.Shorthand) + `\fR, ` + names
	}
	if value != "" {
		names += ` \fI` + escaped(value) + `\fR`
	}
	switch f.DefValue {
	case "", "0", "false", "[]", "0s":
	default:
		usage += " (default " + strings.Trim(f.DefValue, "[]") + ")"
	}
	return ".TP\n" + names + "\n" + escaped(strings.ReplaceAll(usage, "\n", " ")) + "\n"
}

// seeAlso names the program's page, or on that page the pages of its commands.
func seeAlso(c *cobra.Command) string {
	if c.HasParent() {
		return fmt.Sprintf(".SH SEE ALSO\n.BR %s (1)\n", escaped(c.Root().Name()))
	}
	var b strings.Builder
	b.WriteString(".SH COMMANDS AND TOPICS\n")
	for _, sub := range Shown(c) {
		fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", escaped(pageName(sub)), escaped(sub.Short))
	}
	return b.String()
}

// escapedText returns paragraphs: lines that begin with a blank stay as they are, others are filled.
func escapedText(text string) string {
	var b strings.Builder
	verbatim := false
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		switch as := strings.HasPrefix(line, " "); {
		case line == "" && !verbatim:
			line = ".PP"
		case line != "" && as != verbatim:
			b.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[as])
			verbatim = as
			fallthrough
		default:
			line = escaped(line)
		}
		b.WriteString(line + "\n")
	}
	if verbatim {
		b.WriteString(".fi\n")
	}
	return b.String()
}

// escaped returns a text in which nothing has a meaning to roff.
func escaped(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// SchemaLine is the first line of a file. Editors find its JSON Schema by it.
func SchemaLine(schema string) string { return "# yaml-language-server: $schema=" + schema + "\n" }
