package redis

// Bare returns a function that makes miniredis carry out a command on this node and does nothing else: no clock, no expiry,
// no parsing of the reply. The cost of simulation is measured against it.
func (n *Node) Bare() func(command []string) {
	return func(command []string) {
		n.raw.Reset()
		n.srv.Dispatch(n.peer, command)
		n.out.Flush()
	}
}
