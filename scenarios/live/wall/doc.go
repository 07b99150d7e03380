// Package wall gives processes of this machine a wall clock that can be stepped, and that no other process sees. It also knows
// how much of their files would survive a power failure, and can stall their disk. Their monotonic clocks are real.
//
// It is a library of some eighty lines of C, which a process loads in front of libc, and a page that the two share. A
// program that asks the kernel without libc, as those in Go do, is not deceived. Without a C compiler libfaketime steps clocks,
// and does nothing else.
package wall
