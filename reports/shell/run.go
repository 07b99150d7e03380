package shell

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Run is the command that makes one run.
type Run struct {
	Program  string // its name
	Named    string // the ID of a scenario, or a file
	Seed     uint64
	Set      []string // KEY=VALUE
	NoSearch bool     // the scenario has a search, whose draws are left out
}

// String returns the command.
func (r Run) String() string {
	words := []string{r.Program, "run", Quote(r.Named), "--seed", strconv.FormatUint(r.Seed, 10)}
	for _, s := range r.Set {
		words = append(words, "--set", Quote(s))
	}
	if r.NoSearch {
		words = append(words, "--no-search")
	}
	return strings.Join(words, " ")
}

// State returns the end of the address of the run in a playground.
func (r Run) State() string {
	state := "#run=" + r.Named + "&seed=" + strconv.FormatUint(r.Seed, 10)
	for _, s := range r.Set {
		state += "&set=" + plainly.Replace(url.QueryEscape(s))
	}
	return state
}

// plainly leaves in an address what it can have as it is, as the playground does.
var plainly = strings.NewReplacer("%2F", "/", "%3A", ":", "%2C", ",", "%3D", "=", "%40", "@")

// Quote quotes a word for a shell where it needs that. A character that is invisible, or that changes the direction of
// the text after it, is written as its number, as bash and zsh read it: so that a reader sees what is in the command.
func Quote(w string) string {
	if strings.ContainsFunc(w, Invisible) || !utf8.ValidString(w) {
		return "$'" + numbered(w) + "'"
	}
	if w != "" && !strings.ContainsAny(w, " \t\n'\"\\$`|&;<>()*?[]#~!{}") {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// Invisible reports whether a character is a control or formatting character.
func Invisible(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }

// numbered writes each byte of every character that is not plain as a number.
func numbered(w string) string {
	var b strings.Builder
	for len(w) > 0 {
		r, n := utf8.DecodeRuneInString(w)
		if Invisible(r) || r == utf8.RuneError && n == 1 || r == '\'' || r == '\\' {
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
