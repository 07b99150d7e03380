//go:build unix

package serve_test

import "syscall"

// makePipe makes a named pipe: a reader that opens it waits for a writer.
func makePipe(name string) error { return syscall.Mkfifo(name, 0o644) }
