package checker

// lanes returns the names of n nodes.
func lanes(n int) (names []string) {
	for i := range n {
		names = append(names, node(i))
	}
	return names
}
