package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/scenarios"
)

// The exit codes.
const (
	exitAsExpected    = 0
	exitNotAsExpected = 1
	exitUnknown       = 2
	exitBadInput      = 254
	exitOwnFault      = 255
)

// exits gives the exit code for each verdict of a run.
var exits = [...]int{scenarios.Pass: exitAsExpected, scenarios.Unknown: exitUnknown, scenarios.Fail: exitNotAsExpected}

// An outcome is a way to end that is no error: the command has said what there was to say.
type outcome int

// Error says the exit code.
func (o outcome) Error() string { return fmt.Sprintf("exit %d", int(o)) }

// A breach is an error that is Lockstorm's own fault, not its user's.
type breach struct{ error }

// program is how the user calls Lockstorm: commands that are printed can be pasted.
var program = "lockstorm"

func main() {
	if strings.Contains(filepath.ToSlash(os.Args[0]), "/go-build") {
		program = "go run ./cmd/lockstorm"
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(scenarios.GCPercent)
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run carries out one command line, and gives the exit code.
func run(args []string, out, errs io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(errs, "lockstorm: this is a fault of Lockstorm's own; please report it: %v\n%s", r, debug.Stack())
			code = exitOwnFault
		}
	}()
	root := newRoot()
	root.SetArgs(append([]string{}, args...)) // never nil, which would mean the arguments of the process
	root.SetOut(out)
	root.SetErr(errs)
	return exitCode(root.Execute(), errs)
}

// exitCode says what was wrong, in one line, and gives the code for it.
func exitCode(err error, errs io.Writer) int {
	var done outcome
	var own breach
	switch {
	case err == nil:
		return exitAsExpected
	case errors.As(err, &done):
		return int(done)
	case errors.As(err, &own):
		fmt.Fprintln(errs, "lockstorm:", seenWhole(err.Error()))
		return exitOwnFault
	}
	fmt.Fprintln(errs, "lockstorm:", seenWhole(err.Error()))
	return exitBadInput
}

// errorMost is how many bytes of an error are told: it may quote what it found.
const errorMost = 20_000

// seenWhole gives an error as a terminal can show it: nothing in it steers the terminal, or turns the direction of a line.
func seenWhole(text string) string {
	if len(text) > errorMost {
		text = text[:errorMost] + "…"
	}
	return strings.Map(func(r rune) rune {
		if r != '\n' && unseen(r) {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "lockstorm",
		Short: "See which promises of a distributed lock break, when and why",
		Long: "Lockstorm runs lock clients against many Redis nodes in one process, under clock jumps, pauses, restarts, late\n" +
			"packets and partitions, and says which promise of the lock broke, when and why.\n\n" +
			"A run is a pure function of its scenario and seed: what happened once happens again.",
		Example: "  lockstorm list\n" +
			"  lockstorm run kleppmann/gc-pause\n" +
			"  lockstorm run kleppmann/pause-before-reply --set lock.validity_check=false\n" +
			"  lockstorm run baseline/fault-free --runs 10000\n" +
			"  lockstorm check history.edn --model fenced-mutex",
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetFlagErrorFunc(flagError)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetVersionTemplate("{{.DisplayName}} version {{build}}\n")
	root.AddCommand(
		newList(), newRun(), newTest(), newReplay(), newReport(), newDebate(), newServe(), newMetrics(),
		newCheck(), newNew(), newValidate(), newSchema(),
		newFuzz(), newShrink(), newSweep(), newBound(), newMatrix(), newEfficiency(),
		newRows(), newMerge(), newExport(), newCalibrate(), newSoundness(), newScheduleTopic(),
	)
	return root
}
