package size

import (
	"cmp"
	"fmt"
	"strings"
)

// Read makes a distribution from a file: a list of quantiles, one per line, such as "0.99 80ms", or the percentiles
// that HdrHistogram prints. The numbers of a histogram have no unit, so the caller passes it: "us" or "ms", as for
// [Parse]. The error names the line.
func Read(file string, text []byte, unit string) (Dist, error) {
	l := list{dist: Dist{name: quantilesForm}, reader: reader{steps: 1000, unset: true}}
	for i, line := range strings.Split(strings.ReplaceAll(string(text), `"`, ""), "\n") {
		words := strings.Fields(strings.NewReplacer(",", " ", ":", " ", ";", " ").Replace(line))
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "#"):
			continue
		case strings.HasPrefix(strings.TrimSpace(line), "Value") && strings.Contains(line, "Percentile"):
			if l.histogram = true; unit == "" {
				return Dist{}, fmt.Errorf(
					"%s:%d: a histogram of HdrHistogram does not say its unit; say which: ns, us, ms or s", file, i+1)
			}
			continue
		}
		if problem := l.line(words, unit); problem != "" {
			return Dist{}, fmt.Errorf("%s:%d: %s", file, i+1, problem)
		}
	}
	if problem := l.dist.incomplete(); problem != "" {
		lines := strings.Count(strings.TrimRight(string(text), "\n"), "\n") + 1
		return Dist{}, fmt.Errorf("%s:%d: %s; is the file whole?", file, lines, problem)
	}
	l.dist.unit, l.dist.step = l.reader.unit, l.reader.steps
	return l.dist, nil
}

// A list reads a file of quantiles.
type list struct {
	dist      Dist
	reader    reader
	histogram bool // the lines have a value, its percentile, how many there are, and 1/(1-percentile)
}

// line reads a line, and returns what is wrong with it, or "".
func (l *list) line(words []string, unit string) string {
	if len(words) < 2 || len(words) > 2 && !l.histogram {
		return fmt.Sprintf("%q is neither a quantile such as “0.99 80ms” nor a line of HdrHistogram's percentiles",
			short(strings.Join(words, " ")))
	}
	share, amount := words[0], words[1]
	if l.histogram {
		share, amount = words[1], words[0]+unit
	}
	p := point{share: l.reader.share(nineDigits(share), 0)}
	p.value, amount = l.reader.amount(amount, "an amount such as 80ms", 0)
	if l.reader.err != nil {
		return l.reader.err.Problem
	}
	d := &l.dist
	if n := len(d.points); l.histogram && n > 0 && p.share == d.points[n-1].share && p.value >= d.points[n-1].value {
		d.points, d.args = d.points[:n-1], d.args[:n-1] // they differ only after the ninth digit
	}
	d.args = append(d.args, writeShare(p.share)+":"+amount)
	return d.add(p, l.reader.unit)
}

// nineDigits shortens a decimal: other programs print more digits.
func nineDigits(word string) string {
	whole, part, _ := strings.Cut(word, ".")
	return cmp.Or(whole, "0") + "." + part[:min(len(part), 9)]
}

// short returns the first characters of a line.
func short(text string) string { return string([]rune(text)[:min(len([]rune(text)), 60)]) }
