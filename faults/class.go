package faults

import (
	"fmt"
	"slices"
	"strings"
)

// A Class is a word for similar kinds of faults. A kind like no other has its own Class.
type Class struct {
	Name  string
	About string
	Asked bool // a search draws it only if it names it
}

// The classes of links come first in Classes because they are the mildest.
var (
	delay = &Class{Name: "delay", About: "messages take longer, or are held"}
	loss  = &Class{Name: "loss", About: "messages are lost"}
)

// Classes returns all classes, in the order that a search draws from.
func Classes() []*Class {
	all := []*Class{delay, loss}
	for _, k := range Kinds {
		if !slices.Contains(all, k.Class) {
			all = append(all, k.Class)
		}
	}
	return all
}

// Common returns the classes that a search draws from unless it names others.
func Common() []*Class { return slices.DeleteFunc(Classes(), func(c *Class) bool { return c.Asked }) }

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

// KindsOf returns the kinds that words name. A word is the name of a class or of a kind.
func KindsOf(words []string) (all []*Kind, err error) {
	for _, word := range words {
		found := kindsOf(word)
		if found == nil {
			return nil, fmt.Errorf("no fault is named %q; there are %s%s",
				word, strings.Join(classNames(), ", "), Suggest(word, Words()))
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

// Words returns all words that KindsOf knows.
func Words() []string {
	return slices.Compact(slices.Sorted(slices.Values(append(classNames(), kindNames()...))))
}

func classNames() (names []string) {
	for _, c := range Classes() {
		names = append(names, c.Name)
	}
	return names
}
