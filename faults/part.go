package faults

import (
	"errors"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A part is what the line of a fault says after its kind, such as a host or an amount. Only read, write and draw are
// required.
type part struct {
	read  func(p *parser, f *Fault)
	write func(f *Fault) string // empty where it is left out
	draw  func(d *drawing, f *Fault)

	words    []string                         // the words in it that can't be the name of a host
	hosts    func(f *Fault) []*string         // where it names hosts or roles
	complete func(f *Fault) error             // rejects a fault that names no target
	fits     func(f *Fault, cast *Cast) error // rejects what these hosts can't do
	amount   *Amount                          // the number in it

	weight func(f *Fault) int64 // what it adds to Fault.Weight, apart from its hosts
	plain  func(f *Fault)       // removes what may be left out

	// fewer is what FewerHosts tries; nil means namesForRoles.
	fewer func(f Fault, names []string, try func(Fault) bool) (more bool)
}

// An Amount is a number in a fault.
type Amount struct {
	Name  string             // the name of its setting: "by" in fault.1.by
	Least int64              // the smallest unit to which a simpler fault rounds it
	At    func(f *Fault) any // a pointer to it: a *time.Duration, a *clock.Rate, or an *int of millionths
}

// Get returns the amount as a plain number.
func (a *Amount) Get(f *Fault) int64 {
	switch at := a.At(f).(type) {
	case *time.Duration:
		return int64(*at)
	case *clock.Rate:
		return int64(*at)
	}
	return int64(*a.At(f).(*int))
}

// Set changes the amount to a plain number.
func (a *Amount) Set(f *Fault, n int64) {
	switch at := a.At(f).(type) {
	case *time.Duration:
		*at = time.Duration(n)
	case *clock.Rate:
		*at = clock.Rate(n)
	case *int:
		*at = int(n)
	}
}

var (
	byAmount = &Amount{"by", int64(time.Millisecond), func(f *Fault) any { return &f.By }}

	rateAmount = &Amount{"rate", int64(10 * clock.PPM), func(f *Fault) any { return &f.Rate }}
)

// The hosts that a fault may hit. A storm draws any host, a client, or a node.
var (
	hostPart   = hostDrawn((*drawing).host)
	clientPart = hostDrawn((*drawing).client)
	nodePart   = hostDrawn((*drawing).node)
)

// hostDrawn is the host that a fault hits.
func hostDrawn(draw func(*drawing) string) *part {
	return &part{
		read:     func(p *parser, f *Fault) { f.Host = p.host() },
		write:    func(f *Fault) string { return f.Host },
		draw:     func(d *drawing, f *Fault) { f.Host = draw(d) },
		hosts:    func(f *Fault) []*string { return []*string{&f.Host} },
		complete: func(f *Fault) error { return needs(f.Host != "", "it names no host to hit") },
	}
}

// linkPart is the link that a fault affects: "FROM>TO".
var linkPart = &part{
	read: func(p *parser, f *Fault) {
		ends := read(p, "a link such as c1>n2", parseLink)
		f.From, f.To = ends[0], ends[1]
	},
	write: func(f *Fault) string { return f.From + ">" + f.To },
	draw:  func(d *drawing, f *Fault) { f.From, f.To = d.link() },
	hosts: func(f *Fault) []*string { return []*string{&f.From, &f.To} },
	complete: func(f *Fault) error {
		return needs(f.From != "" && f.To != "", "it names no link to hit; name both ends")
	},
}

func parseLink(word string) (ends [2]string, err error) {
	from, to, ok := strings.Cut(word, ">")
	if !ok || from == "" || to == "" {
		return ends, errors.New("no link")
	}
	return [2]string{from, to}, nil
}

// stepPart is the step of a clock, forward or back: "+11s".
var stepPart = &part{
	read: func(p *parser, f *Fault) { f.By = p.shift() },
	write: func(f *Fault) string {
		if f.By < 0 {
			return f.By.String()
		}
		return "+" + f.By.String()
	},
	draw: func(d *drawing, f *Fault) {
		if f.By = d.length(d.storm.Span); d.coin() {
			f.By = -f.By
		}
	},
	amount: byAmount,
}

// delayPart is how much longer a message takes: "by 5ms".
var delayPart = &part{
	read: func(p *parser, f *Fault) {
		p.expect("by")
		f.By = p.duration("a duration such as 5ms")
	},
	write:  func(f *Fault) string { return "by " + f.By.String() },
	draw:   func(d *drawing, f *Fault) { f.By = d.length(d.storm.Span) },
	words:  []string{"by"},
	amount: byAmount,
}

// drawRate draws how wrong the rate of clocks is: up to a quarter, and small more often than large.
func drawRate(d *drawing, f *Fault) {
	f.Rate = clock.Rate(1+d.Below(1<<(4+d.Below(15)))) * clock.PPM
}
