// Package simtest holds what the tests of all rooms agree on: whether the long proofs run, from which seeds
// properties draw, and how often memory is collected.
// Tests alone import it, and it imports no package of this module.
// Parts holds the digest of a state to every field of structs.
//
// Properties of rapid draw from one fixed seed, so that a test that was green stays green until the code changes. With
// LOCKSTORM_FRESH=1 in the environment they draw from new seeds, as each night and before a change is finished;
// -rapid.seed=N or RAPID_SEED=N repeats a run that failed.
package simtest
