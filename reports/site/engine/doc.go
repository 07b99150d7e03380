// Package engine builds the simulator for a page: the command in the folder wasm, as WebAssembly, compressed.
//
// It is built where a site is made, from the sources of that site, and uses the go command of the PATH, as any build
// does. So the repository keeps nothing that people can't read.
//
// # Small
//
// A page loads all of it before the first run. So this build alone leaves out what a page never calls: TLS and
// templates of pages by an overlay, which go build reads in place of files of the standard library; Protocol Buffers,
// except what raft needs, by a module in its place (package protobuf). README.md says where the bytes are.
package engine
