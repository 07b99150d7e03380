package live

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/live/realtest"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// A library may start a daemon, which holds its standard error open and is in no group of ours.
func TestAClientsChildrenEndWithIt(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needServer(t)
	for how, ends := range map[string]time.Duration{"leaves": time.Minute, "stays": 4 * time.Second} {
		began := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), ends)
		_, err := Run(ctx, find(t, "kleppmann/gc-pause"), 1, Options{Scale: 1000, Late: calm.Late, Adapter: []string{os.Args[0], "bad-adapter", how}})
		cancel()
		want := "has ended by itself: exit status 3"
		if how == "stays" {
			want = context.DeadlineExceeded.Error()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, and should contain %q", how, err, want)
		}
		if took := time.Since(began); took > 40*time.Second {
			t.Errorf("%s: it took %s", how, took)
		}
		eventually(t, how+": a process is left", func() bool {
			return len(marked("LOCKSTORM_LIVE="+filepath.Join(os.TempDir(), directoryPrefix+strconv.Itoa(os.Getpid())))) == 0
		})
		for _, line := range strings.Split(fmt.Sprint(err), "\n") {
			var pid int
			if n, _ := fmt.Sscanf(line, "left %d", &pid); n == 1 && realtest.Runs(pid) {
				t.Errorf("%s: process %d is left", how, pid)
			}
		}
	}
}
