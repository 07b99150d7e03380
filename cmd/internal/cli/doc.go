// Package cli has what the commands share. It makes a scenario with seeds out of the user's words. It makes text, an
// exit code and a command that can be typed again out of an answer.
//
//   - flags.go: flags and arguments of several commands, and errors about them that say what would be right;
//   - request.go, select.go: a scenario by its ID or file, with settings and seeds; many scenarios by patterns;
//   - history.go: a recorded history, plain or compressed;
//   - printing.go, table.go, fold.go: printing a document, the width and colours of the terminal, exit codes;
//   - shell.go: words for a shell, and the command line that repeats a command, made from its flags;
//   - build.go: the version, and the build that is running.
package cli
