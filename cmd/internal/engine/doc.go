// Package engine builds the simulator for a page: cmd/lockstorm-play as WebAssembly, compressed.
//
// It is built where it is needed, of the sources of the program that builds it: those of the clone in which that is called, or
// those of its module version. So a page and the command beside it are of one version, and nothing is kept in the repository that
// nobody can read. It takes Go on the PATH, as any build does.
//
// # Small
//
// A page loads all of it before the first run, so what a page never calls is left out, in this build alone: TLS and templates
// of pages by an overlay, which go build reads in place of files of the standard library; Protocol Buffers, but for what raft
// needs, by a module in its place (package protobuf). README.md says where the bytes are.
package engine
