package reports

import (
	"fmt"
	"strconv"
	"strings"
)

// A Rendering says how pictures are written to files. Its zero value is the usual way.
type Rendering struct {
	Width, Height float64 // of a column, in points; 0 for the usual
	Letters       float64 // the size of its letters, in points; 0 for the usual
	NoCaption     bool    // the caption is left out
}

// SetSize reads the size of a column: a width, or WIDTHxHEIGHT, such as 85mm or 3.3inx2in.
func (k *Rendering) SetSize(s string) error {
	width, height, two := strings.Cut(s, "x")
	w, ok := parseLength(width)
	h, right := parseLength(height)
	if ok = ok && (right || !two); !ok || w < 60 || w > 3000 || two && (h < 45 || h > 3000) {
		return fmt.Errorf("%q is not a size; write a width from 22mm to 1000mm, or WIDTHxHEIGHT, such as 85mmx60mm", s)
	}
	k.Width, k.Height = w, h
	return nil
}

// SetLetters reads the size of the letters of a column, such as 8pt.
func (k *Rendering) SetLetters(s string) error {
	text, ok := parseLength(s)
	if !ok || text < 3 || text > 72 {
		return fmt.Errorf("%q is not a size of letters; write one from 3pt to 72pt, such as 8pt", s)
	}
	k.Letters = text
	return nil
}

// parseLength reads a length such as 85mm, 8.5cm, 3.3in or 240pt.
func parseLength(text string) (float64, bool) {
	for _, u := range []struct {
		name string
		is   float64
	}{{"mm", 72 / 25.4}, {"cm", 72 / 2.54}, {"in", 72}, {"pt", 1}} {
		if number, is := strings.CutSuffix(text, u.name); is {
			n, err := strconv.ParseFloat(number, 64)
			return n * u.is, err == nil && n > 0 && n < 1e6
		}
	}
	return 0, false
}
