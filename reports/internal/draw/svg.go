package draw

import (
	_ "embed" // for the style

	"github.com/lockstorm/lockstorm/reports/internal/draw/svg"
	"github.com/lockstorm/lockstorm/reports/layout"
)

// Style is the style sheet of pictures, for light and dark themes. Clients have the colours of Okabe and Ito, which the
// colour-blind can tell apart; and nothing is shown by colour alone.
//
//go:embed picture.css
var Style string

// px returns a coordinate of path data.
func px(v float64) string { return svg.Pixels(v) }

// textWidth returns how wide a text that is not bold is at a size.
func textWidth(s string, size float64) float64 { return svg.Helvetica("", size)(s) }

func fitText(class, s string, size, width float64) string {
	return svg.Helvetica(class, size).Fit(layout.Plain(s), width)
}

// document returns a drawing as a picture. A file has its style sheet in it; a page has one for all pictures.
func document(p *picture, width, height float64, title, description string, file bool, attributes ...string) string {
	x := svg.Document{ID: p.id, Class: "ls", Width: px(width), Height: px(height), Title: layout.Plain(title),
		Description: layout.Plain(description), Attributes: attributes}
	if file {
		x.Style = Style
	}
	below := &svg.Drawing{}
	below.Raw(patterns(p.id))
	below.Element("rect", "", "width", px(width), "height", px(height), "class", "ground")
	return x.String(below, &p.Drawing)
}

// patterns are for a host that is paused, and for a belief that has outlived its validity.
func patterns(id string) string {
	return `<defs><pattern id="` + id + `-still" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
		`<rect width="6" height="6" class="still"/><line x1="0" y1="0" x2="0" y2="6" class="stillline"/></pattern>` +
		`<pattern id="` + id + `-wrong" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">` +
		`<line x1="0" y1="0" x2="0" y2="6" class="wrongline"/></pattern></defs>` + "\n"
}
