package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/lockstorm-full/internal/command"
	"github.com/lockstorm/lockstorm/scenarios/guests"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/scenarios/live/services"
)

// libraryLog names the file to which libraries log; they log nowhere if it is not set.
const libraryLog = "LOCKSTORM_LIBRARY_LOG"

func main() {
	if err := logTo(os.Getenv(libraryLog)); err != nil {
		fmt.Fprintf(os.Stderr, "lockstorm-full: %s: %v\n", libraryLog, err)
		os.Exit(254)
	}
	guest.Main(func(t *testing.T) {
		for _, k := range kinds() {
			if err := k.Add(t); err != nil {
				panic(err)
			}
		}
		services.Add()
		command.Main()
	})
}

// logTo sends what the libraries log to the end of a file: else they note each failed dial of each run on stderr.
func logTo(name string) error {
	if name == "" {
		guests.LogTo(nil)
		return nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		guests.LogTo(f)
	}
	return err
}
