package guest_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/locktest"
)

// A plain lock is SET NX PX on the first node, over its own connection: a minimal adapter.
type plain struct {
	conn   net.Conn
	in     *bufio.Reader
	config locks.Config
}

func newPlain(c *guest.Client) (guest.Lock, error) {
	conn, err := c.Dial(context.Background(), "tcp", c.Nodes[0])
	if err != nil {
		return nil, err
	}
	return &plain{conn, bufio.NewReader(conn), c.Config}, nil
}

func (l *plain) Acquire(context.Context) (string, time.Time, error) {
	until := time.Now().Add(l.config.TTL) // counted from before it asks
	reply, err := l.ask("SET", l.config.Key, "mine", "NX", "PX", strconv.FormatInt(l.config.TTL.Milliseconds(), 10))
	if err == nil && reply != "+OK\r\n" {
		err = fmt.Errorf("another client has %s", l.config.Key)
	}
	return "mine", until, err
}

func (l *plain) Release(context.Context) error {
	_, err := l.ask("DEL", l.config.Key)
	return err
}

// ask sends a command as an array, which is how libraries do it.
func (l *plain) ask(words ...string) (reply string, err error) {
	command := fmt.Sprintf("*%d\r\n", len(words))
	for _, w := range words {
		command += fmt.Sprintf("$%d\r\n%s\r\n", len(w), w)
	}
	if _, err := io.WriteString(l.conn, command); err != nil {
		return "", err
	}
	return l.in.ReadString('\n')
}

func (l *plain) Close() { l.conn.Close() }

// An adapter is tried outside of a world first, on whatever answers: here a server that says yes. In a world, Run calls
// it, and where a library shall be a kind of lock, Kind.
func ExampleNewClient() {
	client := guest.NewClient(locks.Config{Key: "lock", Rules: locks.Reference()}, []string{"n1:6379"},
		func(context.Context, string, string) (net.Conn, error) {
			near, far := net.Pipe()
			go agree(far)
			return near, nil
		})
	lock, err := newPlain(client)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer lock.Close()
	token, _, err := lock.Acquire(context.Background())
	fmt.Println(token, err, lock.Release(context.Background()))
	// Output:
	// SET lock mine NX PX 10000
	// DEL lock
	// mine <nil> <nil>
}

// agree prints the commands that it reads, and answers each with OK.
func agree(conn io.ReadWriter) {
	for in := bufio.NewScanner(conn); in.Scan(); io.WriteString(conn, "+OK\r\n") {
		var words []string
		for n, _ := strconv.Atoi(strings.TrimPrefix(in.Text(), "*")); n > 0 && in.Scan() && in.Scan(); n-- {
			words = append(words, in.Text())
		}
		fmt.Println(strings.Join(words, " "))
	}
}

// In a world the same adapter has the lock, and its DEL frees whatever is there.
func TestThePlainLockOfTheExampleInAWorld(t *testing.T) {
	guest.Test(t, "baseline/fault-free", newPlain, locktest.On("single"), locktest.Seeds(3))
	guest.Test(t, "distlock/blind-delete", newPlain, locktest.Expect("quorum", checker.Violated), locktest.Seeds(3),
		locktest.Promises("quorum"))
}
