package checker

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/clock"
)

// An Account is what broke and why, in a paragraph, with the faults that it names.
type Account struct {
	Text    string
	Strikes []int // as indices into those of the Evidence, in the order in which they are named
}

func (a *Account) names(strike int) bool { return slices.Contains(a.Strikes, strike) }

// mention stands for a fault in a sentence of an argument, until the sentences are put together. Only then it is known
// whether the fault was named before.
func mention(strike int) string {
	if strike < 0 {
		return ""
	}
	return mark + strconv.Itoa(strike) + mark
}

// mark encloses the number of a mention.
const mark = "\x00"

// account puts sentences together. A fault is named where it is mentioned first, and afterwards called by its time.
func (e *Evidence) account(sentences []string) (a Account) {
	for i, part := range strings.Split(strings.Join(sentences, " "), mark) {
		strike, err := strconv.Atoi(part)
		if i%2 == 0 || err != nil || strike < 0 || strike >= len(e.Strikes) {
			a.Text += part
			continue
		}
		s := &e.Strikes[strike]
		if a.names(strike) {
			a.Text += " (" + s.again() + ")"
			continue
		}
		a.Text += " (" + strconv.Quote(s.Fault) + " at " + seconds(s.From) + ")"
		a.Strikes = append(a.Strikes, strike)
	}
	return a
}

// again calls a fault by its time, where it has been named before.
func (s *Strike) again() string { return "the fault that struck at " + seconds(s.From) }

// faultOn mentions the latest fault on a host that was in effect in an interval; "" if there is none.
func (e *Evidence) faultOn(who string, from, until clock.Instant) string {
	last := -1
	for i := range e.Strikes {
		s := &e.Strikes[i]
		if s.strikes(who) && s.From <= until && max(s.From, s.To-1) >= from && (last < 0 || s.From >= e.Strikes[last].From) {
			last = i
		}
	}
	return mention(last)
}

// strikes reports whether a fault changed anything for a host.
func (s *Strike) strikes(who string) bool { return !s.Idle && slices.Contains(s.Hosts, who) }
