// Command lockstorm-full is lockstorm with client libraries among its kinds of locks: lock.kind may be redsync, redislock …
// Its live runs have etcd and PostgreSQL among their servers.
//
// It is a module of its own, so that nobody else needs the libraries. All else it shares with lockstorm: both are made of
// cmd/internal/command. Its runs take place in bubbles of testing/synctest, and so the whole program is hosted by a test.
package main
