package locktest_test

import (
	"testing"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/locktest"
)

func TestX(t *testing.T) { locktest.Run(t, "distlock/blind-delete", newUnsafe, locktest.On("single"), locktest.Seeds(2)) }
func TestR(t *testing.T) { locktest.Run(t, "kleppmann/*", func(c locks.Config) locks.Lock { return locks.NewRedlock(c) }, locktest.Seeds(2)) }
func TestG(t *testing.T) { locktest.Run(t, "kleppmann/gc-pause", newUnsafe, locktest.Seeds(1)) }
func TestF(t *testing.T) { locktest.Fuzz(t, "single/any", newUnsafe, locktest.Faults("delay")) }
