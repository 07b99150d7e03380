// Command adapter speaks the line protocol of live runs for a client library of this module, so that the same code
// runs in simulated time and on real servers:
//
//	go -C scenarios/guests build -o adapter ./adapter
//	lockstorm-full live kleppmann/gc-pause --adapter './adapter redsync'
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/guests"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/scenarios/live"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

func main() {
	guests.LogTo(os.Stderr) // lines on the standard output are answers
	i := -1
	if len(os.Args) == 2 {
		i = slices.IndexFunc(guests.Libraries, func(l guests.Library) bool { return l.Name == os.Args[1] && l.Wire == nil })
	}
	if i < 0 {
		var names []string
		for _, l := range guests.Libraries {
			if l.Wire != nil {
				continue // it speaks to no Redis
			}
			names = append(names, l.Name)
		}
		fmt.Fprintln(os.Stderr, "adapter: give the name of a library:", strings.Join(names, ", "))
		os.Exit(254)
	}
	if err := serve(&guests.Libraries[i], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "adapter:", err)
		os.Exit(255)
	}
}

// serve answers until the lines end.
func serve(l *guests.Library, in io.Reader, out io.Writer) error {
	var lock func() (guest.Lock, error)
	var mu sync.Mutex
	say := func(text string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(out, text)
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		begin := live.Monotonic()
		words := strings.Fields(lines.Text())
		if len(words) < 2 {
			return fmt.Errorf("%q is no question", lines.Text())
		}
		if words[1] == "start" {
			c, err := client(words[2:])
			if err != nil {
				return err
			}
			var end func()
			lock, end = made(l, c)
			defer end()
			say("0 ready key=" + cmp.Or(l.Key, c.Config.Key))
			continue
		}
		if lock == nil {
			return fmt.Errorf("%q comes before start", lines.Text())
		}
		var more string
		var lost <-chan struct{}
		one, err := lock()
		if err == nil {
			more, lost, err = carryOut(one, words[1])
		}
		answer := "yes"
		if err != nil {
			fmt.Fprintln(os.Stderr, words[1], err)
			answer, more = "no", ""
		}
		say(fmt.Sprintf("%s %s begin=%d end=%d%s", words[0], answer, begin, live.Monotonic(), more))
		if token, ok := strings.CutPrefix(strings.TrimSuffix(more, toldWhen), " "); ok && lost != nil {
			go func() {
				<-lost
				say("0 lost " + token)
			}()
		}
	}
	return lines.Err()
}

// made makes a lock in the background, because some libraries speak to their servers before they return, and those
// answer once all clients are ready. It returns a function that waits for the lock, and retries a failure, as a
// server may answer now; and a function that closes it.
func made(l *guests.Library, c *guest.Client) (lock func() (guest.Lock, error), end func()) {
	type result struct {
		lock guest.Lock
		err  error
	}
	latest := make(chan result, 1)
	try := func() (r result) {
		r.lock, r.err = l.New(c)
		return r
	}
	go func() {
		r := try()
		if r.err != nil {
			fmt.Fprintln(os.Stderr, "start", r.err)
		}
		latest <- r
	}()
	lock = func() (guest.Lock, error) {
		r := <-latest
		if r.err != nil {
			r = try()
		}
		latest <- r
		return r.lock, r.err
	}
	return lock, func() {
		if r := <-latest; r.err == nil {
			r.lock.Close()
		}
	}
}

// client reads what the first line says.
func client(values []string) (*guest.Client, error) {
	c := locks.Config{Rules: locks.Reference()}
	var servers []string
	for _, v := range values {
		key, value, _ := strings.Cut(v, "=")
		ms, _ := strconv.Atoi(value)
		switch key {
		case "key":
			c.Key = value
		case "ttl":
			c.TTL = time.Duration(ms) * time.Millisecond
		case "timeout":
			c.Timeout = time.Duration(ms) * time.Millisecond
		case "servers":
			servers = strings.Split(value, ",")
		}
	}
	if c.TTL <= 0 || c.Timeout <= 0 || servers == nil {
		return nil, fmt.Errorf("the first line is %q, and should say key, ttl, timeout and servers", values)
	}
	return guest.NewClient(c, servers, new(net.Dialer).DialContext), nil
}

// toldWhen marks a hold without a deadline, whose end the library reports.
const toldWhen = " left=told"

// carryOut carries out a line. It returns additions to the answer, and a channel if the library reports a hold's end.
func carryOut(lock guest.Lock, verb string) (more string, lost <-chan struct{}, err error) {
	ctx := context.Background()
	var value string
	var until time.Time
	switch verb {
	case "acquire":
		value, until, err = lock.Acquire(ctx)
		more = " token=" + value
		if strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' }) {
			more = fmt.Sprintf(" hex=%x", value)
		}
	case "extend":
		e, ok := lock.(guest.Extender)
		if !ok {
			return "", nil, errors.New("the library has no call for that")
		}
		until, err = e.Extend(ctx)
	default:
		return "", nil, lock.Release(ctx)
	}
	n, tells := lock.(guest.Notifier)
	switch {
	case err != nil || until.IsZero():
	case !until.Equal(guest.NoDeadline):
		more += fmt.Sprintf(" left=%d", time.Until(until))
	case tells:
		return more + toldWhen, n.Lost(), nil
	}
	return more, nil, err
}
