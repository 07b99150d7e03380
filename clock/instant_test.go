package clock

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestTextIsExactAndShort(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Instant(0).String(), "0s"},
		{Instant(10_200_000_000).String(), "10.2s"},
		{Instant(1_000).String(), "0.000001s"},
		{Instant(-1).String(), "-0.000000001s"},
		{Instant(100 * time.Second).String(), "100s"},
		{Forever.String(), "forever"},
		{start.Add(500 * time.Millisecond).String(), "1767225600.5s"},
		{Rate(0).String(), "0ppm"},
		{(800 * PPM).String(), "+800ppm"},
		{Rate(-500).String(), "-0.5ppm"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestTextReadsBackToTheNanosecond(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64().Draw(t, "n")
		for _, text := range []string{min(Instant(n), Forever-1).String(), Reading(n).String()} {
			got, err := time.ParseDuration(text)
			if err != nil || int64(got) != n && Instant(n) != Forever {
				t.Fatalf("%d prints %q, which reads %d, %v", n, text, got, err)
			}
		}
	})
}

func TestNothingIsAfterForever(t *testing.T) {
	if got := Forever.Add(-1); got != Forever {
		t.Errorf("before forever: %v", got)
	}
	if got := (Forever - 5).Add(6); got != Forever {
		t.Errorf("beyond the range: %v", got)
	}
	if got := Instant(5).Add(-7); got != -2 {
		t.Errorf("5ns less 7ns is %v", got)
	}
}
