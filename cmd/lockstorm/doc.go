// Command lockstorm runs distributed locks under faults, and says which of their promises broke, when and why. The
// package cmd/internal/command has all of its code.
package main
