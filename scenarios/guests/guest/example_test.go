package guest_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/scenarios/locks"
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
	fmt.Fprintf(l.conn, "SET %s mine NX PX %d\r\n", l.config.Key, l.config.TTL.Milliseconds())
	reply, err := l.in.ReadString('\n')
	if err == nil && reply != "+OK\r\n" {
		err = fmt.Errorf("somebody else has %s", l.config.Key)
	}
	return "mine", until, err
}

func (l *plain) Release(context.Context) error {
	fmt.Fprintf(l.conn, "DEL %s\r\n", l.config.Key)
	_, err := l.in.ReadString('\n')
	return err
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
		fmt.Println(in.Text())
	}
}
