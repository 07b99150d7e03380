// Package shell writes commands that can be pasted into a shell, and errors that a terminal can show.
package shell
