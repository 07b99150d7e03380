package main

import (
	"context"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/lockstorm/lockstorm/cmd/internal/command"
	"github.com/lockstorm/lockstorm/cmd/lockstorm-clients/internal/services"
	"github.com/lockstorm/lockstorm/scenarios/guest"
)

func main() {
	redis.SetLogger(silence{})
	guest.Main(func(t *testing.T) {
		for _, k := range kinds() {
			if err := k.Add(t); err != nil {
				panic(err)
			}
		}
		services.Add()
		command.Main("lockstorm-clients")
	})
}

// silence is the log of go-redis, which else notes each failed dial of each run on stderr.
type silence struct{}

// Printf does nothing.
func (silence) Printf(context.Context, string, ...any) {}
