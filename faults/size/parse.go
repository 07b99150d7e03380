package size

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
)

// amountMost bounds amounts: ten years, or ten times as fast.
const amountMost = int64(87_660 * time.Hour)

// pointsMost bounds how many quantiles a user may write.
const pointsMost = 10_000

// An Error says what is wrong with the text of a distribution, and where.
type Error struct {
	Column  int // from 1, in bytes
	Problem string
}

// Error returns the problem with its column.
func (e *Error) Error() string { return fmt.Sprintf("at %d: %s", e.Column, e.Problem) }

// A form is a way to write a distribution.
type form struct {
	name string
	args []string // what each argument is
	// inverse returns the quantile function. Amounts have been checked: positive, and rising where there are two.
	inverse func(amounts []float64, shape float64) func(share float64) float64
}

const (
	leastArg = "a least amount such as 1ms"
	mostArg  = "a most such as 10s"
	shapeArg = "a shape such as 1.2"
)

// forms are the distributions that have a formula.
var forms = []form{
	{"constant", []string{"an amount such as 3s"}, nil},
	{"uniform", []string{leastArg, mostArg}, nil},
	{"loguniform", []string{leastArg, mostArg}, func(a []float64, _ float64) func(float64) float64 {
		return func(p float64) float64 { return a[0] * math.Exp(p*math.Log(a[1]/a[0])) }
	}},
	{"exponential", []string{"a mean such as 20ms", mostArg}, func(a []float64, _ float64) func(float64) float64 {
		return func(p float64) float64 { return -a[0] * math.Log1p(p*math.Expm1(-a[1]/a[0])) }
	}},
	{"weibull", []string{"a scale such as 20ms", shapeArg, mostArg}, func(a []float64, k float64) func(float64) float64 {
		cut := math.Expm1(-math.Pow(a[1]/a[0], k))
		return func(p float64) float64 { return a[0] * math.Pow(-math.Log1p(p*cut), 1/k) }
	}},
	{"pareto", []string{leastArg, shapeArg, mostArg}, func(a []float64, k float64) func(float64) float64 {
		cut := math.Expm1(k * math.Log(a[0]/a[1]))
		return func(p float64) float64 { return a[0] * math.Exp(-math.Log1p(p*cut)/k) }
	}},
}

const quantilesForm = "quantiles"

func names() (all []string) {
	for _, f := range forms {
		all = append(all, f.name)
	}
	return append(all, quantilesForm)
}

// Parse reads a distribution. The error is an *Error.
func Parse(text string) (Dist, error) {
	r := reader{text: text}
	d := r.dist()
	if r.err != nil {
		return Dist{}, r.err
	}
	return d, nil
}

// A reader reads the text of a distribution. After the first error it returns zero values.
type reader struct {
	text  string
	steps int64 // all amounts so far are multiples of it
	unit  Unit
	unset bool // no amount has been read, so any unit is right
	err   *Error
}

func (r *reader) fail(offset int, format string, args ...any) {
	if r.err == nil {
		r.err = &Error{offset + 1, fmt.Sprintf(format, args...)}
	}
}

func (r *reader) dist() (d Dist) {
	name, rest, opened := strings.Cut(r.text, "(")
	body, part, closed := strings.Cut(rest, ")")
	switch {
	case !opened:
		r.fail(0, "%q is no distribution such as uniform(1ms,10s)%s", r.text, faults.Suggest(name, names()))
	case !closed:
		r.fail(len(r.text), "the closing parenthesis of %s( is missing", name)
	}
	r.steps, r.unset = 1000, true
	start := len(name) + 1
	var offsets []int
	for _, word := range strings.Split(body, ",") {
		d.args, offsets = append(d.args, word), append(offsets, start)
		start += len(word) + 1
	}
	d.name = name
	if name == quantilesForm {
		r.quantiles(&d, offsets)
	} else {
		r.formula(&d, offsets)
	}
	d.unit, d.step = r.unit, r.steps
	if part != "" && r.err == nil {
		d.lo, d.hi = r.part(part, start)
	}
	return d
}

// amount reads an amount, and returns it with its text in plain form.
func (r *reader) amount(word, want string, offset int) (n int64, text string) {
	d, err := time.ParseDuration(word)
	n, unit := int64(d), Time
	if err != nil || word == "0" {
		rate, bad := clock.ParseRate(word)
		if n, unit = int64(rate), Rate; bad != nil {
			hint := ""
			if _, err := strconv.ParseFloat(word, 64); err == nil {
				hint = "; it has no unit: write " + word + "ms, " + word + "s or " + word + "ppm"
			}
			r.fail(offset, "%q is not %s%s", word, want, hint)
			return 0, word
		}
	}
	switch {
	case !r.unset && unit != r.unit:
		r.fail(offset, "%s and what comes before it are of two units; give times, or ppm", word)
	case n > amountMost || n < -amountMost:
		r.fail(offset, "%s is too much; give at most %s", word, unit.write(amountMost))
	}
	if n%1000 != 0 {
		r.steps = 1
	}
	r.unit, r.unset = unit, false
	return n, unit.write(n)
}

func (r *reader) shape(word string, offset int) (k float64, text string) {
	k, err := strconv.ParseFloat(word, 64)
	if err != nil || !(0.05 <= k && k <= 100) {
		r.fail(offset, "%q is not %s, from 0.05 to 100", word, shapeArg)
		return 1, word
	}
	return k, strconv.FormatFloat(k, 'f', -1, 64)
}

// formula reads the arguments of a distribution with a formula, and makes the table.
func (r *reader) formula(d *Dist, offsets []int) {
	i := slices.IndexFunc(forms, func(f form) bool { return f.name == d.name })
	if i < 0 {
		hint := cmp.Or(faults.Suggest(d.name, names()), "; there are "+strings.Join(names(), ", "))
		r.fail(0, "there is no distribution %q%s", d.name, hint)
		return
	}
	f := &forms[i]
	if len(d.args) < len(f.args) {
		r.fail(len(r.text)-1, "%s lacks %s", d.name, f.args[len(d.args)])
	} else if len(d.args) > len(f.args) {
		r.fail(offsets[len(f.args)], "%s has no more than %d: %s", d.name, len(f.args), strings.Join(f.args, ", "))
	}
	if r.err != nil {
		return
	}
	var amounts []int64
	shape := 1.0
	for i, want := range f.args {
		if want == shapeArg {
			shape, d.args[i] = r.shape(d.args[i], offsets[i])
			continue
		}
		var n int64
		n, d.args[i] = r.amount(d.args[i], want, offsets[i])
		if f.inverse != nil && n <= 0 {
			r.fail(offsets[i], "%s is not positive; %s needs %s", d.args[i], d.name, want)
		}
		if len(amounts) > 0 && n <= amounts[0] {
			r.fail(offsets[i], "%s is not more than %s; give %s", d.args[i], r.unit.write(amounts[0]), want)
		}
		amounts = append(amounts, n)
	}
	if r.err == nil {
		d.points = f.table(amounts, shape)
	}
}

// table computes the quantiles. They begin at the minimum, or at 0 if there is none, and end at the last amount.
func (f *form) table(amounts []int64, shape float64) (table []point) {
	last := amounts[len(amounts)-1]
	if f.inverse == nil {
		return []point{{0, amounts[0]}, {One, last}}
	}
	var of []float64
	for _, n := range amounts {
		of = append(of, float64(n))
	}
	inverse, least := f.inverse(of, shape), int64(0)
	if f.name == "loguniform" || f.name == "pareto" {
		least = amounts[0]
	}
	for _, share := range shares {
		n := sixDigits(inverse(float64(share) / One))
		switch share {
		case 0:
			n = least
		case One:
			n = last
		}
		n = min(max(n, least), last)
		if len(table) > 0 {
			n = max(n, table[len(table)-1].value)
		}
		table = append(table, point{share, n})
	}
	return table
}

// sixDigits rounds to six significant digits, so that the last bit of a logarithm can't show.
func sixDigits(x float64) int64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'e', 5, 64), 64)
	if !(x < float64(amountMost)) {
		return amountMost
	}
	return int64(math.Round(x))
}

// quantiles reads SHARE:AMOUNT, and so on.
func (r *reader) quantiles(d *Dist, offsets []int) {
	for i, word := range d.args {
		share, amount, two := strings.Cut(word, ":")
		if !two {
			r.fail(offsets[i], "%q is not a quantile such as 0.99:80ms", word)
			return
		}
		p := point{share: r.share(share, offsets[i])}
		p.value, amount = r.amount(amount, "an amount such as 80ms", offsets[i]+len(share)+1)
		d.args[i] = writeShare(p.share) + ":" + amount
		if problem := d.add(p, r.unit); problem != "" {
			r.fail(offsets[i], "%s", problem)
		}
		if r.err != nil {
			return
		}
	}
	if problem := d.incomplete(); problem != "" {
		r.fail(len(r.text)-1, "%s", problem)
	}
}

// add adds a quantile. It returns what is wrong with it, or "".
func (d *Dist) add(p point, unit Unit) string {
	if n := len(d.points); n == pointsMost {
		return fmt.Sprintf("there are more than %d quantiles; leave some out", pointsMost)
	} else if n == 0 && p.share > 0 {
		return "the first quantile is that of " + writeShare(p.share) + "; begin with 0, the least amount"
	} else if n > 0 && p.share <= d.points[n-1].share {
		return writeShare(p.share) + " does not come after " + writeShare(d.points[n-1].share) +
			"; list quantiles from 0 to 1"
	} else if n > 0 && p.value < d.points[n-1].value {
		return "the quantiles fall from " + unit.write(d.points[n-1].value) + " to " + unit.write(p.value)
	}
	d.points = append(d.points, p)
	return ""
}

// incomplete returns what is missing at the end of the quantiles.
func (d *Dist) incomplete() string {
	if n := len(d.points); n == 0 || d.points[n-1].share < One {
		return "the last quantile is missing: that of 1, the most"
	}
	return ""
}

// share reads a decimal from 0 to 1 with at most nine digits.
func (r *reader) share(word string, offset int) int64 {
	whole, part, _ := strings.Cut(word, ".")
	n, err := strconv.ParseUint(whole+part+strings.Repeat("0", max(0, 9-len(part))), 10, 64)
	if err != nil || len(whole) != 1 || len(part) > 9 || n > One {
		r.fail(offset, "%q is not a share from 0 to 1, with at most nine digits after the point", word)
		return 0
	}
	return int64(n)
}

// part reads [FROM..TO].
func (r *reader) part(text string, offset int) (lo, hi int64) {
	inner, opened := strings.CutPrefix(text, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	low, high, two := strings.Cut(inner, "..")
	if !opened || !closed || !two {
		r.fail(offset, "%q is no part such as [0.99..1]", text)
		return 0, 0
	}
	lo, hi = r.share(low, offset+1), r.share(high, offset+3+len(low))
	if lo >= hi {
		r.fail(offset, "nothing lies between %s and %s", low, high)
	}
	return lo, hi
}
