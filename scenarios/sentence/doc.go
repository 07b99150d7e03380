// Package sentence checks what a sentence about runs may say, given the assertions that it rests on.
//
// Findings of scenarios and the debate are prose, with assertions in braces behind what they prove: "An update is lost
// {storage violated}." A sentence is wrong if it says more than its assertions do: a phrase that no assertion is about,
// a universal where one plan was run, a comparison without a pair of runs that differ in one setting, or a number that
// is no setting and no count. A sentence that rests on no run says why, {no run: source}, and must have no such phrase.
// Whether an assertion is true is for its runs to show, not for this package.
package sentence
