// Package debate is the argument about Redlock as a document whose assertions are tested by runs.
//
// An [Argument] is prose with an [Assertion] wherever a sentence says what happens. A [Debate] is an argument with the runs
// of its steps. [Debate.Document] puts in the place of each assertion what the runs say, and Debate.Wrong lists where they
// contradict it: so no sentence can say what no run has shown. The prose of the argument is argument.txt; what a page says
// before and after it, on how it was measured and how to cite it, is document.go.
package debate
