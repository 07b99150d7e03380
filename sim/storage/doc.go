// Package storage is the guarded resource: what an application protects with a lock.
//
// It holds two registers side by side. The plain one applies every write. The fenced one refuses a write whose fencing
// token is lower than one it has seen; or, where it checks equality, a write whose random token is not the one that was
// set last; or, where it checks versions, a write that is not based on the present one. A client's one read and one write reach both, so a single run tells on the same timing what happens without
// fencing and what happens with it.
//
// Reads carry the tokens too, and storage takes note of them, if it is told to (ReadsMark). Without that, a writer that
// was overtaken can slip in between its successor's read and write, and the successor overwrites it unseen.
//
// Check and write are one step. A client that has them as two, an Ask and then a Write that says it has asked, shows why.
//
// A register's state is a version: 0 at first, and one more with each change. That is all a judge needs to know which
// update was lost, and no two changes look alike.
package storage
