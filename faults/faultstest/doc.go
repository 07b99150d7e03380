// Package faultstest draws schedules of faults for property tests with rapid, so that rapid shrinks a schedule that
// breaks a property to a smallest one.
package faultstest
