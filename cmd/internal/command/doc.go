// Package command is the command line of lockstorm. Another program can add its own commands: see Main.
//
// A command's file has its flags, one call and one print, in at most 120 lines. Its checks and its other output are in
// a second file of its name, such as fuzz_hunt.go. Its help is help/<command>.txt, as it is printed. What a pipeline
// reads is in package store, and command.go puts the commands together.
//
// The package deals with flags, files and exit codes, and with nothing else. The exit codes are Jepsen's: 0 when
// everything went as expected, 1 when not, 2 when that could not be known, 254 for bad arguments, a bad file or a disk
// that can't be written, 255 for a fault of Lockstorm's own. Long work that SIGINT or SIGTERM ended exits with 130.
package command
