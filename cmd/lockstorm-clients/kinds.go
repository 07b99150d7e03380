package main

import (
	"github.com/lockstorm/lockstorm/scenarios/guest"
	"github.com/lockstorm/lockstorm/scenarios/guests"
)

// kinds returns the libraries as kinds of locks.
func kinds() (all []guest.Kind) {
	for _, l := range guests.Libraries {
		all = append(all, guest.Kind{
			Name: l.Name, About: l.Title + ": " + l.As, Like: l.Kind, Extends: l.Extends, Key: l.Key, Shortest: l.Shortest, Lock: l.New,
		})
	}
	return all
}
