// Package guide searches for what breaks a scenario, and lets each run decide what is run next.
//
// A uniform search, as campaign.Hunt makes it, draws each universe for itself: the settings that vary, and a schedule of
// faults. A guided [Search] begins in the same way, and then changes universes that were run before. Its law is:
//
//	A guided search runs no universe that its scenario's search could not draw. It only draws others more often.
//
// So there are never more faults than search.most, of no other kinds, within the same time, and settings have no other
// values. What is changed is what a scenario file can say, and the seed of the run, never what a run draws inside. So each
// run is a scenario and a seed, which run repeats byte for byte, and shrink takes.
//
// # What a run shows
//
// A [Run] is known by its features and its margins. Both are read from the evidence that the judges have anyway.
//
// A feature is something that a run did or did not show: how many nodes two clients had at once, that a pause struck where a
// client had the answers and another held the lock, that a key outlived its owner by about 100 ms. Times count in bands,
// each twice as long as the one before. For each feature the corpus keeps the run that showed it with the fewest faults.
//
// A margin is how far a run was from breaking a promise: by how much the majority of keys outlived the validity, how much
// validity was left to who acquired, how long the longest wait was against the bound. For each margin the corpus keeps the
// four runs that came closest, but for those that broke what is watched.
//
// # How a universe is changed
//
// Three of five are rebuilt from the run with the rarest of four features: some of its faults are taken out, and others put
// in, until there are as many as a run may have. Most get other latencies too. The others are tuned, from a run with a
// small margin: one thing or a few are changed in it, which can be the seed, a setting, a fault, or when, for how long, whom
// or how much. Of the margins that belong to what is watched, the one is taken that was tried least since it last became
// smaller. One in twenty universes is drawn as uniform search draws it, so that no universe is out of reach.
//
// A setting that has a range is given one of its ends half of the time that it is changed, and else any of its values. What
// a lock allows for is a sum, and is nearest to too little where clocks, timeouts and periods are as far off as they may be.
//
// A fault that is put in is aimed. It is drawn as a storm draws it, and then strikes at a mark that a client passed in the
// run that it is put into, or at a moment at which something happened there, and often strikes who passed the mark. A storm
// knows none of this: five of the thirteen marks at which it strikes are passed by few locks, and many a moment is after the
// end.
//
// A partition that its parent drew for fewer clients or nodes gets the others on its sides: a storm leaves nobody out.
//
// # Why it repeats
//
// Runs are made in generations. A generation is a function of the runs before it, and its runs are added in order. What run n
// draws comes from a chance of its own. So the same runs are made with any number of workers, and more runs begin with the
// same ones. Generations are small at first, as each run counts most then. The first sixteen universes are uniform: the very
// ones that campaign.Hunt would begin with. So what is easy to find costs exactly as much.
//
// # What it cannot say
//
// The runs are no sample. How many of them break a promise says nothing of how often it breaks, and no interval is given.
//
// # Where it comes from
//
// To keep what showed something new is the idea of greybox fuzzers such as AFL; to count an improvement by half as new, that of
// value profiles. Margins with a few of the best runs each, and a turn for each margin that was tried in vain least, follow the
// Many Independent Objective algorithm (Arcuri, 2018). That faults should follow what was observed in runs before is from
// Mallory (Meng et al., 2023).
package guide
