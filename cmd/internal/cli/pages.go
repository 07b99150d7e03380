package cli

import (
	"bytes"
	"strings"

	"github.com/spf13/cobra"
)

// CommandPages returns the help of all commands and topics as one page in Markdown: the same words that help prints.
func CommandPages(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Commands\n\n")
	for _, c := range append([]*cobra.Command{root}, shown(root)...) {
		var text bytes.Buffer
		out := c.OutOrStdout()
		c.SetOut(&text)
		c.InitDefaultHelpFlag()
		_ = c.Help() // a buffer takes everything
		c.SetOut(out)
		b.WriteString("## " + c.CommandPath() + "\n\n" + fenced(strings.TrimSpace(text.String())))
	}
	return b.String()
}

// fenced returns a text as a block of code, whatever it holds.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "text\n" + text + "\n" + fence + "\n\n"
}

// SchemaLine is the first line of a file. Editors find its JSON Schema by it.
func SchemaLine(schema string) string { return "# yaml-language-server: $schema=" + schema + "\n" }
