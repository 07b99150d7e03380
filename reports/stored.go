package reports

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
)

// Style is the style sheet of every page, with that of the pictures in it.
func Style() string { return pageStyle + pictureStyle }

// Scripts names, as a Content-Security-Policy does, the scripts of the pages that this Lockstorm writes.
func Scripts() string { return hashed(pageScript) }

// Plain makes a text of others harmless and short, as all pages do: no control characters, nothing that turns the
// direction of writing, and at most 300 letters. PlainLong does so with a longer text, word by word.
func Plain(s string) string { return plain(s) }

// PlainLong makes a longer text of others harmless.
func PlainLong(s string) string { return plainLong(s) }

// CutTimeline cuts the timeline out of a run's page, as a picture that can stand alone.
func CutTimeline(page []byte) (svg []byte, ok bool) {
	_, rest, found := bytes.Cut(page, []byte(`id="lanes"`))
	from := bytes.Index(rest, []byte("<svg "))
	if !found || from < 0 {
		return nil, false
	}
	picture, _, whole := bytes.Cut(rest[from:], []byte("</svg>"))
	open := bytes.IndexByte(picture, '>') + 1 // no attribute that we write has one in it
	if !whole || open == 0 {
		return nil, false
	}
	return fmt.Appendf(nil, "%s<style>%s</style>%s</svg>\n", picture[:open], pictureStyle, picture[open:]), true
}

// Shown gives the value as people read it; "-" where it is not known.
func (f Figure) Shown() string {
	if f.Value == nil {
		return "-"
	}
	return f.inUnit(*f.Value)
}

// Beyond tells by how much the figure is larger than another of its kind, with its sign; "" where that is not known.
func (f Figure) Beyond(other Figure) string {
	if f.Value == nil || other.Value == nil || *f.Value == *other.Value {
		return ""
	}
	if by := *f.Value - *other.Value; by > 0 {
		return "+" + f.inUnit(by)
	}
	return "−" + f.inUnit(*other.Value-*f.Value)
}

func (f Figure) inUnit(value int64) string {
	if f.Unit == checker.Count.String() {
		return strconv.FormatInt(value, 10)
	}
	return micros(clock.Instant(value))
}

// FigureDoc says what the figure of a name tells; "" if this Lockstorm has none of that name.
func FigureDoc(name string) string {
	for _, f := range new(checker.Judge).Figures(&checker.Evidence{}) {
		if f.Name == name {
			return f.Doc
		}
	}
	return ""
}
