package locks

// Memory calls add with all that the lock remembers from one operation to the next, apart from its configuration: for no
// server in particular where server is -1. Whoever compares the states of two runs needs it.
func (l *Redlock) Memory(add func(server int, known any)) {
	if !l.config.FreshToken {
		add(-1, l.token)
	}
	for i := range l.config.Servers {
		add(i, l.freeing.seen[i])
		add(i, l.extending.seen[i])
	}
}
