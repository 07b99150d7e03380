package main

import (
	"github.com/lockstorm/lockstorm/scenarios/guests"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

// kinds returns the libraries as kinds of locks.
func kinds() (all []guest.Kind) {
	for i := range guests.Libraries {
		all = append(all, guests.Libraries[i].Guest())
	}
	return all
}
