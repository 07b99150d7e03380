// Package sqlproof has no code but tests. They compare the engine and the statements of package sim/sql with real
// SQLite and real PostgreSQL: rows, counts, errors, what is locked and what a transaction sees.
//
// SQLite locks the whole database, so it is compared where each transaction begins with the row lock. PostgreSQL is
// compared statement by statement, with transactions that overlap in any way. Where PostgreSQL would wait for a lock,
// the engine must fail with sql.ErrLocked.
package sqlproof
