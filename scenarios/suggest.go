package scenarios

import "github.com/lockstorm/lockstorm/faults"

// Suggest ends an error about an unknown name with the names that come nearest: "; did you mean lock.ttl?". It is empty
// when none is near.
func Suggest(name string, known []string) string { return faults.Suggest(name, known) }
