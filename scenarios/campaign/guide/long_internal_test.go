package guide

import "os"

// long reports whether the long proofs run too; CONTRIBUTING says what they are.
var long = os.Getenv("LOCKSTORM_LONG") == "1"
