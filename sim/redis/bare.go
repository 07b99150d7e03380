package redis

// Bare gives a function that lets miniredis carry out a command on this node and does nothing else: no clock, no expiry,
// no reading of the reply. It is what the cost of simulation is measured against.
func (n *Node) Bare() func(command []string) {
	return func(command []string) {
		n.raw.Reset()
		n.srv.Dispatch(n.peer, command)
		n.out.Flush()
	}
}
