// Package command has the commands that only lockstorm-full has. cmd/internal/command has the rest. A command is flags,
// one call and one print. Its help is <command>.txt, as it is printed.
package command
