// Package worker makes the rows of runs with client libraries, in separate processes: a library may end its process.
package worker
