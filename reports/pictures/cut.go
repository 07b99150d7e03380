package pictures

import (
	"bytes"
	"fmt"
)

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
	return fmt.Appendf(nil, "%s<style>%s</style>%s</svg>\n", picture[:open], Style, picture[open:]), true
}
