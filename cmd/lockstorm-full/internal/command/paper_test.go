package command

import (
	"strings"
	"testing"
)

func TestPaperListsItemsWithTheirCommands(t *testing.T) {
	out := mustRun(t, 0, "paper", "--format", "csv")
	for _, want := range []string{"\nfigure-blackbox,figure,scenarios/blackbox.md,", "\ndebate,document,", "\nstudy-steps,study,"} {
		if !strings.Contains(out, want) {
			t.Errorf("it lacks %q:\n%s", want, out)
		}
	}
}

func TestPaperRejectsBadInput(t *testing.T) {
	dir := t.TempDir()
	for args, want := range map[string]string{
		"paper pause":            "paper takes no argument",
		"paper --sources " + dir: "has no go.mod of",
	} {
		if _, errs, code := lockstorm(strings.Fields(args)...); code != 254 || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %s; want %q", args, code, errs, want)
		}
	}
}
