package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lockstorm/lockstorm/cmd/internal/build"
	"github.com/lockstorm/lockstorm/cmd/internal/input"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports/layout"
)

// newMan returns the command that writes man pages, for those who pack the program. What cobra has for that brings a Markdown
// compiler along.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "Write man pages", Hidden: true,
		Long:    "Write a man page of the program into DIR, and one of each command and topic.",
		Example: "  lockstorm man man1\n  man -l man1/lockstorm-run.1",
		Args:    input.One("DIR", "such as man1"),
		RunE: func(c *cobra.Command, args []string) error {
			pages := []layout.File{manPage(c.Root())}
			for _, sub := range shown(c.Root()) {
				pages = append(pages, manPage(sub))
			}
			return store.WriteAll(args[0], pages)
		},
	}
}

// shown returns the commands and topics that the help lists.
func shown(root *cobra.Command) (all []*cobra.Command) {
	for _, c := range root.Commands() {
		if !c.Hidden && c.Name() != "help" {
			all = append(all, c)
		}
	}
	return all
}

// manPage returns the page of a command, in the macros of man(7).
func manPage(c *cobra.Command) layout.File {
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" %q Lockstorm\n.SH NAME\n%s \\- %s\n", roff(strings.ToUpper(name)), c.Root().Name()+" "+build.Version, roff(name), roff(c.Short))
	switch {
	case !c.HasParent():
		fmt.Fprintf(&b, ".SH SYNOPSIS\n%s COMMAND [flags]\n", roff(name))
	case c.Runnable():
		fmt.Fprintf(&b, ".SH SYNOPSIS\n%s\n", roff(c.UseLine()))
	}
	b.WriteString(".SH DESCRIPTION\n" + roffText(c.Long))
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	if c.Flags().HasAvailableFlags() {
		b.WriteString(".SH OPTIONS\n")
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			b.WriteString(manFlag(f))
		}
	})
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n" + roffText(c.Example))
	}
	b.WriteString(seeAlso(c))
	return layout.File{Name: name + ".1", Content: []byte(b.String())}
}

// manFlag describes a flag, as the help does.
func manFlag(f *pflag.Flag) string {
	value, usage := pflag.UnquoteUsage(f)
	names := `\fB` + roff("--"+f.Name) + `\fR`
	if f.Shorthand != "" {
		names = `\fB` + roff("-"+f.Shorthand) + `\fR, ` + names
	}
	if value != "" {
		names += ` \fI` + roff(value) + `\fR`
	}
	switch f.DefValue {
	case "", "0", "false", "[]", "0s":
	default:
		usage += " (default " + strings.Trim(f.DefValue, "[]") + ")"
	}
	return ".TP\n" + names + "\n" + roff(strings.ReplaceAll(usage, "\n", " ")) + "\n"
}

// seeAlso names the program's page, or from there those of its commands.
func seeAlso(c *cobra.Command) string {
	if c.HasParent() {
		return fmt.Sprintf(".SH SEE ALSO\n.BR %s (1)\n", roff(c.Root().Name()))
	}
	var b strings.Builder
	b.WriteString(".SH COMMANDS AND TOPICS\n")
	for _, sub := range shown(c) {
		fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", roff(c.Name()+"-"+sub.Name()), roff(sub.Short))
	}
	return b.String()
}

// roffText returns paragraphs: lines that begin with a blank stay as they are, others are filled.
func roffText(text string) string {
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
			line = roff(line)
		}
		b.WriteString(line + "\n")
	}
	if verbatim {
		b.WriteString(".fi\n")
	}
	return b.String()
}

// roff escapes what has a meaning of its own.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
