// Package work runs the long work of commands: many runs, whose rows are kept, resumed and shared between machines.
package work
