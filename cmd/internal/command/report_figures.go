package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// figureFlags say which figures of many runs are drawn, and how.
type figureFlags struct {
	figures, words []string
	size, letters  string
	labels         map[string]string // read from words
	rendering      reports.Rendering // its sizes are read from size and letters
}

// figureFlagNames are those that one run has no use for.
var figureFlagNames = []string{"figure", "label", "size", "font-size", "no-caption", "text"}

func (f *figureFlags) add(c *cobra.Command) {
	c.Flags().StringSliceVar(&f.figures, "figure", nil, "of many runs: draw the figure `NAME` of runs too, such as held; may be "+
		"given more than once")
	c.Flags().StringArrayVar(&f.words, "label", nil, "call a setting, a property or a figure by other words: `KEY=TEXT`, such "+
		"as lock.ttl='lease time'; its unit is added; may be given more than once")
	c.Flags().StringVar(&f.size, "size", "", "the `SIZE` of figures, as a width or WIDTHxHEIGHT in mm, cm, in or pt, such as "+
		"85mm or 3.3inx2in (default 85mm, and as high as need be)")
	c.Flags().StringVar(&f.letters, "font-size", "", "the `SIZE` of their letters, such as 8pt (default 7.2pt)")
	c.Flags().BoolVar(&f.rendering.NoCaption, "no-caption", false, "leave the caption out of the files; the page has it")
	c.Flags().BoolVar(&f.rendering.RealText, "text", false, "write letters of a font in SVG and PDF, which can be searched and "+
		"edited, in place of outlines; PDF has the font in it")
}

func (f *figureFlags) read(j *campaign.Job) error {
	f.labels = map[string]string{}
	for _, w := range f.words {
		key, text, ok := strings.Cut(w, "=")
		if !ok || text == "" {
			return fmt.Errorf("--label: %q is not a label; write KEY=TEXT, such as lock.ttl='lease time'", w)
		}
		if known := labelled(j); !slices.Contains(known, key) {
			return fmt.Errorf("--label: no figure of these runs names %q%s; they name %s", key, faults.Suggest(key, known),
				strings.Join(known, ", "))
		}
		f.labels[key] = text
	}
	return f.readSize()
}

// readSize reads the size of figures and of their letters, in bounds in which a figure can be drawn.
func (f *figureFlags) readSize() error {
	if f.size != "" {
		if err := f.rendering.SetSize(f.size); err != nil {
			return fmt.Errorf("--size: %w", err)
		}
	}
	if f.letters != "" {
		if err := f.rendering.SetLetters(f.letters); err != nil {
			return fmt.Errorf("--font-size: %w", err)
		}
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
	for _, f := range campaign.Figures() {
		names = append(names, f.Name)
	}
	return names
}
