// Package protobuf is as much of Protocol Buffers as the raft core asks for: it writes, reads, measures and copies messages of
// optional and repeated fields. The engine of a page is built with it in place of google.golang.org/protobuf, which is a
// seventh of all code there. Messages are the same bytes, and have the same size: raft counts in it how much it sends.
//
// Its message is a pointer to a struct whose fields have the tags that protoc-gen-go writes. It knows unsigned
// numbers, enums, booleans, bytes and messages; raft has no others. It panics at any other type. So a raft with more
// types fails at its first message, and not silently: a test in a browser compares the hashes of runs.
package protobuf
