package debate

var (
	ParseArgument = parseArgument
	Summary       = summaryOf
	TheArgument   = theArgument
)

// GridLocks is how many locks the grid names.
var GridLocks = len(gridLocks)

// GridPlaces returns how many places the grid has.
func GridPlaces() int { return len(grid().points) }

// Texts returns all passages of an argument, as they were written.
func Texts(a *Argument) (all []string) {
	for _, p := range a.passages() {
		all = append(all, p.text)
	}
	return all
}
