package runs

// What tests of the package ask from outside.
var (
	Describe = describe
	Summary  = summary
)
