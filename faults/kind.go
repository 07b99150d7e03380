package faults

import (
	"slices"
	"time"
)

// A Kind is a kind of fault. All that is known of one stands in its entry, and each entry stands in a file of its own.
// Kinds are compared by their pointers.
type Kind struct {
	Name  string // the word that begins what the fault does
	Form  string // how it is written, with HOST where a host or a role stands
	About string // what goes wrong, in one line for the help
	Class *Class

	// EndsItself is true of a kind that lasts as long as it takes. Such a fault has no For.
	EndsItself bool

	// Clocks is true of a kind that changes what a host's clocks show, against those of others.
	Clocks bool

	// Instead is the kind that comes next to one of Clocks and leaves all clocks alone; nil if there is none.
	Instead *Kind

	// Links is true of a kind that strikes the links between hosts, and not the hosts or their clocks.
	Links bool

	// last puts the kind behind the others of its class. A draw of 0 is the simplest, so the mildest come first.
	last bool

	// parts are what the line of a fault says after the kind's name, in that order.
	parts []*part

	// check refuses amounts that mean nothing. Nil accepts all.
	check func(f *Fault, horizon time.Duration) error

	// possible reports whether a run with this cast has anything that it could strike. Nil stands for always. A storm draws no
	// kind that is not.
	possible func(cast *Cast) bool

	// strain returns what a fault asks of the clock of each of its hosts. Nil stands for nothing.
	strain func(f *Fault) strain

	// lasting draws how long a fault lasts. Nil stands for (*drawing).lasting.
	lasting func(d *drawing, f *Fault)

	// strike resolves the hosts of a fault now, and returns what it does to them. It replaces each role in the fault by
	// the role and its hosts.
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
}

// String returns the kind's name.
func (k *Kind) String() string {
	if k == nil {
		return "no kind"
	}
	return k.Name
}

// Possible reports whether a run with this cast has anything that the kind could strike.
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

func kindNames() []string {
	all := make([]string, len(Kinds))
	for i, k := range Kinds {
		all[i] = k.Name
	}
	return all
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

// Hosts returns where the fault names the hosts or roles that it strikes.
func (f *Fault) Hosts() (all []*string) {
	for _, p := range f.parts() {
		if p.hosts != nil {
			all = append(all, p.hosts(f)...)
		}
	}
	return all
}

// Amounts returns the numbers in the fault, but for those that say when it strikes and for how long.
func (f *Fault) Amounts() (all []*Amount) {
	for _, p := range f.parts() {
		if p.amount != nil {
			all = append(all, p.amount)
		}
	}
	return all
}

// parts are those of the fault's kind; none where it has no kind.
func (f *Fault) parts() []*part {
	if f.Kind == nil {
		return nil
	}
	return f.Kind.parts
}
