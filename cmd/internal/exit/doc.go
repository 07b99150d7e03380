// Package exit holds the exit codes of lockstorm, which are Jepsen's, and the errors that end a command with one of them.
package exit
