// Package bounds reports where a property begins to hold or to break as a setting changes: the value that a formula
// gives beside the one that runs have shown.
package bounds
