// Package recorder makes a history, and evidence, of what the clients of a lock do in your test, in goroutines and in
// true time.
//
// # The law
//
// What a Recorder returns is well formed: its History passes History.Check and its Evidence Evidence.Check, whatever
// was called, from any number of goroutines. It does not record a call that does not fit what its client did before.
// Err returns the first such call and what would be right.
//
// # Words
//
// A Client is one thread of control that uses the lock. It says when it begins an operation, and how that ended. A
// Recorder records one lock, with one clock for all its clients.
//
// # Rules for callers
//
// Say that an operation begins before it does, and how it ended after it has: then the record claims no more than is
// true, however the goroutines were scheduled. Don't record background calls, such as the extensions of a watchdog: a
// Client does one thing at a time. A hold whose extensions are not recorded is valid for a shorter time in the
// evidence, which breaks no promise that was kept.
//
// # What is judged
//
// [Recorder.WriteTo] writes the history alone, and lockstorm check judges that by models: whether some order of the
// operations fits a lock, a lock with rising fencing tokens, or a register. The models know no validity.
// [Recorder.Evidence] is for a checker.Judge in the test itself, and also has holds with their validity, extensions,
// writes and tokens. There belief, validity, storage, fenced, tokens and continuity are judged as in Lockstorm's own
// runs. It has no nodes, keys or faults: quorum and leak-free have nothing to judge, deadlock-free and fault-tolerant
// are Unknown.
package recorder
