package locks

// RowLock is a lock of the database itself: the client begins a transaction that locks the row it is about to change,
// or fails immediately if another client has it (NOWAIT). Its reads and writes belong to that transaction, and a
// release commits it. There is no lease and no deadline. The database decides whether the lock was held, at the moment
// it applies the write.
type RowLock struct {
	config Config
	ended  Ending
}

// Transaction returns the session of a grant's transaction; "" if that was committed immediately.
func (l *RowLock) Transaction(g Grant) string {
	if l.config.Row.Autocommit {
		return ""
	}
	return g.Token
}

// Ended returns what became of the transaction that the latest release ended.
func (l *RowLock) Ended() Ending { return l.ended }

// A Row has the rules that only a row lock can break.
type Row struct {
	Autocommit bool `yaml:"autocommit"`
	Reconnect  bool `yaml:"reconnect"`
}

// RowLockProtocol is the protocol of NewRowLock.
var RowLockProtocol = Protocol{
	Name: "sql-row-lock", New: making(NewRowLock), OneServer: true,
	Options: []string{"ttl", "timeout", "patience", "own_time", "retry.", "row."},
}

// NewRowLock makes one client's row lock. Its server is the database.
func NewRowLock(c Config) *RowLock {
	if len(c.Servers) != 1 {
		panic("locks: a row lock is of exactly one database")
	}
	return &RowLock{config: c}
}

// Acquire begins a transaction, each in its own session, so that a late statement finds none.
func (l *RowLock) Acquire(c Client) Grant {
	g := Grant{Token: c.Token(), Votes: 1, Deadline: NoDeadline, Clean: true}
	c.Mark("asking")
	begun, answered := l.send(c, "BEGIN IMMEDIATE", g.Token)
	if begun {
		g.fence(c, l.config.Fence)
		if l.config.Row.Autocommit {
			l.send(c, "COMMIT", g.Token)
		}
	} else {
		g.Votes, g.Outcome = 0, NoQuorum
	}
	c.Mark("answered")
	if !g.Won() && (begun || !answered) {
		_, g.Clean = l.send(c, "ROLLBACK", g.Token)
	}
	return g
}

// Release commits. It reports whether the outcome is known: the database may have ended the transaction long ago, and
// then rolled it back. Without an answer the client closes its connection, and the commit was done or never will be.
func (l *RowLock) Release(c Client, g Grant) bool {
	switch done, answered := l.send(c, "COMMIT", g.Token); {
	case done:
		l.ended = Committed
		return true
	case answered:
		l.ended = RolledBack
		return true
	}
	l.ended = InDoubt
	_, answered := l.send(c, "ROLLBACK", g.Token)
	return answered
}

func (l *RowLock) send(c Client, statement, session string) (done, answered bool) {
	reply, err := c.Call(l.config.Servers[0], []string{statement, session}, l.config.Timeout)
	_, refused := reply.(error)
	return err == nil && !refused, err == nil
}
