package cli

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"

	"github.com/lockstorm/lockstorm/reports"
)

// ScreenFor returns the width and colours that a text is laid out for. A file or pipe always gets the same bytes, whatever
// terminal the command was typed in and whatever the environment says of that terminal.
func ScreenFor(out io.Writer, colour string) reports.Screen {
	s := reports.Screen{Colour: colour == "always", Program: Program}
	if !IsTerminal(out) {
		return s
	}
	s.Width = Width(out)
	if colour == "auto" {
		s.Colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	return s
}

// Width returns the columns of a terminal: what it says itself, else what COLUMNS says, else 80.
func Width(out io.Writer) int {
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

// IsTerminal reports whether out is a terminal.
func IsTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
