package sql

// schema creates the resource. Row 1 is the plain register, and row 2 the guarded one.
const schema = `
CREATE TABLE resource (
	id                 INTEGER PRIMARY KEY,
	version            INTEGER NOT NULL, -- one more with each write
	value              INTEGER NOT NULL, -- the number of the operation that wrote it
	last_fencing_token INTEGER NOT NULL, -- the highest seen
	last_token         TEXT    NOT NULL  -- the random token that was set last
) STRICT;
INSERT INTO resource VALUES (1, 0, 0, 0, ''), (2, 0, 0, 0, '');
`

// A Statement is one line of SQL that a connection prepares once.
type Statement int

// The statements. For those that write the guarded register, the count of affected rows shows whether it took the write.
const (
	begin Statement = iota
	commit
	rollback
	wipe

	read  // both versions
	write // the plain register

	// The guarded register with fencing tokens.
	writeFenced
	admitFenced // whether a token would pass
	markFenced  // records a token

	// The same, where a token must be above the highest one seen.
	writeAbove
	admitAbove
	markAbove

	// With random tokens.
	writeEqual
	admitEqual
	markEqual

	writeVersion // with versions

	writeAsked // without a check, by a client that has asked before

	statements // how many there are
)

var texts = [statements]string{
	begin:    `BEGIN IMMEDIATE`,
	commit:   `COMMIT`,
	rollback: `ROLLBACK`,
	wipe:     `UPDATE resource SET version = 0, value = 0, last_fencing_token = 0, last_token = ''`,

	read: `SELECT plain.version, guarded.version FROM resource AS plain, resource AS guarded
		WHERE plain.id = 1 AND guarded.id = 2`,
	write: `UPDATE resource SET version = version + 1, value = ?
		WHERE id = 1`,

	writeFenced: `UPDATE resource SET version = version + 1, value = ?, last_fencing_token = ?2
		WHERE id = 2 AND last_fencing_token <= ?2`,
	admitFenced: `SELECT 1 FROM resource WHERE id = 2 AND last_fencing_token <= ?`,
	markFenced: `UPDATE resource SET last_fencing_token = ?1
		WHERE id = 2 AND last_fencing_token <= ?1`,

	writeAbove: `UPDATE resource SET version = version + 1, value = ?, last_fencing_token = ?2
		WHERE id = 2 AND last_fencing_token < ?2`,
	admitAbove: `SELECT 1 FROM resource WHERE id = 2 AND last_fencing_token < ?`,
	markAbove: `UPDATE resource SET last_fencing_token = ?1
		WHERE id = 2 AND last_fencing_token < ?1`,

	writeEqual: `UPDATE resource SET version = version + 1, value = ?
		WHERE id = 2 AND last_token = ?2`,
	admitEqual: `SELECT 1 FROM resource WHERE id = 2 AND last_token = ?`,
	markEqual:  `UPDATE resource SET last_token = ? WHERE id = 2`,

	writeVersion: `UPDATE resource SET version = version + 1, value = ?
		WHERE id = 2 AND version = ?2`,

	writeAsked: `UPDATE resource SET version = version + 1, value = ?,
		last_fencing_token = CASE WHEN last_fencing_token < ?2 THEN ?2 ELSE last_fencing_token END, last_token = ?3
		WHERE id = 2`,
}

// Text returns the statement, with ? for an argument, or ?N for the one with that number.
func (s Statement) Text() string { return texts[s] }
