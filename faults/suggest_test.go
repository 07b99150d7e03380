package faults

import (
	"slices"
	"testing"
)

// A part of a long name is nearer to it than the number of letters that it lacks.
func TestAPartOfANameIsNearIt(t *testing.T) {
	got := Nearest("expiry", []string{"expire", "unrelated", "what-becomes-of-the-expiry"})
	if want := []string{"expire", "what-becomes-of-the-expiry"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
