package faults

import (
	"slices"
	"time"
)

// A Kind is a kind of fault. Its entry, in a separate file, defines it. Kinds are compared by their pointers.
type Kind struct {
	Name    string // the word that begins what the fault does
	Label   string // its name for people
	Form    string // how it is written, with HOST for a host or a role
	About   string // what goes wrong, in one line for the help
	Class   *Class
	Instead *Kind // for one of Clocks, the most similar kind that leaves all clocks alone; nil if there is none

	EndsItself bool // it lasts as long as it takes: such a fault has no For
	Clocks     bool // it changes what a host's clocks show, relative to other hosts
	Links      bool // it affects links, not hosts or their clocks

	// last puts the kind behind the others of its class. A draw of 0 is the simplest, so the mildest come first.
	last bool

	// parts are what a fault's line says after the kind's name, in that order.
	parts []*part

	// check rejects amounts that mean nothing. Nil accepts all.
	check func(f *Fault, horizon time.Duration) error

	// possible reports whether a run with this cast has a target for it. Nil means always. A storm draws only possible
	// kinds.
	possible func(cast *Cast) bool

	// strain returns what a fault asks of the clock of each of its hosts. Nil means nothing.
	strain func(f *Fault) strain

	// lasting draws how long a fault lasts. Nil means (*drawing).lasting.
	lasting func(d *drawing, f *Fault)

	// The function resolves the hosts of a fault now, adds them to its roles, and returns the effect.
	strike func(t *targets, f *Fault) effect
}

// Kinds is the table of all kinds. Rows of campaigns number kinds by their places in it, so a new one goes last.
var Kinds = []*Kind{
	Pause,
	Suspend,
	Crash,
	Restart,
	Jump,
	Drift,
	Slew,
	Strobe,
	Partition,
	Cut,
	Hold,
	Slow,
	SlowNode,
	Lossy,
	StallDisk,
	Refuse,
	Evict,
}

// String returns the kind's name.
func (k *Kind) String() string {
	if k == nil {
		return "no kind"
	}
	return k.Name
}

// Possible reports whether a run with this cast has a target for the kind.
func (k *Kind) Possible(cast *Cast) bool { return k.possible == nil || k.possible(cast) }

// Index returns the kind's place in Kinds; -1 if it is not there.
func (k *Kind) Index() int { return slices.Index(Kinds, k) }

// KindNamed returns the kind of that name; nil if there is none.
func KindNamed(name string) *Kind {
	if i := slices.Index(kindNames(), name); i >= 0 {
		return Kinds[i]
	}
	return nil
}

func kindNames() (names []string) {
	for _, k := range Kinds {
		names = append(names, k.Name)
	}
	return names
}

// What returns what the fault does, without when: "pause c1", "partition c1 n1 | n2 n3".
func (f Fault) What() string { return f.what() }

func (f *Fault) what() string {
	var room [64]byte // enough for most
	b := append(room[:0], f.Kind.String()...)
	for _, p := range f.parts() {
		if text := p.write(f); text != "" {
			b = append(append(b, ' '), text...)
		}
	}
	return string(b)
}

// Hosts returns pointers to the hosts or roles that the fault affects.
func (f *Fault) Hosts() (all []*string) {
	for _, p := range f.parts() {
		if p.hosts != nil {
			all = append(all, p.hosts(f)...)
		}
	}
	return all
}

// Amounts returns the numbers in the fault, except its time and its length.
func (f *Fault) Amounts() (all []*Amount) {
	for _, p := range f.parts() {
		if p.amount != nil {
			all = append(all, p.amount)
		}
	}
	return all
}

// parts returns the parts of the fault's kind; none where it has no kind.
func (f *Fault) parts() []*part {
	if f.Kind == nil {
		return nil
	}
	return f.Kind.parts
}
