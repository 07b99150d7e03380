package guest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// ours is our own Redlock as a guest: in goroutines, over separate connections.
type ours struct {
	client *goClient
	lock   *locks.Redlock
	grant  locks.Grant
}

func newOurs(c *guest.Client) (guest.Lock, error) {
	client := &goClient{client: c, start: time.Now(), idle: make([][]net.Conn, len(c.Nodes))}
	config := c.Config
	config.Servers = nil
	for i := range c.Nodes {
		config.Servers = append(config.Servers, i)
	}
	return &ours{client: client, lock: locks.NewRedlock(config)}, nil
}

func (l *ours) Acquire(context.Context) (string, time.Time, error) {
	l.grant = l.lock.Acquire(l.client)
	if !l.grant.Won() {
		return "", time.Time{}, errors.New("not won")
	}
	return l.grant.Token, l.until(), nil
}

func (l *ours) until() time.Time { return l.client.start.Add(l.grant.Deadline) }

func (l *ours) Extend(context.Context) (time.Time, error) {
	if !l.lock.Extend(l.client, &l.grant) {
		return time.Time{}, errors.New("not extended")
	}
	return l.until(), nil
}

func (l *ours) Release(context.Context) error {
	if !l.lock.Release(l.client, l.grant) {
		return errors.New("not every node acknowledged")
	}
	return nil
}

func (l *ours) Close() {
	for _, conns := range l.client.idle {
		for _, c := range conns {
			_ = c.Close()
		}
	}
}

// A goClient is a locks.Client of plain Go: its clocks, its goroutines, and a small client for Redis.
type goClient struct {
	client *guest.Client
	start  time.Time
	mu     sync.Mutex
	idle   [][]net.Conn
}

func (c *goClient) Wall() time.Duration  { return time.Duration(time.Now().UnixNano()) }
func (c *goClient) Mono() time.Duration  { return time.Since(c.start) }
func (c *goClient) Awake() time.Duration { return c.Mono() }
func (c *goClient) Sleep(d time.Duration) {
	time.Sleep(d)
}
func (c *goClient) Draw(n uint64) uint64 { return uint64(rand.Int63n(int64(n))) }
func (c *goClient) Token() string        { return strconv.FormatUint(rand.Uint64(), 16) }
func (c *goClient) Mark(string)          {}

func (c *goClient) Together(n int, do func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

// Call sends a command over an idle connection, or a new one. It drops a connection without an answer.
func (c *goClient) Call(server int, command any, timeout time.Duration) (any, error) {
	until := time.Now().Add(timeout)
	conn, err := c.conn(server, until)
	if err != nil {
		return nil, err
	}
	_ = conn.SetDeadline(until)
	args := command.([]string)
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, a := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(a), a)
	}
	_, err = io.WriteString(conn, b.String())
	var reply any
	if err == nil {
		reply, err = answer(bufio.NewReader(conn))
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	c.mu.Lock()
	c.idle[server] = append(c.idle[server], conn)
	c.mu.Unlock()
	return reply, nil
}

func (c *goClient) conn(server int, until time.Time) (net.Conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.idle[server]); n > 0 {
		conn := c.idle[server][n-1]
		c.idle[server] = c.idle[server][:n-1]
		return conn, nil
	}
	c.mu.Unlock()
	defer c.mu.Lock()
	ctx, cancel := context.WithDeadline(context.Background(), until)
	defer cancel()
	return c.client.Dial(ctx, "tcp", c.client.Nodes[server])
}

// answer reads one reply.
func answer(r *bufio.Reader) (any, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	line = strings.TrimSpace(line)
	switch n, _ := strconv.Atoi(line[1:]); line[0] {
	case '+':
		return line[1:], nil
	case '-':
		return redis.Error(line[1:]), nil
	case ':':
		return int64(n), nil
	case '$':
		if n < 0 {
			return nil, nil
		}
		b := make([]byte, n+2)
		_, err := io.ReadFull(r, b)
		return string(b[:n]), err
	}
	return nil, fmt.Errorf("no reply: %q", line)
}

// The judges say of our Redlock as a guest what they say of it in the world, scenario by scenario: what they go by is the same.
func TestOurRedlockAsAGuestIsJudgedAsInTheWorld(t *testing.T) {
	compared, seeds := 0, uint64(1)
	if os.Getenv("LOCKSTORM_LONG") == "1" {
		seeds = 5
	}
	for _, id := range scenarios.IDs() {
		s, _ := scenarios.Find(id)
		if err := guest.Check(&s); err != nil {
			t.Logf("not compared: %s: %v", id, err)
			continue
		}
		compared++
		for seed := range seeds {
			seed++
			native := scenarios.Run(s, seed)
			res, err := guest.Run(t, &s, seed, newOurs)
			if err != nil {
				t.Fatalf("%s, seed %d: %v", id, seed, err)
			}
			for i, f := range res.Findings {
				if want := native.Findings[i].Verdict; f.Verdict != want {
					t.Errorf("%s, seed %d: %s: %v as a guest, %v in the world", id, seed, f.Property, f.Verdict, want)
				}
			}
		}
	}
	if compared < 60 {
		t.Errorf("only %d scenarios were compared", compared)
	}
}
