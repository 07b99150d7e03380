package draw

import (
	_ "embed" // for the style
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/draw/svg"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// TimelineFile is the file of the timeline of a run.
const TimelineFile = "timeline.svg"

// Files draws a run in each form, as the files of a report.
func Files(r *scenarios.Result) []reports.File {
	return []reports.File{
		{Name: TimelineFile, Content: TimelineSVG(r)},
		{Name: "sequence.svg", Content: SequenceSVG(r)},
	}
}

// Style is the style sheet of pictures, for light and dark themes. Clients have the colours of Okabe and Ito, which
// colour-blind readers can distinguish; and no sign differs by colour alone.
//
//go:embed picture.css
var Style string

func px(v float64) string { return svg.Pixels(v) }

func textWidth(s string, size float64) float64 { return svg.Helvetica("", size)(s) }

func fitText(class, s string, size, width float64) string {
	return svg.Helvetica(class, size).Fit(wording.Plain(s), width)
}

// document returns a drawing as a picture. A file contains the style sheet; a page has one for all pictures.
func document(p *picture, width, height float64, title, description string, file bool, attributes ...string) string {
	x := svg.Document{ID: p.id, Class: "ls", Width: px(width), Height: px(height), Title: wording.Plain(title),
		Description: wording.Plain(description), Attributes: attributes}
	if file {
		x.Style = Style
	}
	below := &svg.Drawing{}
	below.Raw(strings.ReplaceAll(patterns, "#", p.id))
	below.Element("rect", "", "width", px(width), "height", px(height), "class", "ground")
	return x.String(below, &p.Drawing)
}

// patterns are for a paused host, and for a belief after the end of its validity. A # is the ID of the picture.
const patterns = `<defs>` +
	`<pattern id="#-still" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
	`<rect width="6" height="6" class="still"/><line x1="0" y1="0" x2="0" y2="6" class="stillline"/></pattern>` +
	`<pattern id="#-wrong" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">` +
	`<line x1="0" y1="0" x2="0" y2="6" class="wrongline"/></pattern></defs>` + "\n"

// colour returns the suffix of the classes of a client's colours.
func colour(client int) string {
	if client < 0 {
		return "x"
	}
	return strconv.Itoa(client % 8)
}

// A picture is the drawing of a renderer of SVG.
type picture struct {
	svg.Drawing
	id string // of its element
}

// bar draws the rectangle of a bar.
func (p *picture) bar(kind barKind, owner int, x, y, w, h float64, says string) {
	k := &looks[kind]
	class := strings.ReplaceAll(k.class, "#", colour(owner))
	if k.hatch != "" {
		p.Filled(x, y, w, h, p.id+"-"+k.hatch, class, says)
		return
	}
	p.Rect(x, y, w, h, class, says)
}

func moveTo(x, y float64) string { return "M" + px(x) + " " + px(y) }

// polyline returns a path from place to place, each an x and a y.
func polyline(places ...float64) string {
	path := moveTo(places[0], places[1])
	for i := 2; i < len(places); i += 2 {
		path += "L" + px(places[i]) + " " + px(places[i+1])
	}
	return path
}

func cross(x, y, size float64) string {
	return moveTo(x, y) + fmt.Sprintf("l%[1]v %[1]vm0 -%[1]vl-%[1]v %[1]v", size)
}

func dot(x, y, radius float64) string {
	return moveTo(x-radius, y) + fmt.Sprintf("a%[1]v %[1]v 0 1 0 %[2]v 0a%[1]v %[1]v 0 1 0 -%[2]v 0z", radius, 2*radius)
}

func triangle(x, y float64) string { return moveTo(x, y) + "l5 0l-5 -9l-5 9z" }
