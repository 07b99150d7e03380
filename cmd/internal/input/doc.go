// Package input reads what the user names on a command line: scenarios, settings and seeds.
package input
