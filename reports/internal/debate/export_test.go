package debate

// GridLocks is how many locks the grid names.
var GridLocks = len(gridLocks)

// GridPlaces returns how many places the grid has.
func GridPlaces() int { return len(grid().points) }
