// Package storage is the guarded resource: what an application protects with a lock.
//
// It holds two registers side by side. The plain one applies every write. The fenced one refuses a write whose fencing
// token is lower than one it has seen; or, where it checks equality, a write whose random token is not the one that was
// set last; or, where it checks versions, a write that is not based on the present one. A client's one read and one write
// reach both, so a single run shows with the same timing what happens without fencing and with it.
//
// Reads carry the tokens too, and storage records them if it is configured so (ReadsMark). Without that, a late write can
// come between its successor's read and write, and the successor overwrites it unseen.
//
// Check and write are one step. A client that makes them two, an Ask and then a Write with Asked set, shows why.
//
// A register's state is a version: 0 at first, and one more with each change. That is all a judge needs to know which
// update was lost, and no two changes look alike.
package storage
