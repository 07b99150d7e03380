// Package sql simulates a database server that holds the guarded resource in a table. It answers the requests of
// package storage, and offers a lock that storage can't have: a transaction.
//
// # Why
//
// Any other lock is one system and the resource is another, with a network, clocks and pauses between them. A row lock
// is part of the database. The database applies a write only if the writer holds the lock at that moment.
//
// # Parts
//
// A [Database] is a small storage engine: named [Table]s with a primary key, rows of typed columns, and transactions
// ([Tx]) with row locks. A transaction sees committed rows and its own writes. Nothing waits: a statement that would
// wait for another transaction fails with [ErrLocked]. A [Statement] is a value. A Tx carries it out; PostgreSQL gets
// the same statement as text. The tests of scenarios/live/sqlproof compare the engine with real SQLite and PostgreSQL.
//
// A [Server] has the table [Resource], with one row for each of the two registers of package storage. A storage.Read,
// storage.Ask or *storage.Write by itself is its own transaction, as with autocommit. A session is one connection with
// one transaction; its client draws its name:
//
//	[]string{"BEGIN IMMEDIATE", session}   locks the resource, or fails immediately: NOWAIT
//	In{session, request}                   carries out a request of package storage within the transaction
//	[]string{"COMMIT", session}            makes its writes permanent, and ends the session
//	[]string{"ROLLBACK", session}          undoes its writes, and ends the session
//
// The reply to a statement that succeeded is its first word, and the reply to one that failed is an [Error]. A session
// that did not get the lock has not begun, and may try again. Names of sessions are not empty, and each session of a
// run has another name.
//
// # How a session ends
//
// A session ends by COMMIT or ROLLBACK; when its host goes off; when one of its statements fails; and after
// [Config].Idle without a statement, which is PostgreSQL's idle_in_transaction_session_timeout. A step back of the
// host's wall clock lengthens that time, and a step forward does nothing. Each end except COMMIT is a rollback. The
// server rejects later statements of the session with [ErrEnded].
//
// A client whose call has timed out closes its connection. Here it sends ROLLBACK once, in a message that can be lost.
// In a real connection nothing arrives after the end, so a BEGIN that arrives after its session's ROLLBACK begins
// nothing. The server learns nothing of a client that is off or cut off. Only the idle limit ends such a session;
// without a limit it blocks all others until the server restarts. The client of a lost commit can't find out whether it
// was applied.
//
// # Why the row lock protects the resource
//
// Let an update be a read, work, a write and a commit, all in one session. Then no update is ever lost, whatever
// happens to clocks, hosts and messages:
//
//  1. Every transaction begins with [Take], the row lock. So from its BEGIN to its end a session is the only one in the
//     database, and the server rejects all others, also a request without a session.
//  2. The server carries out a read, a write and a commit only while their session lasts, and no session begins twice.
//  3. So no one else changes anything between the read and the commit. The commit applies the write over the version
//     that the read returned.
//  4. Each other end is a rollback, so nothing else is ever applied.
//
// This does not depend on time. A wrong clock may end a session too early or too late: it decides who must begin again,
// not what is applied. A lease is a promise for some time, and its holder may act later. A fencing token corrects a
// lease, because it makes storage check each write; a transaction also undoes what was begun.
//
// This does not cover what a client does outside the database, or how long clients wait: a paused holder still believes
// that it holds the lock. A client that keeps what it read, and writes it in its next session, loses updates.
//
// # Guards
//
// The guarded register rejects stale writes by the WHERE of its UPDATE; 0 affected rows are a refusal. By storage.Order
// the condition is last_fencing_token <= $1. Some literature has <, which is Above: a token is then good for one write.
// With <= a holder may write more than once, and send a write again whose reply was lost. By storage.Equality it is a
// compare-and-set of random tokens, and by storage.Version one of the version that the writer had read, which needs no
// lock and no token.
//
// # What is not real
//
// A committed transaction survives everything, power failures too. While a session lasts no one else can read, where
// real databases show the last committed state. SQL's integers have a sign, so the server rejects a fencing token from
// 2^63 on.
package sql
