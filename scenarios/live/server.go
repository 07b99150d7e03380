package live

import (
	"bufio"
	"cmp"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/live/wall"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// A redisServer is one redis-server with a directory, started again and again.
type redisServer struct {
	driver    *Driver
	program   string
	name      string
	directory string
	keeps     redis.Persistence
	more      []string    // arguments
	wall      *wall.Clock // its wall clock; nil for the machine's
	proven    bool        // that it goes by its wall clock

	latest atomic.Pointer[Process]
}

// socket returns the server's socket: in its directory, where no other server can have taken its place.
func (s *redisServer) socket() string { return filepath.Join(s.directory, "s") }

// arguments returns the arguments of the process.
func (s *redisServer) arguments() []string {
	all := []string{
		"--port", "0", "--unixsocket", s.socket(), "--dir", s.directory, "--save", "", "--databases", "1", "--daemonize", "no",
		"--logfile", filepath.Join(s.directory, "log"), "--enable-debug-command", "no",
	}
	all = append(all, s.more...)
	switch s.keeps {
	case redis.AOFAlways:
		return append(all, "--appendonly", "yes", "--appendfsync", "always")
	case redis.AOFEverySecond:
		return append(all, "--appendonly", "yes", "--appendfsync", "everysec")
	}
	return append(all, "--appendonly", "no")
}

// launch starts the server, and waits until it answers.
func (s *redisServer) launch() error {
	if err := os.MkdirAll(s.directory, 0o700); err != nil {
		return err
	}
	_ = os.Remove(s.socket()) // left by a server that was killed
	c := exec.Command(s.program, s.arguments()...)
	if c.Dir = s.directory; s.wall != nil {
		c.Env = append(os.Environ(), s.wall.Environ()...)
	}
	p, err := s.driver.Start(s.name, c)
	if err != nil {
		return err
	}
	s.latest.Store(p)
	for since := time.Now(); time.Since(since) < StartWithin && p.Alive(); time.Sleep(time.Millisecond) {
		if s.answers() {
			return s.deceived()
		}
	}
	return p.Silent(s.log())
}

// deceived checks that a server with its own wall clock uses it.
func (s *redisServer) deceived() (err error) {
	if s.wall != nil && !s.proven {
		err = s.prove()
		s.proven = err == nil
	}
	return err
}

// log returns the last lines that the server wrote.
func (s *redisServer) log() string {
	text, _ := os.ReadFile(filepath.Join(s.directory, "log"))
	return strings.TrimSpace(lastLines(string(text)) + "\n" + s.process().words.String())
}

// answers reports whether the server has read its data and answers.
func (s *redisServer) answers() bool {
	b, err := s.dial()
	if err != nil {
		return false
	}
	defer b.conn.Close()
	_ = b.conn.SetDeadline(time.Now().Add(time.Second))
	replies, err := b.ask(1, encode("PING"))
	return err == nil && replies[0].value == "PONG"
}

// process returns the latest process of the server.
func (s *redisServer) process() *Process { return s.latest.Load() }

// losePower removes from the log of a killed server what had not reached its disk. The kernel would have written it,
// but a machine without power does not. It does nothing for a server whose writes are not watched.
func (s *redisServer) losePower() error {
	if s.wall == nil {
		return nil
	}
	size, inode, err := s.wall.Synced()
	if err != nil {
		return err
	}
	logs, err := s.logs()
	if err != nil {
		return err
	}
	for _, about := range logs {
		kept := int64(0)
		if inodeOf(about) == inode {
			kept = min(size, about.Size())
		}
		if err := os.Truncate(filepath.Join(s.directory, "appendonlydir", about.Name()), kept); err != nil {
			return err
		}
	}
	return nil
}

// close closes what the driver shares with the server.
func (s *redisServer) close() {
	if s.wall != nil {
		_ = s.wall.Close()
	}
}

func (s *redisServer) dial() (*connection, error) {
	c, err := net.Dial("unix", s.socket())
	if err != nil {
		return nil, err
	}
	return &connection{conn: c, in: bufio.NewReader(c)}, nil
}

// A connection is one to a server.
type connection struct {
	conn   net.Conn
	in     *bufio.Reader
	queues bool // between MULTI and EXEC
}

// A redisReply is one reply, as bytes and as a value.
type redisReply struct {
	raw   []byte
	value any
}

// ask sends commands in one piece, and reads n replies.
func (c *connection) ask(n int, commands []byte) (all []redisReply, err error) {
	if _, err := c.conn.Write(commands); err != nil {
		return nil, err
	}
	for range n {
		raw, value, err := readReply(c.in)
		if err != nil {
			return nil, err
		}
		all = append(all, redisReply{raw, value})
	}
	return all, nil
}

// Connections are one goroutine's connections to a server: one for each wire, and one for the harness, whose wire is
// nil.
type connections struct {
	to     *redisServer
	byWire map[*redis.Wire]*connection
}

// connection returns the connection of a wire.
func (c *connections) connection(w *redis.Wire) (*connection, error) {
	if k := c.byWire[w]; k != nil {
		return k, nil
	}
	k, err := c.to.dial()
	if err == nil {
		c.byWire[w] = k
	}
	return k, err
}

// pass sends commands on the wire's own connection, and returns the replies.
func (c *connections) pass(w *redis.Wire, replies int, commands []byte) ([]redisReply, error) {
	k, err := c.connection(w)
	if err != nil {
		return nil, err
	}
	return k.ask(replies, commands)
}

func (c *connections) drop(w *redis.Wire) {
	if k := c.byWire[w]; k != nil {
		_ = k.conn.Close()
		delete(c.byWire, w)
	}
}

func (c *connections) hangUp() {
	for w := range c.byWire {
		c.drop(w)
	}
}

// keyCommands returns the commands that read the lock's key.
func keyCommands(key string) []byte {
	return append(encode("GET", key), encode("PEXPIRETIME", key)...)
}

// keyReplies is the number of their replies.
const keyReplies = 2

// observed returns what the replies say.
func observed(replies []redisReply) (s observation) {
	s.value, s.there = replies[0].value.(string)
	s.due, _ = replies[1].value.(int64)
	return s
}

// legible reports whether the replies say what the key is. A replica that loads its data does not.
func legible(replies []redisReply) bool {
	return !slices.ContainsFunc(replies, func(a redisReply) bool {
		_, refused := a.value.(redis.Error)
		return refused
	})
}

// serverName returns the name and version of a redis-server program or a similar one, such as redis-server 7.0.15.
func serverName(program string) (name, version string, err error) {
	text, err := VersionOf(program)
	if err != nil {
		return "", "", err
	}
	name = filepath.Base(program)
	if who, _, ok := strings.Cut(text, " server v="); ok && strings.Trim(who, "abcdefghijklmnopqrstuvwxyzRV") == "" {
		name = strings.ToLower(who) + "-server" // Redis or Valkey, whatever the file's name
	}
	for _, word := range strings.Fields(text) {
		if v, ok := strings.CutPrefix(word, "v="); ok {
			return name, v, nil
		}
	}
	return "", "", fmt.Errorf("%s doesn't print its version as redis-server does: %q", program, brief(text))
}

// checkVersion rejects a server that can't say when a key ends. Otherwise it returns the server's name and version.
func checkVersion(program string) (string, error) {
	name, v, err := serverName(program)
	if err != nil {
		return "", err
	}
	major, _, _ := strings.Cut(v, ".")
	if n, _ := strconv.Atoi(major); n < 7 {
		return "", fmt.Errorf("%s is version %s; PEXPIRETIME, by which the end of a key is dated, came with 7.0", program, v)
	}
	return name + " " + v, nil
}

// FindProgram finds a program, and returns it as a path that is right in any directory: each server has another.
func FindProgram(name string) (program string, err error) {
	if program, err = exec.LookPath(name); err != nil {
		return "", err
	}
	return filepath.Abs(program)
}

// usualServer is the program that is looked for.
const usualServer = "redis-server"

// findRedis returns a redis-server with its name and version. By default it tries the PATH, then Valkey's server.
func findRedis(name string) (program, server string, err error) {
	name = cmp.Or(name, usualServer)
	if program, err = FindProgram(name); err != nil && name == usualServer {
		program, err = FindProgram("valkey-server")
	}
	if err != nil {
		const advice = "install Redis 7 (Debian: redis-server), or say where it is with --redis-server"
		return "", "", fmt.Errorf("there is no %s; %s", name, advice)
	}
	server, err = checkVersion(program)
	return program, server, err
}
