// Package publish has the commands that show results to other people: serve, site and paper.
package publish
