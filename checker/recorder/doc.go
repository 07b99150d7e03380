// Package recorder makes a history, and evidence, of what the clients of a lock do in a test of yours, in goroutines and in
// true time.
//
// # The law
//
// What a Recorder returns is well formed: its History passes History.Check and its Evidence Evidence.Check, whatever was
// called, from however many goroutines. A call that does not fit what its client did before is not recorded, and Err says
// which it was and what would be right.
//
// # Words
//
// A Client is one thread of control that uses the lock. It says when it begins an operation, and how that ended. A Recorder
// is of one lock, and has one clock for all its clients.
//
// # What the caller owes
//
// Say that an operation begins before it does, and how it ended after it has: then the record says no more than is true,
// however the goroutines were scheduled. Of the calls of a lock that are made in the background, such as the extensions of a
// watchdog, say nothing: a Client does one thing at a time. A hold whose extensions are not recorded is valid for a shorter
// time in the evidence, which breaks no promise that was kept.
//
// # What is judged
//
// [Recorder.WriteTo] writes the history alone, and lockstorm check judges that by models: whether some order of the operations is
// one of a lock, of a lock with fencing tokens that rise, or of a register. It knows no validity. [Recorder.Evidence] is for a
// checker.Judge in the test itself, and has more: holds with their validity, extensions, writes and tokens. There belief,
// validity, storage, fenced, tokens and continuity are judged as in Lockstorm's own runs. It has no nodes, keys or faults,
// for nobody recorded them: quorum and leak-free have nothing to judge there, deadlock-free and fault-tolerant are Unknown.
package recorder
