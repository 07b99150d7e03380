// Package faultstest draws schedules of faults in the property tests of whoever uses rapid, so that rapid shrinks what
// breaks a property to the least schedule that does.
package faultstest
