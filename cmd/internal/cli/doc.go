// Package cli is what the commands share with each other and with no other program: how the user's words become a scenario
// with seeds, and how an answer becomes text, an exit code, and a command that can be typed again.
//
// A command is flags, one call and one print. What stands here keeps it so short:
//
//   - flags.go: flags and arguments that several commands have, and errors about them that say what would be right;
//   - request.go, select.go: a scenario by its ID or file, with settings and seeds; many scenarios by patterns;
//   - history.go: a recorded history, plain or compressed;
//   - exit.go: exit codes, and how a command ends with one;
//   - screen.go: the width and the colours of the terminal;
//   - shell.go, again.go: words for a shell, and the command line that repeats a command, made from its flags;
//   - build.go: the version, and the build that is running;
//   - man.go: man pages.
package cli
