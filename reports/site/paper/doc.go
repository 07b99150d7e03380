// Package paper lists every table and figure of the repository, with the commands that make them.
//
// Items is the only list, and no one keeps it: it is read from the pages. An example there names its command in a comment, a figure
// in the line below it, and the test that compares the pages with their commands reads them by the same code. The list also has the
// studies that ship, the debate and the grid of explorations, whose results are not committed.
//
// A long test makes all of them again, each in a separate process, and compares them with the committed files.
package paper
