package plot

import (
	"fmt"
	"image/color"
	"strings"

	"gonum.org/v1/plot/palette/brewer"
	"gonum.org/v1/plot/palette/moreland"
)

// A themed colour has a name and another value in a dark theme.
type themed struct {
	name  string
	paper color.NRGBA // on white
	dark  color.NRGBA
	alpha uint8 // 0 is opaque
}

// RGBA returns the colour on paper.
func (c themed) RGBA() (r, g, b, a uint32) {
	paper := c.paper
	if c.alpha > 0 {
		paper.A = c.alpha
	}
	return paper.RGBA()
}

// faint returns the colour at 22% opacity.
func (c themed) faint() themed {
	c.alpha = 56
	return c
}

func rgb(n uint32) color.NRGBA { return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255} }

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// The colours of everything except series. Colours of texts have a contrast of at least 4.5 to 1 with the ground.
var (
	black  = themed{name: "ink", paper: rgb(0x1b1f24), dark: rgb(0xe6edf3)}
	soft   = themed{name: "soft", paper: rgb(0x57606a), dark: rgb(0x9ea7b3)}
	grid   = themed{name: "grid", paper: rgb(0xd0d7de), dark: rgb(0x30363d)}
	hole   = themed{name: "hole", paper: rgb(0xeceff2), dark: rgb(0x21262d)}
	ground = themed{name: "ground", paper: rgb(0xffffff), dark: rgb(0x0d1117)}
)

// series are the colours of series: Dark2 on paper, and in a dark theme Set2, with the same hues.
var series = themedOf("Dark2", "Set2")

func themedOf(paper, dark string) (all []themed) {
	light, err := brewer.GetPalette(brewer.TypeQualitative, paper, 8)
	must(err) // gonum has both
	deep, err := brewer.GetPalette(brewer.TypeQualitative, dark, 8)
	must(err)
	for i, c := range light.Colors() {
		all = append(all, themed{
			name: fmt.Sprintf("c%d", i), paper: color.NRGBAModel.Convert(c).(color.NRGBA),
			dark: color.NRGBAModel.Convert(deep.Colors()[i]).(color.NRGBA),
		})
	}
	return all
}

// Style is the style sheet of a page with pictures. It has their colours in a dark theme.
var Style = style()

func style() string {
	var b strings.Builder
	b.WriteString("@media screen and (prefers-color-scheme:dark){\n")
	for _, i := range append([]themed{black, soft, grid, hole, ground}, series...) {
		fmt.Fprintf(&b, ".pl .f-%[1]s{fill:%[2]s}.pl .s-%[1]s{stroke:%[2]s}\n", i.name, hex(i.dark))
	}
	b.WriteString("}\n")
	return b.String()
}

// shades are the colours of a share from 0 to 1, light to dark, of one hue. Their lightness falls evenly.
var shades = shadesOf(101)

func shadesOf(n int) []color.Color {
	m, err := moreland.NewLuminance([]color.Color{rgb(0x4a0d23), rgb(0xb3243c), rgb(0xf08a5d), rgb(0xfdf3e7)})
	must(err) // they rise
	m.SetMin(0)
	m.SetMax(1)
	all := make([]color.Color, n)
	for i := range all {
		c, err := m.At(float64(n-1-i) / float64(n-1))
		must(err) // it lies within
		all[i] = color.NRGBAModel.Convert(c)
	}
	return all
}

func shade(share float64) color.NRGBA {
	return shades[min(max(int(share*float64(len(shades)-1)+0.5), 0), len(shades)-1)].(color.NRGBA)
}

// over returns the colour of text on a colour: black or white, whichever has the larger smallest contrast, in colour
// and in grey.
func over(c color.NRGBA) color.NRGBA {
	if color.GrayModel.Convert(c).(color.Gray).Y > 114 {
		return rgb(0x000000)
	}
	return rgb(0xffffff)
}
