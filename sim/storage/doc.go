// Package storage is the guarded resource: the data that an application protects with a lock.
//
// It has two registers. The plain one accepts every write. The fenced one rejects a write with a lower fencing token
// than it has seen. Where it checks equality, it rejects a write whose random token is not the one that was set last.
// Where it checks versions, it rejects a write that is not based on the present version. A client's one read and one
// write reach both, so a single run shows with the same timing what happens with and without fencing.
//
// Reads carry the tokens too, and storage records them if ReadsMark is set. Otherwise a late write can come between its
// successor's read and write, and the successor overwrites it unseen.
//
// Check and write are one step. A client with two steps, an Ask and then a Write with Asked set, shows why.
//
// A register's state is a version: 0 at first, and one more with each change. So no two changes look alike, and a judge
// can see which update was lost.
package storage
