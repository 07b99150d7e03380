package services

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// postgresServers are the servers for row locks.
var postgresServers = live.ServerKind{
	Word: "postgresql", Locks: []scenarios.Kind{scenarios.RowLock}, Service: true, Resource: true,
	Name: "PostgreSQL", Lack: "locks of the kind sql-row-lock do not run live",
	Program: live.Program{
		Flag: "postgres", Usage: "the `DIR` of initdb and postgres; without it, that of the PATH, or where Debian has them",
	},
	Find: findPostgres, New: func(d *live.Driver, programs string) live.Servers { return newDatabase(d, programs) },
	Refusal: func(f *faults.Fault, cast *faults.Cast) string {
		if f.Kind == faults.Pause && !live.OnClients(f, cast) {
			return "live does not pause a database"
		}
		return refusal(f, cast)
	},
	Adapter: checkAdapter,
	Known: map[string]string{"sql/restart": "PostgreSQL takes longer than 100ms to come back, as it reads its log first, " +
		"and c1 is done by then; with --scale 1 it is not"},
}

// findPostgres finds the directory of PostgreSQL's programs. Debian keeps them off the PATH.
func findPostgres(name string) (directory, server string, err error) {
	candidates := []string{name}
	if name == "" {
		if on, err := exec.LookPath("postgres"); err == nil {
			candidates = append(candidates, filepath.Dir(on))
		}
		debian, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
		slices.Reverse(debian)
		candidates = append(candidates, debian...)
	}
	for _, directory := range candidates {
		out, err := live.VersionOf(filepath.Join(directory, "postgres"))
		if words := strings.Fields(out); directory != "" && err == nil && len(words) > 2 {
			directory, err = filepath.Abs(directory)
			return directory, "PostgreSQL " + words[2], err
		}
	}
	return "", "", errors.New("there is no PostgreSQL; install it (Debian: postgresql), or say in which directory its programs " +
		"are with --postgres")
}

// A server is a PostgreSQL server, with its data in the directory of a run.
type server struct {
	driver   *live.Driver
	programs string // the directory of initdb and postgres
	latest   atomic.Pointer[live.Process]
}

func (s *server) directory() string { return filepath.Join(s.driver.Directory, "postgres") }

// command returns a PostgreSQL command, which does not run as root.
func (s *server) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(s.programs, name), append([]string{"-D", filepath.Join(s.directory(), "data")}, args...)...)
	c.Dir = s.directory()
	asPostgres(c)
	return c
}

// create makes the directory and the database in it.
func (s *server) create() error {
	if err := os.Chmod(s.driver.Directory, 0o711); err != nil { // another user's server is below it
		return err
	}
	if err := errors.Join(os.Mkdir(s.directory(), 0o700), giveAway(s.directory())); err != nil {
		return err
	}
	c := s.command("initdb", "-U", user, "-A", "trust", "--no-sync", "--no-instructions")
	var words strings.Builder
	c.Stdout, c.Stderr = &words, &words
	p, err := s.driver.Start("initdb", c)
	if err != nil {
		return err
	}
	if err := p.Wait(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, &words)
	}
	return nil
}

// launch starts the server.
func (s *server) launch() error {
	idle := s.driver.Scenario.Storage.Idle
	p, err := s.driver.Start("postgres", s.command("postgres", "-k", s.directory(), "-c", "listen_addresses=",
		"-c", fmt.Sprintf("idle_in_transaction_session_timeout=%dms", idle.Milliseconds())))
	s.latest.Store(p)
	return err
}

// await waits until the server takes a connection.
func (s *server) await(gone func(s *session, why error)) (first *session, err error) {
	p := s.latest.Load()
	for since := time.Now(); time.Since(since) < live.StartWithin && p.Alive(); time.Sleep(5 * time.Millisecond) {
		if first, err = open(s.directory(), gone); err == nil {
			return first, nil
		}
	}
	return nil, p.Silent("")
}
