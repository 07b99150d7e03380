package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Again returns the command that comes to the same result again, as it is stored: with the arguments, and with those of the
// flags that were given. Flags that say only where to write and how to print are not named by commands. NAME=VALUE stands for a
// flag with that value, whether it was given or not.
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

// GoOn returns the command line as the user typed it, with one more flag.
func GoOn(c *cobra.Command, args []string, with string) string {
	words := commandWords(c, args)
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != with {
			words = append(words, flagWords(f)...)
		}
	})
	return Typed(strings.Join(append(words, "--"+with), " "))
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
