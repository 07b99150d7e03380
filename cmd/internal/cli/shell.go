package cli

import (
	"path/filepath"
	"strings"

	"github.com/lockstorm/lockstorm/reports/shell"
)

// Name is the name of the program, with which stored commands begin.
var Name = "lockstorm"

// Program is how the user calls it, so that printed commands can be pasted.
var Program = Name

// CalledAs sets Name, and Program from the path of the executable, which go run puts into its build directory. A program of
// a module of its own can't be run from here, so it keeps its name.
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
