// Package stuck finds out whether a tested lock will ever continue: it must wait only for the world that it runs in.
// Packages that run foreign locks use it: locktest, and the hosting of client libraries.
package stuck
