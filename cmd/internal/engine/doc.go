// Package engine builds the simulator for a page: cmd/lockstorm-play as WebAssembly, compressed.
//
// It is built where it is needed, of the sources of the program that builds it: those of the clone in which that is called, or
// those of its module version. So a page and the command beside it are of one version, and nothing is kept in the repository that
// nobody can read. It takes Go on the PATH, as any build does.
//
// # Small
//
// A page loads all of it before the first run. What a page never calls is left out, by an overlay that go build reads in place of
// files of the standard library, for this build alone: TLS, which a Redis node could listen with, and templates of pages. And
// reflect has no iterator over methods, for one call of that by a generated name would make the linker keep every method
// of every type. SQLite is left out by build constraints, in package sim/sql.
package engine
