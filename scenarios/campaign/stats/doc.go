// Package stats says how much a share that was seen in some runs tells of the share in all.
//
// Runs with different seeds are independent draws, and each breaks a property or does not. So the number that break it is
// binomial, and two intervals are of use:
//
//   - Wilson, for bands in tables and plots. On average over all shares it covers the true one as often as it says, and
//     it stays within 0 and 1.
//   - Clopper–Pearson, for claims. It covers the true share at least as often as it says, whatever that share is. Of no
//     violation in n runs it gives an upper bound that can be published.
//
// Time to an event, which some runs end before, has a survival curve: KaplanMeier.
//
// These are the only floats of a campaign. Nothing that a run does hangs on them.
package stats
