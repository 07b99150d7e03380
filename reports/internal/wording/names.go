package wording

import (
	"fmt"
	"strconv"

	"github.com/lockstorm/lockstorm/clock"
)

// Fence returns a fencing token in brackets; empty for none.
func Fence(token uint64) string {
	if token == 0 {
		return ""
	}
	return fmt.Sprintf(" (token %d)", token)
}

// Micros returns an instant in seconds, with all six digits, so that they stand in line.
func Micros(t clock.Instant) string {
	return fmt.Sprintf("%.6fs", t.Sub(0).Seconds())
}

// ClientName returns the name that scenarios have for a client.
func ClientName(i int) string { return "c" + strconv.Itoa(i+1) }

// NodeName returns the name that scenarios have for a node.
func NodeName(i int) string { return "n" + strconv.Itoa(i+1) }
