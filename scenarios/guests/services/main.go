// Command services speaks the line protocol of live runs for locks that don't run on Redis:
//
//	go -C scenarios/guests/services build -o services .
//	lockstorm-full live session/expiry-while-paused --adapter './services etcd'
//	lockstorm-full live sql/paused --adapter './services postgres'
//	lockstorm-full live sql/paused --servers mariadb --adapter './services mariadb'
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// A lock is one client's lock. It holds until it is released, or says that it is lost.
type lock interface {
	// acquire makes one attempt. A fence of 0 is none.
	acquire() (token string, fence int64, err error)
	// held is an error if the lock is lost, as far as the client knows.
	held() error
	release() error
}

// A config is what the first line says.
type config struct {
	key          string
	ttl, timeout time.Duration
	servers      []string
	lost         func(token string) // the adapter calls it when a lock is lost
}

// kinds are the locks that there are.
var kinds = map[string]func(c *config) (lock, error){
	"etcd": newEtcd, "postgres": newPostgres, "mariadb": newMaria,
}

func main() {
	if len(os.Args) != 2 || kinds[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "services: give one of", slices.Sorted(maps.Keys(kinds)))
		os.Exit(254)
	}
	if err := serve(kinds[os.Args[1]], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "services:", err)
		os.Exit(255)
	}
}

// now returns CLOCK_MONOTONIC, which all processes of a machine share.
func now() int64 {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) // never fails
	return t.Nano()
}

// serve answers until the lines end.
func serve(open func(c *config) (lock, error), in io.Reader, out io.Writer) error {
	var l lock
	var mu sync.Mutex
	say := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(out, format+"\n", args...)
	}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		begin := now()
		words := strings.Fields(lines.Text())
		switch {
		case len(words) < 2:
			return fmt.Errorf("%q is no question", lines.Text())
		case words[1] == "start":
			c, err := parse(words[2:])
			if err != nil {
				return err
			}
			c.lost = func(token string) { say("0 lost token=%s", token) }
			if l, err = open(c); err != nil {
				return err
			}
			say("0 ready")
			continue
		case l == nil:
			return fmt.Errorf("%q comes before start", lines.Text())
		}
		answer, more := "yes", ""
		if err := carryOut(l, words[1], &more); err != nil {
			fmt.Fprintln(os.Stderr, words[1], err)
			answer = "no"
		}
		say("%s %s begin=%d end=%d%s", words[0], answer, begin, now(), more)
	}
	return nil
}

// parse reads the first line.
func parse(values []string) (*config, error) {
	c := &config{}
	for _, v := range values {
		key, value, _ := strings.Cut(v, "=")
		ms, _ := strconv.Atoi(value)
		switch key {
		case "key":
			c.key = value
		case "ttl":
			c.ttl = time.Duration(ms) * time.Millisecond
		case "timeout":
			c.timeout = time.Duration(ms) * time.Millisecond
		case "servers":
			c.servers = strings.Split(value, ",")
		}
	}
	if c.timeout <= 0 || c.servers == nil {
		return nil, fmt.Errorf("the first line is %q, and should say key, timeout and servers", values)
	}
	return c, nil
}

// carryOut carries out a line, and writes additions to the answer.
func carryOut(l lock, verb string, more *string) error {
	switch verb {
	case "acquire":
		token, fence, err := l.acquire()
		if err != nil {
			*more = " clean=no"
			if errors.Is(err, errTaken) {
				*more = ""
			}
			return err
		}
		*more = " left=told token=" + token
		if fence > 0 {
			*more += fmt.Sprintf(" fence=%d", fence)
		}
		return nil
	case "extend":
		return l.held()
	}
	return l.release()
}

// errTaken is for an attempt that found the lock taken, and left nothing behind.
var errTaken = errors.New("somebody else has the lock")

// within limits a request to the servers.
func within(d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), d)
}
