package live

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios/live/wall"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// wrapped returns a script that starts redis-server, with a line before.
func wrapped(t *testing.T, before string) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "redis-server")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"+before+"\nexec redis-server \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return program
}

// partial builds the library without what notes syncs, and returns the line that puts it in the place of ours.
func partial(t *testing.T) (before string) {
	t.Helper()
	library := filepath.Join(t.TempDir(), "partial.so")
	out, err := exec.Command("cc", "-shared", "-fPIC", "-Dfdatasync=unused", "-o", library, "wall/preload/wall.c").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return "test -z \"$WALL_STEP\" || export LD_PRELOAD=" + library
}

// Without the library a step of a clock hits nothing, and a kill loses nothing: kleppmann/clock-jump failed, and
// power losses passed.
func TestAServerThatIsNotDeceivedHasNoVerdict(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needServer(t)
	need.Program(t, "no server is deceived", "cc")
	const unset = "unset LD_PRELOAD"
	for _, c := range []struct {
		id, before, want string
		scale            Scale
	}{
		{"kleppmann/clock-jump", unset, "it shows a time that is 1m0s off", 200},
		{"distlock/power-loss-everysec", unset, "it shows a time that is 1m0s off", 1000},
		{"distlock/power-loss-everysec", partial(t), "is not seen to sync that", 1000},
	} {
		o := onRedis(wrapped(t, c.before))
		o.Scale = c.scale
		res, err := Run(context.Background(), find(t, c.id), 1, o)
		if !errors.As(err, new(Unproven)) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, with %s: the error is %v, and should contain %q; %+v", c.id, c.before, err, c.want, res)
		}
	}
	trial := Trial{Name: "clock-jump", Scenario: *find(t, "kleppmann/clock-jump"), Options: onRedis(wrapped(t, unset))}
	a := Agree(context.Background(), []Trial{trial}, Plan{Seed: 1, Runs: 2})[0]
	if a.Unknown != 2 || a.Differ != 0 || len(a.Notes) != 1 || strings.Count(a.Notes[0], "\n") > 0 {
		t.Errorf("it is no agreement and no difference: %+v", a)
	}
}

func TestEachStepOfAClockIsCompared(t *testing.T) {
	needServer(t)
	need.Program(t, "no server is deceived", "cc")
	dir := t.TempDir()
	library, err := wall.Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	c, err := wall.New(library, dir, "clock")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	server := &redisServer{name: "n1", directory: dir, wall: c}
	server.latest.Store(&Process{words: &tail{}})
	shows := func(ahead int64) error {
		return server.follows(func(int, []byte) ([]redisReply, error) {
			now := wallClock() + ahead
			list := []any{strconv.FormatInt(now/1e9, 10), strconv.FormatInt(now%1e9/1000, 10)}
			return []redisReply{{value: list}}, nil
		})
	}
	slow := func() error { return c.Tune(0, -250_000_000, Monotonic()-4e9) }
	if err := errors.Join(c.Set(0), shows(0), c.Set(2e9), shows(2e9), slow(), shows(-1e9)); err != nil {
		t.Error(err)
	}
	for _, ahead := range []int64{0, -2e9, 1e9} {
		if err := shows(ahead); err == nil {
			t.Errorf("a clock that is %d ns ahead, and should be a second behind, is taken for right", ahead)
		}
	}
}

func TestTheDoctorTriesToDeceiveAServer(t *testing.T) {
	needServer(t)
	need.Program(t, "no server is deceived", "cc")
	for before, want := range map[string]bool{"": true, "unset LD_PRELOAD": false, partial(t): false} {
		found := false
		for _, s := range Doctor(onRedis(wrapped(t, before))) {
			if s.Need != "clocks of servers" {
				continue
			}
			found = true
			if s.Has != want {
				t.Errorf("%q: %+v", before, s)
			}
		}
		if !found {
			t.Errorf("%q: it says nothing of clocks", before)
		}
	}
}
