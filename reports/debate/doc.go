// Package debate is the argument about Redlock as a document whose assertions are tested by runs.
//
// An [Argument] is prose with an [Assertion] wherever a sentence says what happens; it is refused where a sentence says more than
// its assertions do. A [Study] is a figure of many runs. A [Debate] is an argument with the runs that it is about.
// [Debate.Document] puts in the place of an assertion what the runs say beyond the sentence, and Debate.Wrong lists where they
// contradict it: so no sentence can say what no run has shown. The prose is argument.txt; how it was measured and how to cite
// it is in document.go.
package debate
