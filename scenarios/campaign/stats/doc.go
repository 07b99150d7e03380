// Package stats computes how near a share that was seen in some runs is, probably, to the share in all.
//
// Runs with different seeds are independent draws, and each breaks a property or does not. So the number that break it
// is binomial. Its interval is Clopper and Pearson's, in claims, tables and plots. It covers the true share with at
// least its confidence, whatever that share is. For no violation in n runs it has an upper bound that can be published.
//
// People read a share in per cent, everywhere: Percent writes it in a sentence, and PerCent in a cell of a table that
// says so above. Files for programs (JSON, CSV, Parquet) have fractions from 0 to 1.
//
// These are the only floats of a campaign. Nothing that a run does depends on them.
package stats
