package cli

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/lockstorm/lockstorm/reports/layout"
)

// ColorFlag adds the flag that turns colour on or off.
func ColorFlag(f *pflag.FlagSet, when *string) {
	f.StringVar(when, "color", "auto", "print in colour `auto|always|never`; auto is on a terminal, unless NO_COLOR is set or TERM is dumb")
}

// CheckColour checks that flag.
func CheckColour(when string) error {
	if when != "auto" && when != "always" && when != "never" {
		return fmt.Errorf("--color: %q is not one of auto, always and never", when)
	}
	return nil
}

// ScreenFor returns the width and colours that a text is laid out for. A file or pipe always gets the same bytes, whatever
// terminal the command was typed in and whatever the environment says of that terminal.
func ScreenFor(out io.Writer, colour string) layout.Screen {
	s := layout.Screen{Colour: colour == "always"}
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
