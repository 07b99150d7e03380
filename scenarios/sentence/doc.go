// Package sentence says what a sentence about runs may say, given the assertions that it rests on.
//
// Findings of scenarios and the debate are prose, with assertions in braces behind what they bear out: "An update is
// lost {storage violated}." A sentence is wrong if it says more than its assertions do: a phrase that none of them is
// about, a universal where one plan was run, a comparison without a pair in which one setting differs, a number that is
// neither a setting nor counted. One that rests on no run says why, {no run: source}, and may have none of these.
// Whether an assertion is so is for its runs to say, and not for this package.
package sentence
