package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
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

// Quote quotes a word for a shell where it needs that. A character that is invisible, or that changes the direction of the
// text after it, is written as its number, as bash and zsh read it: so that a reader sees what is in the command.
func Quote(w string) string {
	if strings.ContainsFunc(w, invisible) || !utf8.ValidString(w) {
		return "$'" + numbered(w) + "'"
	}
	if w != "" && !strings.ContainsAny(w, " \t\n'\"\\$`|&;<>()*?[]#~!{}") {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// invisible reports whether a character is a control or formatting character.
func invisible(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }

// numbered writes each byte of every character that is not plain as a number.
func numbered(w string) string {
	var b strings.Builder
	for len(w) > 0 {
		r, n := utf8.DecodeRuneInString(w)
		if invisible(r) || r == utf8.RuneError && n == 1 || r == '\'' || r == '\\' {
			for i := range n {
				fmt.Fprintf(&b, `\x%02x`, w[i])
			}
		} else {
			b.WriteRune(r)
		}
		w = w[n:]
	}
	return b.String()
}

// visibleMost is how many bytes of an error are printed: it may quote what it found.
const visibleMost = 20_000

// Visible returns an error's text without anything that controls the terminal or changes the direction of a line.
func Visible(text string) string {
	if len(text) > visibleMost {
		text = text[:visibleMost] + "…"
	}
	return strings.Map(func(r rune) rune {
		if r != '\n' && invisible(r) {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
