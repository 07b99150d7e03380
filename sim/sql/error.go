package sql

import "strings"

// An Error is an error reply. Its first word is the name of the condition, as SQL's standard or PostgreSQL has it.
type Error string

// Error returns the reply's text.
func (e Error) Error() string { return string(e) }

// Brief returns the name of the condition.
func (e Error) Brief() string {
	name, _, _ := strings.Cut(string(e), ":")
	return name
}

// What a client must be ready for.
const (
	ErrLocked = Error("lock_not_available: another session has locked the resource; nothing was done")
	ErrEnded  = Error("no_active_sql_transaction: the session has ended or never began; nothing was done")
)

// must is for what only a mistake of ours can make fail.
func must(err error) {
	if err != nil {
		panic("sql: " + err.Error())
	}
}
