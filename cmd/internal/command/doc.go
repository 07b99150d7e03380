// Package command is the command line of lockstorm: each command in a file of its own. Another program adds commands of its own
// to it: see Main.
//
// A command's file has its flags, one call and one print, in at most 120 lines; where it has more to check or to write, that
// follows in files of the same name and one more word, such as fuzz_check.go and fuzz_hunt.go. What the help says of it is
// help/<command>.txt, as it is printed. Commands share axes.go (a setting and its values) and ci.go (what a
// pipeline reads). command.go puts them together.
//
// It deals with flags, files and exit codes, and with nothing else. The exit codes are Jepsen's: 0 when all went as
// expected, 1 when not, 2 when that could not be known, 254 for bad arguments, a bad file or a disk that can't be written,
// 255 for a fault of Lockstorm's own. Long work that a signal ended, SIGINT or SIGTERM, exits with 130.
package command
