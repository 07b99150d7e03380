package locktest

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A ledger is what was measured of the reference of a kind of lock: which adversities broke which promise. A lock of
// the kind must keep what no adversity, and no two, broke in Each universes.
type ledger struct {
	Kind    string
	Grounds []string             // the scenarios in which it was measured
	Each    int                  // in how many universes of each adversity alone, and of each two that some promise survives
	Struck  []adversity          // those that were there, in order
	Broke   map[string][]breaker // by promise: the smallest sets of adversities that broke it
}

// A breaker is a set of adversities under which a promise broke, in order.
type breaker []adversity

func (b breaker) in(these []adversity) bool {
	return !slices.ContainsFunc(b, func(a adversity) bool { return !slices.Contains(these, a) })
}

func (l *ledger) requires(promise string, these []adversity) bool {
	// A lock of the kind must keep the promise if all of these were measured and no set of them broke it.
	return breaker(these).in(l.Struck) &&
		!slices.ContainsFunc(l.Broke[promise], func(b breaker) bool { return b.in(these) })
}

// survived returns the adversities that never broke a promise, alone or with others.
func (l *ledger) survived(promise string) (all []adversity) {
	for _, a := range l.Struck {
		if !slices.ContainsFunc(l.Broke[promise], func(b breaker) bool { return slices.Contains(b, a) }) {
			all = append(all, a)
		}
	}
	return all
}

// The file has a paragraph for each kind.
const (
	groundsLine = "measured on: "
	eachLine    = "universes of each, and of each two: "
	struckLine  = "struck: "
	brokeLine   = " broke under: "
	with        = " with "
)

func (l *ledger) text(promises []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s%s\n%s%d\n%s%s\n", l.Kind, groundsLine, strings.Join(l.Grounds, ", "), eachLine, l.Each,
		struckLine, strings.Join(l.Struck, ", "))
	for _, p := range promises {
		var sets []string
		for _, set := range l.Broke[p] {
			sets = append(sets, strings.Join(set, with))
		}
		if slices.Sort(sets); len(sets) > 0 {
			fmt.Fprintf(&b, "%s%s%s\n", p, brokeLine, strings.Join(sets, ", "))
		}
	}
	return b.String()
}

//go:embed promises.txt
var promisesFile string

var ledgers = parseLedgers(promisesFile)

// parseLedgers reads the file, which text wrote. Lines that begin with # are for people.
func parseLedgers(file string) map[string]*ledger {
	all := map[string]*ledger{}
	for paragraph := range strings.SplitSeq(file, "\n\n") {
		var l *ledger
		for line := range strings.Lines(paragraph) {
			line = strings.TrimSuffix(line, "\n")
			switch {
			case line == "" || line[0] == '#':
			case l == nil:
				l = &ledger{Kind: line, Broke: map[string][]breaker{}}
				all[line] = l
			default:
				l.read(line)
			}
		}
	}
	return all
}

func (l *ledger) read(line string) {
	words := func(text string) []string { return strings.Split(text, ", ") }
	if rest, ok := strings.CutPrefix(line, groundsLine); ok {
		l.Grounds = words(rest)
	} else if rest, ok := strings.CutPrefix(line, eachLine); ok {
		l.Each, _ = strconv.Atoi(rest)
	} else if rest, ok := strings.CutPrefix(line, struckLine); ok {
		l.Struck = words(rest)
	} else if promise, rest, ok := strings.Cut(line, brokeLine); ok {
		for _, set := range words(rest) {
			l.Broke[promise] = append(l.Broke[promise], strings.Split(set, with))
		}
	} else {
		panic("locktest: promises.txt has a line that says nothing: " + line)
	}
}
