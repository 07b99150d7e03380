// Package paper makes every table and figure of the repository again from nothing, and compares them with those committed.
//
// Items is the only list of what is made, and no one keeps it: it is read from the pages. An example there names its command
// in a comment, a figure in the line below it, and the test that compares the pages with their commands reads them by the same
// code. The list also has the studies that ship, the debate and the grid of explorations, whose results are not committed.
//
// A separate process makes each item, so a killed one leaves the others alone.
package paper
