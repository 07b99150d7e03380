package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/plots"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// figureFlags say which figures of many runs are drawn, and how.
type figureFlags struct {
	figures, words      []string
	size, letters       string
	noCaption, realText bool
	labels              campaigns.Labels // read from words
	custom              plots.Size       // read from size and letters; 0 for what is usual
}

// figureFlagNames are those that one run has no use for.
var figureFlagNames = []string{"figure", "label", "size", "font-size", "no-caption", "text"}

func (f *figureFlags) add(c *cobra.Command) {
	c.Flags().StringSliceVar(&f.figures, "figure", nil, "of many runs: draw the figure `NAME` of runs too, such as held; may be given more than once")
	c.Flags().StringArrayVar(&f.words, "label", nil, "call a setting, a property or a figure by other words: `KEY=TEXT`, such as lock.ttl='lease time'; its unit is added; may be given more than once")
	c.Flags().StringVar(&f.size, "size", "", "the `SIZE` of figures, as a width or WIDTHxHEIGHT in mm, cm, in or pt, such as 85mm or 3.3inx2in (default 85mm, and as high as need be)")
	c.Flags().StringVar(&f.letters, "font-size", "", "the `SIZE` of their letters, such as 8pt (default 7.2pt)")
	c.Flags().BoolVar(&f.noCaption, "no-caption", false, "leave the caption out of the files; the page has it")
	c.Flags().BoolVar(&f.realText, "text", false, "write letters of a font in SVG and PDF, which can be searched and edited, in place of outlines; PDF has the font in it")
}

func (f *figureFlags) read(j *campaign.Job) error {
	f.labels = campaigns.Labels{}
	for _, w := range f.words {
		key, text, ok := strings.Cut(w, "=")
		if !ok || text == "" {
			return fmt.Errorf("--label: %q is not a label; write KEY=TEXT, such as lock.ttl='lease time'", w)
		}
		if known := labelled(j); !slices.Contains(known, key) {
			return fmt.Errorf("--label: no figure of these runs names %q%s; they name %s", key, scenarios.Suggest(key, known), strings.Join(known, ", "))
		}
		f.labels[key] = text
	}
	return f.readSize()
}

// readSize reads the size of figures and of their letters, in bounds in which a figure can be drawn.
func (f *figureFlags) readSize() error {
	if f.size != "" {
		width, height, two := strings.Cut(f.size, "x")
		w, ok := plots.ParseLength(width)
		h, right := plots.ParseLength(height)
		if ok = ok && (right || !two); !ok || w < 60 || w > 3000 || two && (h < 45 || h > 3000) {
			return fmt.Errorf("--size: %q is not a size; write a width from 22mm to 1000mm, or WIDTHxHEIGHT, such as 85mmx60mm", f.size)
		}
		f.custom.Width, f.custom.Height = w, h
	}
	if f.letters != "" {
		text, ok := plots.ParseLength(f.letters)
		if !ok || text < 3 || text > 72 {
			return fmt.Errorf("--font-size: %q is not a size of letters; write one from 3pt to 72pt, such as 8pt", f.letters)
		}
		f.custom.Text = text
	}
	return nil
}

// labelled returns what figures of a job name: its axes, the properties, and figures of runs.
func labelled(j *campaign.Job) (names []string) {
	axes, _ := j.Axes()
	for _, a := range axes {
		names = append(names, a.Key)
	}
	for _, p := range checker.Properties {
		names = append(names, p.Name)
	}
	for _, f := range new(checker.Judge).Figures(&checker.Evidence{}) {
		names = append(names, f.Name)
	}
	return names
}

func (f *figureFlags) of(s plots.Size) plots.Size {
	s = f.plain(s)
	if f.custom.Width > 0 {
		s.Width, s.Height = f.custom.Width, f.custom.Height
	}
	if f.custom.Text > 0 {
		s.Text = f.custom.Text
	}
	return s
}

// plain returns a size with what the flags want of every size.
func (f *figureFlags) plain(s plots.Size) plots.Size {
	s.NoCaption, s.RealText = f.noCaption, f.realText
	return s
}
