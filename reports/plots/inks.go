package plots

import (
	"fmt"
	"image/color"
	"strings"

	"gonum.org/v1/plot/palette/brewer"
	"gonum.org/v1/plot/palette/moreland"
)

// An ink is a colour with a name: on a dark ground it is another.
type ink struct {
	name  string
	paper color.NRGBA // on white
	dark  color.NRGBA
	alpha uint8 // 0 is opaque
}

// RGBA returns the ink as it is on paper.
func (i ink) RGBA() (r, g, b, a uint32) {
	c := i.paper
	if c.A = 255; i.alpha > 0 {
		c.A = i.alpha
	}
	return c.RGBA()
}

// faint returns the ink at 22 % opacity.
func (i ink) faint() ink {
	i.alpha = 56
	return i
}

func rgb(n uint32) color.NRGBA { return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255} }

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// The inks that are no series'. Those of texts have a contrast of 4.5 to 1 with their ground at the least.
var (
	black  = ink{name: "ink", paper: rgb(0x1b1f24), dark: rgb(0xe6edf3)}
	soft   = ink{name: "soft", paper: rgb(0x57606a), dark: rgb(0x9ea7b3)}
	grid   = ink{name: "grid", paper: rgb(0xd0d7de), dark: rgb(0x30363d)}
	hole   = ink{name: "hole", paper: rgb(0xeceff2), dark: rgb(0x21262d)}
	ground = ink{name: "ground", paper: rgb(0xffffff), dark: rgb(0x0d1117)}
)

// series are the inks of series: Dark2 on paper, and on a dark ground Set2, which has the same hues.
var series = inksOf("Dark2", "Set2")

func inksOf(paper, dark string) (all []ink) {
	light, err := brewer.GetPalette(brewer.TypeQualitative, paper, 8)
	if err != nil {
		panic("plots: " + err.Error()) // gonum has it
	}
	deep, err := brewer.GetPalette(brewer.TypeQualitative, dark, 8)
	if err != nil {
		panic("plots: " + err.Error())
	}
	for i, c := range light.Colors() {
		all = append(all, ink{
			name: fmt.Sprintf("c%d", i), paper: color.NRGBAModel.Convert(c).(color.NRGBA),
			dark: color.NRGBAModel.Convert(deep.Colors()[i]).(color.NRGBA),
		})
	}
	return all
}

// Style is what a page says of the inks of all pictures in it: what they are on a dark ground.
var Style = style()

func style() string {
	var b strings.Builder
	b.WriteString("@media screen and (prefers-color-scheme:dark){\n")
	for _, i := range append([]ink{black, soft, grid, hole, ground}, series...) {
		fmt.Fprintf(&b, ".pl .f-%[1]s{fill:%[2]s}.pl .s-%[1]s{stroke:%[2]s}\n", i.name, hex(i.dark))
	}
	b.WriteString("}\n")
	return b.String()
}

// shades are the colours of a share from 0 to 1, light to dark, of one hue. Lightness falls evenly along them.
var shades = shadesOf(101)

func shadesOf(n int) []color.Color {
	m, err := moreland.NewLuminance([]color.Color{rgb(0x4a0d23), rgb(0xb3243c), rgb(0xf08a5d), rgb(0xfdf3e7)})
	if err != nil {
		panic("plots: " + err.Error()) // they rise
	}
	m.SetMin(0)
	m.SetMax(1)
	all := make([]color.Color, n)
	for i := range all {
		c, err := m.At(float64(n-1-i) / float64(n-1))
		if err != nil {
			panic("plots: " + err.Error()) // it lies within
		}
		all[i] = color.NRGBAModel.Convert(c)
	}
	return all
}

// shade is the colour of a share.
func shade(share float64) color.NRGBA {
	i := int(share*float64(len(shades)-1) + 0.5)
	return shades[min(max(i, 0), len(shades)-1)].(color.NRGBA)
}

// over returns what can be read on a colour: black or white.
func over(c color.NRGBA) color.NRGBA {
	if luminance(c) > 0.18 {
		return rgb(0x000000)
	}
	return rgb(0xffffff)
}
