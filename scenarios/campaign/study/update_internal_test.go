package study

import "flag"

var _ = flag.Bool("update", false, "write study.schema.json anew")
