// Package store keeps results and reports on disk. Nothing of it is ever there by half, and nothing that it has not made
// itself is replaced.
package store
