// Package debate is the argument about Redlock as a document whose assertions are tested by runs.
//
// An [Argument] is prose with an [Assertion] wherever a sentence says what happens. A [Debate] is an argument with the runs
// of its steps. [HTML] puts in the place of each assertion what the runs say, and Debate.Wrong lists where they contradict
// it: so no sentence can say what no run has shown.
package debate
