package faults

import (
	"fmt"
	"slices"
	"strings"
)

// A Class is a word for kinds of faults that are alike to those who say what may happen. A kind like no other has a Class
// of its own.
type Class struct {
	Name    string
	About   string
	Assumes Assumption
}

// An Assumption is what a lock must take for granted to keep its promises under a class of faults.
type Assumption uint8

// The assumptions.
const (
	_            Assumption = iota // a lock is made to tolerate it
	DurableNodes                   // each node keeps what it has acknowledged
	SteadyNodes                    // the wall clocks of nodes, by which keys expire, are not stepped
	TrueRates                      // all clocks run at the same rate
)

// The classes of links come first in Classes: they are the mildest.
var (
	delay = &Class{Name: "delay", About: "messages take longer, or are held"}
	loss  = &Class{Name: "loss", About: "messages are lost"}
)

// Classes returns all classes, in the order in which a search draws from them.
func Classes() []*Class {
	all := []*Class{delay, loss}
	for _, k := range Kinds {
		if !slices.Contains(all, k.Class) {
			all = append(all, k.Class)
		}
	}
	return all
}

// Kinds returns the kinds of the class, the mildest first.
func (c *Class) Kinds() (all []*Kind) {
	for _, last := range []bool{false, true} {
		for _, k := range Kinds {
			if k.Class == c && k.last == last {
				all = append(all, k)
			}
		}
	}
	return all
}

// KindsOf returns the kinds that words stand for: classes, or kinds themselves.
func KindsOf(words []string) (all []*Kind, err error) {
	for _, word := range words {
		found := kindsOf(word)
		if found == nil {
			return nil, fmt.Errorf("no fault is named %q; there are %s%s", word, strings.Join(classNames(), ", "), Suggest(word, Words()))
		}
		for _, k := range found {
			if !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	return all, nil
}

func kindsOf(word string) []*Kind {
	for _, c := range Classes() {
		if c.Name == word {
			return c.Kinds()
		}
	}
	if k := KindNamed(word); k != nil {
		return []*Kind{k}
	}
	return nil
}

// Words returns all words that KindsOf knows: the names of classes and of kinds.
func Words() []string {
	return slices.Compact(slices.Sorted(slices.Values(append(classNames(), kindNames()...))))
}

func classNames() []string {
	all := Classes()
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	return names
}
