package main

import "github.com/lockstorm/lockstorm/cmd/internal/command"

func main() { command.Main("lockstorm") }
