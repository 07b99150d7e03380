package debate

var (
	NewStudy      = newStudy
	ParseArgument = parseArgument
	Summary       = summaryOf
	TheArgument   = theArgument
)

// Texts returns all passages of an argument, as they were written.
func Texts(a *Argument) (all []string) {
	for _, p := range a.passages() {
		all = append(all, p.text)
	}
	return all
}
