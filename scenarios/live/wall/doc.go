// Package wall runs processes of this machine with a private wall clock that can be stepped. It also knows how much
// of their files would survive a power failure, and can stall their disk. Their monotonic clocks are real.
//
// It is a library of some eighty lines of C, which a process loads in front of libc, and a page that the two share.
// It can't deceive a program that asks the kernel without libc, such as a Go program.
package wall
