package blackbox

// A reentrantFencedState is a stay, its fencing token, 0 while it is not known, and the largest token so far.
type reentrantFencedState struct {
	reentrantState
	token, mark uint64
}

// reentrantFencedMachine is a reentrant mutex with one fencing token for each hold, however often its holder comes in:
//
//	state                     op                    outcome   next
//	free                      acquire c, token      ok        held by c once with token = mark, if token > mark; else illegal
//	held by c, no token, n<L  acquire c, token      ok        n+1 times with token = mark, if token > mark; else illegal
//	held by c, token, n<L     acquire c, token      ok        n+1 times, if it is the same token; else illegal
//	free, or held by c, n<L   acquire c, no token   ok        held by c, once more
//	held by c, n=L            acquire c             ok        illegal
//	held by another           acquire c             ok        illegal
//	held by c, n>1            release c             ok        held by c n-1 times
//	held by c, n=1            release c             ok        free
//	other                     release c             ok        illegal
//	held by c                 renew c               ok        the same, whatever token it brings back
//	other                     renew c               ok        illegal
//	any                       any                   fail      the same
//	any                       any                   unknown   as for ok and no token, where that is legal, or the same
func reentrantFencedMachine(m *Model) machine {
	limit := or(m.Limit, 2)
	return machineOf(reentrantFencedState{reentrantState: reentrantState{holder: nobody}}, func(g reentrantFencedState, c *operation) (reentrantFencedState, bool) {
		next, legal := g.step(c, limit)
		g.reentrantState = next
		if next.holder == nobody {
			g.token = 0
		}
		token := c.token()
		if token == 0 || token == g.token {
			return g, legal
		}
		legal = legal && g.token == 0 && token > g.mark
		g.token, g.mark = token, token
		return g, legal
	})
}
