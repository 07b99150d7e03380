// Package store keeps results and reports on disk. It writes each whole or not at all, and replaces only what it has
// made.
package store
