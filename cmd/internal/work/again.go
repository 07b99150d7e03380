package work

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

// Again returns the command line as the user would type it, with one more flag.
func Again(c *cobra.Command, args []string, with string) string {
	words := append([]string{cli.Program}, strings.Fields(c.CommandPath())[1:]...)
	for _, a := range args {
		words = append(words, cli.Quote(a))
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Name == with {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			switch {
			case f.Value.Type() != "bool":
				words = append(words, "--"+f.Name, cli.Quote(v))
			case v == "true":
				words = append(words, "--"+f.Name)
			default:
				words = append(words, "--"+f.Name+"="+v)
			}
		}
	})
	return strings.Join(append(words, "--"+with), " ")
}
