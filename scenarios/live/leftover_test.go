package live

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/live/realtest"
	"github.com/lockstorm/lockstorm/scenarios/live/wall"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// Of 50 runs, half of whose drivers are killed at a random moment, nothing is left: no process, file or port.
func TestNothingIsLeftOfFiftyRunsOnRedis(t *testing.T) {
	needServer(t)
	need.Long(t)
	var ids []string
	for _, id := range []string{"kleppmann/crash-restart", "kleppmann/clock-jump"} {
		if id != "kleppmann/clock-jump" || wall.Available() == nil {
			ids = append(ids, id)
		}
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d, %s", seed, strings.Join(ids, ", "))
	chance := rand.New(rand.NewPCG(seed, 0))
	killed, most, ports, memory := 0, 0, 0, 0
	for i := range 50 {
		kill := time.Duration(-1)
		if i%2 == 1 { // each run takes longer than that
			kill = time.Duration(chance.Int64N(int64(1200 * time.Millisecond)))
		}
		driver := exec.Command(os.Args[0], "driver", ids[chance.IntN(len(ids))])
		o := realtest.RunAndLeaveNothing(t, driver, kill, func(pid int) []string { return directories(t, pid) })
		if o.Killed {
			killed++
		}
		most, ports = max(most, len(o.Pids)), ports+len(o.Sockets)
		memory += len(o.Memory)
	}
	const all = "50 runs, %d killed; up to %d processes each, %d ports and %d pieces of shared memory in all"
	t.Logf(all, killed, most, ports, memory)
}
