package cli

import (
	"testing"

	"github.com/spf13/cobra"
)

// parsed returns a command of several kinds of flags, with the flags that were given.
func parsed(t *testing.T, given ...string) *cobra.Command {
	t.Helper()
	root, c := &cobra.Command{Use: "lockstorm"}, &cobra.Command{Use: "fuzz"}
	root.AddCommand(c)
	f := c.Flags()
	f.SortFlags = false
	f.Int("runs", 10, "")
	f.StringSlice("faults", nil, "draw a `LIST` of faults")
	f.StringSlice("property", nil, "a `NAME`")
	f.StringArray("set", nil, "")
	f.BoolP("quiet", "q", false, "")
	f.String("store", "", "")
	f.Bool("resume", false, "")
	if err := c.ParseFlags(given); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRepeatedCommandKeepsFlagsThatAffectItsResult(t *testing.T) {
	c := parsed(t, "--set", "a=b c", "-q", "--faults", "delay,loss", "--faults", "pause", "--set=x=1", "--property", "fenced,belief")
	got := Again(c, []string{"my file.yaml"}, "runs=7", "faults", "store", "property", "set")
	if want := "lockstorm fuzz 'my file.yaml' --runs 7 --faults delay,loss,pause --property fenced --property belief --set 'a=b c' --set x=1"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestResumingCommandReadsAsTyped(t *testing.T) {
	c := parsed(t, "-q", "--store", "my rows", "--resume=false")
	if got, want := AsTyped(c, []string{"redlock/any"}, "resume"), Program+" fuzz redlock/any --quiet --store 'my rows'"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestFlagWithFewValuesRejectsOthersAndListsThem(t *testing.T) {
	c := &cobra.Command{Use: "list"}
	var format, input string
	FormatFlag(c.Flags(), &format)
	ChoiceFlag(c.Flags(), &input, "input", "", "read `json|edn`")
	for given, want := range map[string]string{
		"--format=xml": `--format: "xml" is not one of text, markdown, html, json, csv`, "--format=": `--format: "" is not one of text, markdown, html, json, csv`, "--input=x": `--input: "x" is not one of json, edn`,
	} {
		err := c.ParseFlags([]string{given})
		if err = FlagError(c, err); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", given, err, want)
		}
	}
	if err := c.ParseFlags([]string{"--input="}); err != nil || format != "text" {
		t.Errorf("%v, %q", err, format)
	}
	if err := c.ParseFlags([]string{"--input=edn", "--format=json"}); err != nil || format != "json" || input != "edn" {
		t.Errorf("%v, %q, %q", err, format, input)
	}
}
