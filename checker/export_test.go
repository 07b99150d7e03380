package checker

// lanes names so many nodes.
func lanes(n int) (names []string) {
	for i := range n {
		names = append(names, node(i))
	}
	return names
}
