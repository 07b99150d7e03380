// Package work runs the long work of commands: many runs, whose rows are kept and resumed.
package work
