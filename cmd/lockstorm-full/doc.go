// Command lockstorm-full is lockstorm with client libraries among its kinds of locks: lock.kind may be redsync,
// redislock … Its live runs have etcd and PostgreSQL among their servers.
//
// It is a separate module, so that no other program needs the libraries. It shares cmd/internal/command with lockstorm.
// Its runs take place in bubbles of testing/synctest, and so a test hosts the whole program.
package main
