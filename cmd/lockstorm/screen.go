package main

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/lockstorm/lockstorm/reports"
)

// colouring adds the flag that says whether to print in colour.
func colouring(f *pflag.FlagSet, when *string) {
	f.StringVar(when, "color", "auto", "print in colour `auto|always|never`; auto is on a terminal, unless NO_COLOR is set or TERM is dumb")
}

// checkColour checks that flag.
func checkColour(when string) error {
	if when != "auto" && when != "always" && when != "never" {
		return fmt.Errorf("--color: %q is none of auto, always and never", when)
	}
	return nil
}

// screenFor finds out what a text is laid out for. What is no terminal gets the same bytes whatever the terminal that the
// command was typed in, and whatever its environment says of that one.
func screenFor(out io.Writer, colour string) reports.Screen {
	s := reports.Screen{Colour: colour == "always"}
	if !isTerminal(out) {
		return s
	}
	s.Width = widthOf(out)
	if colour == "auto" {
		s.Colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	return s
}

// widthOf gives the columns of a terminal: what it says itself, else what COLUMNS says, else 80.
func widthOf(out io.Writer) int {
	if f, ok := out.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 {
		return width
	}
	return 80
}

// isTerminal tells whether what is printed there is seen at once.
func isTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
