// Command lockstorm lets distributed locks run under faults, and says which of their promises broke, when and why.
//
// It deals with flags, files and exit codes, and with nothing else. The exit codes are Jepsen's: 0 when all went as
// expected, 1 when not, 2 when that could not be known, 254 for bad arguments, a bad file or a disk that can't be written,
// 255 for a fault of Lockstorm's own. Long work that a signal ended, SIGINT or SIGTERM, exits with 130.
package main
