// Package man writes the man pages of a program from its commands, in the macros of man(7). What cobra has for that brings a
// Markdown compiler along.
package man
