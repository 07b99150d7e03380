package cli

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lockstorm/lockstorm/reports/shell"
)

// Name is the name of the program, with which stored commands begin.
var Name = "lockstorm"

// Program is how the user calls it, so that printed commands can be pasted.
var Program = Name

// CalledAs sets Name, and Program from the path of the executable, which go run puts into its build directory. A
// program in a separate module can't be run from here, so it keeps its name.
func CalledAs(name, file string) {
	Name, Program = name, name
	if name == "lockstorm" && strings.Contains(filepath.ToSlash(file), "/go-build") {
		Program = "go run ./cmd/lockstorm"
	}
}

// Typed returns a command as the user would type it. Stored commands begin with the program's name.
func Typed(command string) string { return Program + strings.TrimPrefix(command, Name) }

// Quote quotes a word for a shell where it needs that.
func Quote(w string) string { return shell.Quote(w) }

// visibleMost is how many bytes of an error are printed: it may quote what it found.
const visibleMost = 20_000

// Visible returns an error's text without anything that controls the terminal or changes the direction of a line.
func Visible(text string) string {
	if len(text) > visibleMost {
		text = text[:visibleMost] + "…"
	}
	return strings.Map(func(r rune) rune {
		if r != '\n' && shell.Invisible(r) {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// Again returns the command that repeats a result, as it is stored: with the arguments, and with the named flags that
// were given. Callers don't name flags that say only where to write and how to print. NAME=VALUE is a flag with that
// value, whether it was given or not.
func Again(c *cobra.Command, args []string, flags ...string) string {
	words := commandWords(c, args)
	for _, flag := range flags {
		name, value, fixed := strings.Cut(flag, "=")
		switch f := c.Flags().Lookup(name); {
		case fixed:
			words = append(words, "--"+name, Quote(value))
		case f.Changed:
			words = append(words, flagWords(f)...)
		}
	}
	return strings.Join(words, " ")
}

// AsTyped returns the command line as the user typed it, with these arguments and without some flags.
func AsTyped(c *cobra.Command, args []string, without ...string) string {
	words := commandWords(c, args)
	c.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(without, f.Name) {
			words = append(words, flagWords(f)...)
		}
	})
	return Typed(strings.Join(words, " "))
}

// commandWords returns the words of a command line without flags.
func commandWords(c *cobra.Command, args []string) []string {
	words := append([]string{Name}, strings.Fields(c.CommandPath())[1:]...)
	for _, a := range args {
		words = append(words, Quote(a))
	}
	return words
}

// flagWords returns a flag with its value. One that was given several times is given so again, unless it takes a LIST.
func flagWords(f *pflag.Flag) (words []string) {
	values := []string{f.Value.String()}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		values = list.GetSlice()
		if what, _ := pflag.UnquoteUsage(f); what == "LIST" {
			values = []string{strings.Join(values, ",")}
		}
	}
	for _, v := range values {
		switch {
		case f.Value.Type() != "bool":
			words = append(words, "--"+f.Name, Quote(v))
		case v == "true":
			words = append(words, "--"+f.Name)
		default:
			words = append(words, "--"+f.Name+"="+v)
		}
	}
	return words
}

// SchemaLine is the first line of a file. Editors find its JSON Schema by it.
func SchemaLine(schema string) string { return "# yaml-language-server: $schema=" + schema + "\n" }
