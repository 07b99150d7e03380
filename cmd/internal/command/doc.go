// Package command is the command line of lockstorm: each command in a file of its own. Several programs share it.
//
// It deals with flags, files and exit codes, and with nothing else. The exit codes are Jepsen's: 0 when all went as
// expected, 1 when not, 2 when that could not be known, 254 for bad arguments, a bad file or a disk that can't be written,
// 255 for a fault of Lockstorm's own. Long work that a signal ended, SIGINT or SIGTERM, exits with 130.
package command
