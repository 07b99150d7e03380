package locks

// Memory adds the random value, where attempts share one, and which servers have seen its scripts.
func (l *Redlock) Memory(add func(server int, known any)) {
	if !l.config.FreshToken {
		add(-1, l.token)
	}
	for i := range l.config.Servers {
		add(i, l.freeing.seen[i])
		add(i, l.extending.seen[i])
	}
}
