// Package sql is a database server for the simulator: real SQL on an embedded engine, SQLite, with the guarded resource
// in a table. It answers the requests of package storage, and it offers a lock that storage cannot have: a transaction.
//
// # The idea
//
// Any other lock is one system and what it protects is another, with a network, clocks and pauses between them. A row
// lock is part of the database that it protects. Its holder does not act later on what it once learnt: the database
// applies a write only if the writer is the holder at that moment.
//
// # The words
//
// The resource is the table of [schema], with two rows for the two registers of package storage: a plain one and a
// guarded one. A storage.Read, storage.Ask or *storage.Write that comes by itself is a transaction of its own, as SQL's
// autocommit has it. A session is one connection with one transaction. Its client draws its name:
//
//	[]string{"BEGIN IMMEDIATE", session}   locks the resource, or fails at once: NOWAIT
//	In{session, request}                   carries out a request of package storage within the transaction
//	[]string{"COMMIT", session}            makes its writes permanent, and ends the session
//	[]string{"ROLLBACK", session}          undoes what it wrote, and ends the session
//
// A statement that succeeded is answered with its first word. Any that failed is answered with an [Error], whose first
// word is the name that SQL's standard, or PostgreSQL, has for the condition. A session that did not get the lock has not
// begun, and may try again.
//
// # How a session ends
//
// By COMMIT or ROLLBACK; when its host goes off; when one of its statements fails; and when it has sat idle in its
// transaction for [Config].Idle, which is PostgreSQL's idle_in_transaction_session_timeout: a step back of its host's wall
// clock lengthens that, and a step forward does nothing. Except for
// COMMIT, each end is a rollback. Later statements of that session are refused with [ErrEnded].
//
// A client whose call has timed out closes its connection. A server learns that from the client's kernel, so
// here the client sends ROLLBACK, once, as a message that may be lost like any other. In a real connection nothing
// arrives after its end. So a BEGIN that arrives after its session's ROLLBACK does not begin it. Of a client that
// is off or cut off a server learns nothing. Only the idle limit ends its session; without a limit
// such a client blocks all others until its server restarts: real keep-alives take two hours by default.
//
// # Why the row lock protects the resource
//
// Let an update be a read, work, a write and a commit, all in one session. Then no update is ever lost, whatever
// happens to clocks, hosts and messages:
//
//  1. From its BEGIN to its end a session is the only one in the database. The engine gives its lock to one connection,
//     and refuses every other, also a write that comes with no session.
//  2. A read, a write and a commit are carried out only while their session lasts. Afterwards they are refused, however
//     long they were under way. And no session begins twice.
//  3. So all three fall between its BEGIN and its end, and between the read and the commit nobody else changes anything.
//     The commit applies the write over the version that the read returned.
//  4. What is not committed is rolled back at the end, whatever the end was. So nothing else is ever applied.
//
// None of this depends on a time. The idle limit may run on a wrong clock, and may end a session too early or much too late:
// it decides who has to begin again, not what is applied. That is the difference to a lease. A lease is a promise for some
// time, and its holder may act when that is over; here check and write are one step of one machine. A fencing token corrects
// a lease in the same way: it makes storage check with each write. But a token only refuses late writes, and needs
// tokens in order; the transaction also undoes what was begun.
//
// This does not cover what a client does outside the database, or how long anybody waits: a paused holder still takes itself
// for the holder, and without an idle limit everybody waits for it. And a client must write in the session in which it
// reads. One that keeps what it read, and writes it in its next session, loses updates as if there were no lock.
//
// # Guards
//
// The guarded register refuses stale writes by the WHERE of its UPDATE, and the count of affected rows shows it: 0 is a
// refusal. By storage.Order the condition is
//
//	last_fencing_token <= ?
//
// The literature also has it with <, under which a token is good for one write. It is <= here, as in package storage: a
// holder may write more than once, its read may raise the mark that its write must then pass, and a write whose reply was
// lost may be sent again. It does no harm while no two holders have the same token; the counter of the
// tokens promises that, and the property tokens judges it.
//
// By storage.Equality it is a compare-and-set of random tokens, and with [Config].Optimistic of versions: version = ?,
// with the version that the writer had read. That needs no lock and no token at all. The loser of a race must begin again.
//
// # What is not real
//
// The engine keeps the database in memory, and a committed transaction survives everything, power failures too: like a
// disk that keeps what it has promised to keep. The engine locks the whole database where others lock a row, which is
// the same thing here, as there is only one resource; and while a session lasts nobody else can read either, where
// others show the last committed state. Connections are kept when sessions end, and lent to the next, as a pool would.
// SQL's integers have a sign, so a fencing token from 2^63 on is refused.
//
// # Which build of SQLite
//
// SQLite runs as WebAssembly (github.com/ncruces/go-sqlite3 on wazero), which costs the least to fetch and to compile. It is
// compiled to machine code once per process, when the first database is opened; with the race detector that takes 10 s of CPU.
// Measured with Go 1.26, each with its dependencies. Times are those of the CPU; runs are whole processes, with the first
// database; the last column is BenchmarkRowLock:
//
//	build                               modules  go build  first database  300 runs of sql/any  10,000 runs  RowLock
//	modernc.org/sqlite v1.46, libc       337 MB    22 s         0.4 ms            0.05 s           1.2 s     19.7 µs
//	ncruces/go-sqlite3 v0.32, wazero      83 MB     9 s       1,100 ms            1.2 s            3.0 s     18.9 µs
//	ncruces/go-sqlite3 v0.34, in Go       13 MB    36 s       not measured
//
// # What the caller owes
//
// Names of sessions are not empty, and no two sessions of a run have the same. A commit without an answer has an unknown
// outcome; asking again does not help, for the session is over either way. A [Server] must be closed.
package sql
