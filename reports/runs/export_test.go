package runs

// Describe returns a result as JSON data.
var Describe = describe
