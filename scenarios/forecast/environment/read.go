package environment

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/mathext"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/faults/size"
)

// A logFormat is what a program logs, and how it is read.
type logFormat struct {
	name   string
	about  string // what it is, and the command that makes it
	sample string // a line of it, for errors
	cause  Cause  // what its events are; empty if it has no cause
	unsaid string // what it can't know
	read   func(r *reading) error
}

// A reading is a log that is read, and what it says.
type reading struct {
	file   string
	lines  []string
	sample string

	span    time.Duration   // the time that it is about
	events  []time.Duration // each event's size
	sizeOf  size.Dist       // in place of events: sizes alone
	section string          // other sections of an environment
	notes   []string
}

// Least is the smallest size of an event that counts by default: locks that live for seconds don't feel less.
const Least = 100 * time.Millisecond

// Formats names what Read reads, each with what it is.
func Formats() (names []string) {
	for i := range logs {
		names = append(names, logs[i].name+"\t"+logs[i].about)
	}
	return names
}

// Read makes causes of an environment from files that a program has logged. Events smaller than least are left out. An
// error names the line that is wrong.
func Read(format string, files []string, least time.Duration) (string, error) {
	i := slices.IndexFunc(logs, func(l logFormat) bool { return l.name == format })
	if i < 0 {
		var names []string
		for _, l := range logs {
			names = append(names, l.name)
		}
		return "", fmt.Errorf("there is no format %q%s; there are %s", format,
			faults.Suggest(format, names), strings.Join(names, ", "))
	}
	if len(files) == 0 {
		return "", errors.New("name a file to read; - is not read")
	}
	l, all := &logs[i], reading{}
	for _, file := range files {
		text, err := whole(file)
		if err != nil {
			return "", err
		}
		r := reading{file: file, sample: l.sample, lines: strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n")}
		if err := l.read(&r); err != nil {
			return "", err
		}
		if len(files) > 1 && r.section+r.sizeOf.String() != (size.Dist{}).String() {
			return "", fmt.Errorf("%s: of %s give one file at a time; what two say can't be added up", file, l.name)
		}
		all.span = min(all.span+r.span, 100*Year) // no sum of logs is too long to be a duration
		all.events = append(all.events, r.events...)
		all.sizeOf, all.section = r.sizeOf, r.section
		all.notes = append(all.notes, r.notes...)
	}
	return l.write(&all, strings.Join(files, ", "), least), nil
}

// logMost is how many bytes a log may have.
const logMost = 1 << 28

// whole returns what a file holds, which may be a pipe, or a device that never ends.
func whole(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, logMost+1))
	if err == nil && len(text) > logMost {
		err = fmt.Errorf("%s: a log may have %d MiB; give a part of it", file, logMost>>20)
	}
	return text, err
}

// fail says that a line is not in the format, or that the file ends within it.
func (r *reading) fail(i int, l string) error {
	if i == len(r.lines)-1 && l != "" {
		return fmt.Errorf("%s:%d: the file ends within a line: %s", r.file, i+1, strconv.Quote(short(l)))
	}
	return fmt.Errorf("%s:%d: %s; want a line such as %s", r.file, i+1, strconv.Quote(short(l)), r.sample)
}

func short(l string) string { return string([]rune(l)[:min(len([]rune(l)), 60)]) }

// none says that no line of a file was of the format.
func (r *reading) none() error {
	for i, l := range r.lines {
		if strings.TrimSpace(l) != "" {
			return fmt.Errorf("%s:%d: %s; want a line such as %s", r.file, i+1, strconv.Quote(short(l)), r.sample)
		}
	}
	return fmt.Errorf("%s:1: the file is empty; want lines such as %s", r.file, r.sample)
}

// write writes what a log says as part of an environment file.
func (l *logFormat) write(r *reading, files string, least time.Duration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# From %s (%s).\n", strings.Map(printable, files), l.about)
	fmt.Fprintf(&b, "# It can't know %s.\n", l.unsaid)
	for _, n := range r.notes {
		fmt.Fprintf(&b, "# %s\n", n)
	}
	b.WriteString(r.section)
	if l.cause.Strikes == "" {
		return b.String()
	}
	counted := slices.DeleteFunc(slices.Clone(r.events), func(d time.Duration) bool { return d < least })
	if len(r.events) > 0 {
		fmt.Fprintf(&b, "# %d events in %s, the largest %s; %d of them are of %s or more.\n", len(r.events), r.span.Round(time.Second),
			slices.Max(r.events).Round(time.Microsecond), len(counted), least)
	}
	c := l.cause
	c.Size, _ = parseSize(r.sizeOf.String())
	if len(counted) > 0 {
		c.Size, _ = parseSize(quantilesOf(counted))
	}
	switch {
	case len(counted) == 0 && r.sizeOf.String() == (size.Dist{}).String():
		if r.span > 0 {
			_, most := poisson(0, r.span)
			fmt.Fprintf(&b, "# So there were fewer than %.3g a year, at 95 %% confidence: no cause.\n", most)
		}
		return b.String()
	case r.span > 0:
		low, high := poisson(len(counted), r.span)
		fmt.Fprintf(&b, "causes:\n  - name: %s\n    strikes: %s\n    rate: %s..%s/year\n", c.Name, c.Strikes, digits(low), digits(high))
	default:
		fmt.Fprintf(&b, "causes:\n  - name: %s\n    strikes: %s\n    rate: ?/year # it does not say how often: put it in\n",
			c.Name, c.Strikes)
	}
	fmt.Fprintf(&b, "    size: %s\n    source: measured, %s\n", strconv.Quote(c.Size.String()), l.name)
	return b.String()
}

func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return '?'
	}
	return r
}

// digits writes a rate with three digits that count.
func digits(v float64) string {
	f, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// poisson returns the interval of a rate, in events a year, after n events: the exact interval of Garwood (1936).
// Without an event its lower end is the same as for one event, so that there is a median.
func poisson(n int, span time.Duration) (low, high float64) {
	years := float64(span) / float64(Year)
	low = mathext.GammaIncRegInv(float64(max(n, 1)), 0.025) / years
	return low, mathext.GammaIncRegInv(float64(n+1), 0.975) / years
}

// quantilesOf returns the distribution of some sizes.
func quantilesOf(all []time.Duration) string {
	all = slices.Clone(all)
	slices.Sort(all)
	var words []string
	last := time.Duration(math.MinInt64)
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1} {
		if d := all[int(share*float64(len(all)-1))].Round(time.Microsecond); share == 0 || share == 1 || d != last {
			words, last = append(words, fmt.Sprintf("%v:%s", share, d)), d
		}
	}
	return "quantiles(" + strings.Join(words, ",") + ")"
}

// seconds reads a number of seconds.
func seconds(text string) (time.Duration, bool) { return times(text, time.Second) }

// times reads a number of units.
func times(text string, unit time.Duration) (time.Duration, bool) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.Abs(f) > float64(100*Year)/float64(unit) || f != f {
		return 0, false
	}
	return time.Duration(f * float64(unit)), true
}

// spanOf returns the time between the first and the last of some moments.
func spanOf(moments []time.Time) time.Duration {
	if len(moments) == 0 {
		return 0
	}
	return slices.MaxFunc(moments, time.Time.Compare).Sub(slices.MinFunc(moments, time.Time.Compare))
}

// note adds a comment to what is written.
func (r *reading) note(format string, args ...any) {
	r.notes = append(r.notes, r.file+": "+fmt.Sprintf(format, args...))
}

// sorted returns sizes from small to large.
func sorted(all []time.Duration) []time.Duration {
	all = slices.Clone(all)
	slices.SortFunc(all, cmp.Compare)
	return all
}
