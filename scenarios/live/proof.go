package live

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/live/wall"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// This file proves that a server uses the wall clock that it received, and that its syncs are known. Otherwise a
// fault that steps a clock or cuts the power would hit nothing, and each verdict on it would be false.

// Unproven is the error of a run that could prove nothing, because a server ignores the clock or disk that it received.
type Unproven struct{ error }

// Unwrap returns what was found.
func (u Unproven) Unwrap() error { return u.error }

// trialStep is how far a clock is stepped to see whether its server follows. It is a step back: a server that had seen
// a later time would sync nothing until that came again.
const trialStep = -time.Minute

// clockSlack is by how much a server's clock may be off, plus the time that the question took.
const clockSlack = 5 * time.Millisecond

// prove returns an error unless the server follows a step of its clock there and back, and any syncs are known.
func (s *redisServer) prove() error {
	b, err := s.dial()
	if err != nil {
		return err
	}
	defer b.conn.Close()
	_ = b.conn.SetDeadline(time.Now().Add(StartWithin))
	for _, step := range []time.Duration{trialStep, 0} {
		if err := s.wall.Set(step); err != nil {
			return err
		}
		if err := s.follows(b.ask); err != nil {
			return err
		}
	}
	if keeps := s.keeps == redis.AOFAlways || s.keeps == redis.AOFEverySecond; !keeps {
		return nil
	}
	return s.syncs(b)
}

// follows returns an error if the server does not show the time that its clock is set to. Where it is set meanwhile, or
// the server is off, or loads its data, nothing is known.
func (s *redisServer) follows(ask func(replies int, commands []byte) ([]redisReply, error)) error {
	step, setting := s.wall.Ahead(Monotonic())
	least := wallClock() + int64(step-clockSlack)
	replies, err := ask(1, encode("TIME"))
	if err != nil {
		return nil
	}
	step, later := s.wall.Ahead(Monotonic())
	most := wallClock() + int64(step+clockSlack)
	shown, ok := timeOf(replies[0])
	if !ok || later != setting || least <= shown && shown <= most {
		return nil
	}
	off := time.Duration(shown - most + int64(clockSlack)).Round(100 * time.Millisecond)
	return s.unproven(fmt.Sprintf("its clock was stepped to %s ahead of the machine's, and it shows a time that is %s off that",
		step.Round(time.Millisecond), off))
}

// timeOf reads the reply to TIME, in nanoseconds.
func timeOf(a redisReply) (ns int64, ok bool) {
	list, _ := a.value.([]any)
	if len(list) != 2 {
		return 0, false
	}
	for i, unit := range []time.Duration{time.Second, time.Microsecond} {
		text, _ := list[i].(string)
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return 0, false
		}
		ns += n * int64(unit)
	}
	return ns, true
}

// syncs returns an error unless a write of ours is soon said to be on disk. Then it waits for the next second of the
// wall clock. Redis syncs at most once in each, so a run in the same second would begin on a server that has just
// synced, and its first write would be on disk late. The simulator's servers have been in use for long.
func (s *redisServer) syncs(b *connection) error {
	const key = "lockstorm:proof"
	if _, err := b.ask(2, append(encode("SET", key, "1"), encode("DEL", key)...)); err != nil {
		return err
	}
	logs, err := s.logs()
	for since := time.Now(); err == nil && time.Since(since) < StartWithin/2; nap(time.Millisecond) {
		size, inode, err := s.wall.Synced()
		if err != nil {
			return err
		}
		for _, about := range logs {
			if inodeOf(about) == inode && size >= about.Size() {
				time.Sleep(time.Second - time.Duration(wallClock())%time.Second)
				return nil
			}
		}
	}
	return errors.Join(err, s.unproven("it has written to its log, and is not seen to sync that"))
}

// logs returns the file information of the files to which the server appends.
func (s *redisServer) logs() (all []os.FileInfo, err error) {
	names, err := filepath.Glob(filepath.Join(s.directory, "appendonlydir", "*.incr.aof"))
	for _, name := range names {
		about, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		all = append(all, about)
	}
	return all, err
}

// unproven returns the error for what was found.
func (s *redisServer) unproven(found string) error {
	const text = "%s (%s) can't be deceived: %s. The library that does that is handed to it by LD_PRELOAD, from %s: look whether " +
		"a script unsets that, or programs may not be run from there (noexec), where TMPDIR names another place%s"
	return Unproven{fmt.Errorf(text, s.name, s.program, found, filepath.Dir(s.directory), below(s.process().words.String()))}
}

// firstUnproven returns the first Unproven error, alone, because all servers are alike; or all errors, joined.
func firstUnproven(all []error) error {
	for _, err := range all {
		if errors.As(err, new(Unproven)) {
			return err
		}
	}
	return errors.Join(all...)
}

// provesItself starts a server as runs do, and returns an error if it can't be deceived.
func provesItself(o Options, program string) error {
	if len(o.Self) == 0 {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		o.Self = []string{self}
	}
	d, err := newDriver(nil, o.Self)
	defer d.close()
	if err != nil {
		return err
	}
	library, err := wall.Build(d.Directory)
	if err != nil {
		return err
	}
	s := &redisServer{driver: d, program: program, name: "a server", directory: filepath.Join(d.Directory, "n1")}
	s.keeps = redis.AOFAlways
	defer s.close()
	if s.wall, err = wall.New(library, d.Directory, "clock"); err != nil {
		return err
	}
	return s.launch()
}
