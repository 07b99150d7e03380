package serve_test

import "os"

// makePipe makes a directory instead: Windows has no pipes among its files.
func makePipe(name string) error { return os.Mkdir(name, 0o755) }
