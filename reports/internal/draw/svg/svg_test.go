package svg_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/reports/internal/draw/svg"
)

// A rectangle with a label, as a file.
func Example() {
	d := &svg.Drawing{}
	d.Rect(10, 10, 80, 20, "row", "a lane")
	d.Text(14, 24, 11, svg.Start, svg.Strong, svg.Helvetica(svg.Strong, 11).Fit("a long name of a lane", 72))
	x := svg.Document{ID: "p", Class: "ls", Title: "One lane", Description: "A lane with its name.", Width: "100", Height: "40", Style: ".row{fill:#eee}"}
	fmt.Print(x.String(d))
	// Output:
	// <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 40" width="100" height="40" role="img" class="ls" aria-labelledby="p-t" aria-describedby="p-d">
	// <title id="p-t">One lane</title>
	// <desc id="p-d">A lane with its name.</desc>
	// <style>.row{fill:#eee}</style>
	// <rect x="10" y="10" width="80" height="20" class="row"><title>a lane</title></rect>
	// <text x="14" y="24" font-size="11" class="strong" textLength="69.1" lengthAdjust="spacingAndGlyphs">a long nam…</text>
	// </svg>
}

func TestTextIsShortenedAsLittleAsPossible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, width := rapid.String().Draw(t, "s"), rapid.Float64Range(0, 300).Draw(t, "width")
		m := svg.Helvetica("", 10)
		got := m.Fit(s, width)
		if m(got) > width {
			t.Fatalf("%q is %v wide", got, m(got))
		}
		letters := []rune(s)
		kept := []rune(strings.TrimSuffix(got, "…"))
		if got == s {
			return
		}
		if more := string(letters[:len(kept)+1]) + "…"; m(more) <= width && len(kept)+1 < len(letters) {
			t.Fatalf("%q has room, and it is %q", more, got)
		}
	})
}

func TestLinesHoldAllWordsAndAreNoWiderThanTheirWidth(t *testing.T) {
	m := svg.Helvetica("", 10)
	text := "c1 read version 4 and writes version 5 although its validity has passed"
	lines := m.Fold(text, 100)
	if len(lines) < 3 || strings.Join(lines, " ") != text {
		t.Errorf("%q", lines)
	}
	for _, line := range append(lines, m.Fold("a "+strings.Repeat("W", 50)+" b", 100)...) {
		if m(line) > 100 {
			t.Errorf("%q is %v wide", line, m(line))
		}
	}
}

func TestTextIsOmittedWhereItWouldOverlap(t *testing.T) {
	d := &svg.Drawing{Marks: []svg.Box{{Left: 200, Top: 0, Right: 210, Bottom: 20}}}
	d.Text(0, 10, 10, svg.Start, "", "here")
	for _, x := range []float64{5, 22, 195} {
		if d.TextIfFree(x, 10, 10, svg.Start, "", "there") {
			t.Errorf("a text stands at %v, on another or on a mark", x)
		}
	}
	if !d.TextIfFree(100, 10, 10, svg.Middle, "", "there") || len(d.Texts) != 2 {
		t.Error("a text does not stand where it is free")
	}
}

func TestNumbersHaveNoNeedlessDigits(t *testing.T) {
	for _, c := range []struct {
		v        float64
		decimals int
		want     string
	}{{1, 1, "1"}, {100, 0, "100"}, {-0.04, 1, "0"}, {2.25, 1, "2.2"}, {10.5, 2, "10.5"}, {-3.999, 2, "-4"}} {
		if got := svg.Number(c.v, c.decimals); got != c.want {
			t.Errorf("%v with %d decimals is %q, want %q", c.v, c.decimals, got, c.want)
		}
	}
}

func TestAnyTextIsWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		d := &svg.Drawing{}
		d.Open("data-lane", s)
		d.Rect(0, 0, 1, 1, "k0", s)
		d.Text(0, 0, 10, svg.End, "", s)
		d.Close()
		x := svg.Document{ID: "p", Title: s, Description: s, Attributes: []string{"data-x", s}}
		for in := xml.NewDecoder(strings.NewReader(x.String(d))); ; {
			if _, err := in.Token(); err == io.EOF {
				return
			} else if err != nil {
				t.Fatal(err)
			}
		}
	})
}
