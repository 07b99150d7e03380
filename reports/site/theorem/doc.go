// Package theorem explores a table of locks, and says which faults break which promise of each.
//
// A [Subject] is a row of campaign's table of locks that is small enough to explore. A [Budget] says how many messages
// may differ and which faults may happen once. Budgets are ordered in part: see Budget.Within. [Rows] returns, for each
// promise, the weakest budgets that break it, and the strongest in which it holds. A [Table] has the [Cell] of each
// subject and budget; its Document is the page.
package theorem
