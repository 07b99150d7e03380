package wording

import (
	"fmt"
	"strconv"
	"strings"
)

// Widths in columns. Nothing but a run's last lines, its summary and the command that repeats it, is wider than the first.
const (
	LineWidth = 118
	TextWidth = 100 // of running text, which is easier to read if it is narrower
)

// List returns words as a sentence has them: "a", "a and b", "a, b and c".
func List(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Few returns words with a separator between them, and of many only the first and how many more there are.
func Few(words []string, most int, between string) string {
	if len(words) <= most {
		return strings.Join(words, between)
	}
	return strings.Join(words[:most], between) + fmt.Sprintf(" and %d more", len(words)-most)
}

// Shorten cuts a text to a number of columns.
func Shorten(text string, columns int) string {
	if letters := []rune(text); len(letters) > columns {
		return string(letters[:columns-1]) + "…"
	}
	return text
}

// Either returns the first word for one thing, the other for many.
func Either(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Count returns a number of things: "1 run", "3 runs".
func Count(n int, one, many string) string { return fmt.Sprintf("%d %s", n, Either(n, one, many)) }

// Dash replaces an empty text by a dash.
func Dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// Share returns a count as a part of others: "3 of 10".
func Share(n, all int) string { return fmt.Sprintf("%d of %d", n, all) }

// SeedOr returns a seed, or a word where there is none.
func SeedOr(seed *uint64, none string) string {
	if seed == nil {
		return none
	}
	return strconv.FormatUint(*seed, 10)
}

// TokensFrom says where tokens come from, behind what a lock is.
func TokensFrom(source string) string {
	if source == "" {
		return ""
	}
	return "; tokens from " + source
}

// Assumed returns the sentence that names a scenario's departures, to follow its finding; "" if there are none.
func Assumed(departures []string) string {
	if len(departures) == 0 {
		return ""
	}
	return " Assumed: " + strings.Join(departures, "; ") + "."
}
