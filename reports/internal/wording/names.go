package wording

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/clock"
)

// Fence returns a fencing token in brackets; empty for none.
func Fence(token uint64) string {
	if token == 0 {
		return ""
	}
	return fmt.Sprintf(" (token %d)", token)
}

// Micros returns an instant in seconds, with all six digits, so that they align.
func Micros(t clock.Instant) string {
	return fmt.Sprintf("%.6f s", t.Sub(0).Seconds())
}

// instants matches the instants in a text that have more decimals than people read.
var instants = regexp.MustCompile(`[0-9]+\.[0-9]{4,} s\b`)

// Rounding returns what rounds the instants in texts to milliseconds, or to more decimals where two would look equal.
func Rounding(texts ...string) *strings.Replacer {
	var pairs []string
	all := instants.FindAllString(strings.Join(texts, "\n"), -1)
	for _, exact := range all {
		places := 3
		equal := func(other string) bool {
			return rounded(other, 9) != rounded(exact, 9) && rounded(other, places) == rounded(exact, places)
		}
		for slices.ContainsFunc(all, equal) {
			places++
		}
		pairs = append(pairs, exact, rounded(exact, places))
	}
	return strings.NewReplacer(pairs...)
}

func rounded(instant string, places int) string {
	seconds, _ := strconv.ParseFloat(strings.TrimSuffix(instant, " s"), 64)
	return strconv.FormatFloat(seconds, 'f', places, 64) + " s"
}

// ClientName returns the name that scenarios have for a client.
func ClientName(i int) string { return "c" + strconv.Itoa(i+1) }

// NodeName returns the name that scenarios have for a node.
func NodeName(i int) string { return "n" + strconv.Itoa(i+1) }
