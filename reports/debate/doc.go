// Package debate is the argument about Redlock as a document whose assertions are tested by runs.
//
// An [Argument] is prose with an [Assertion] for each statement about runs. A sentence that says more than its
// assertions is an error. A [Trialed] is a figure of many runs. A [Debate] is an argument with its runs.
// [Debate.Document] replaces an assertion by the facts of the runs beyond the sentence, and [Debate.Wrong] lists
// contradictions. So no sentence says something that no run has shown. The prose is in argument.txt; document.go has
// the method and how to cite the document.
package debate
