// Package command has the commands that lockstorm-full has and lockstorm has not. They are made as those of cmd/internal/command
// are, which has the rest: a command is flags, one call and one print. What the help says of it is <command>.txt, as it is
// printed.
package command
