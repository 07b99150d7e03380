package work

import (
	"bytes"
	"testing"
	"time"
)

func TestProgressSuitsItsReader(t *testing.T) {
	for _, c := range []struct {
		mode Mode
		want string
	}{
		{silent, ""},
		{plainLines, "200 of 1000 runs (20%), 56 a second, 2 with a violation, 14s left\n" +
			"300 of 1000 runs (30%), 12 a second, 3 with a violation, 59s left\n" +
			"1000 of 1000 runs (100%), 11 a second, 4 with a violation\n"},
		{redrawn, "\r\x1b[K100 of 1000 runs (10%), 0 with a violation" +
			"\r\x1b[K200 of 1000 runs (20%), 56 a second, 2 with a violation, 14s left" +
			"\r\x1b[K300 of 1000 runs (30%), 12 a second, 3 with a violation, 59s left" +
			"\r\x1b[K1000 of 1000 runs (100%), 11 a second, 4 with a violation\r\x1b[K"},
	} {
		var out bytes.Buffer
		p := NewProgress(&out, c.mode, 1000)
		now := p.began
		p.now = func() time.Time { return now }
		step := func(d time.Duration, runs, violated int, made bool) {
			now = now.Add(d)
			p.Add(runs, violated, made)
		}
		step(200*time.Millisecond, 100, 0, false) // they were there
		step(1800*time.Millisecond, 100, 2, true)
		step(15*time.Second, 100, 1, true)
		step(64*time.Second, 700, 1, true)
		p.End()
		if got := out.String(); got != c.want {
			t.Errorf("%q\nwant\n%q", got, c.want)
		}
	}
}

// Resumed work reads the finished part before it makes anything. The estimate of the time left counts only what is
// made now.
func TestEarlierWorkDoesNotCountForTheTimeLeft(t *testing.T) {
	p := NewProgress(&bytes.Buffer{}, plainLines, 1000)
	start, at := p.began, time.Duration(0)
	p.now = func() time.Time { return start.Add(at) }
	at = 50 * time.Second
	p.Add(800, 0, false)
	at += 10 * time.Second
	p.Add(100, 0, true)
	if got, want := p.line(), "900 of 1000 runs (90%), 10 a second, 0 with a violation, 10s left"; got != want {
		t.Errorf("%q; want %q", got, want)
	}
}

func TestSlowRateIsLeftOut(t *testing.T) {
	p := NewProgress(&bytes.Buffer{}, plainLines, 31)
	p.What, p.now = "mutants", func() time.Time { return p.began.Add(10 * time.Second) }
	p.Add(1, 0, true)
	if got, want := p.line(), "1 of 31 mutants (3%), 5m0s left"; got != want {
		t.Errorf("%q; want %q", got, want)
	}
}
