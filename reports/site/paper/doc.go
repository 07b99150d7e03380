// Package paper makes every table and figure of the repository again from nothing, compares them with those committed, and puts
// all that a referee needs into one archive.
//
// There is one list of what is made, Items, and nobody keeps it: it is read from the pages. An example there names its command
// in a comment, a figure in the line below it, and the test that holds the pages to their commands reads them by the same code.
// Beside these are the studies that ship, the debate and the grid of explorations, whose results nobody commits.
//
// Each item is made by a process of its own, so that its time is its own too, and a killed one leaves the others be.
package paper
