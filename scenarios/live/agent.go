package live

import (
	"bufio"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/live/wall"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// An agent is a client's process as the driver sees it: it is asked to do things with the lock, and answers.
// Everything but the reading of lines belongs to the world.
type agent struct {
	*Driver
	gate    // of what its proxies pass on
	name    string
	command []string
	proxies []*Proxy
	process *Process
	lines   io.WriteCloser
	pauses  int
	shift   time.Duration // of its wall clock
	wall    *wall.Clock   // where an adapter sees shift; nil for our own client, which gets a line, or without steps
	touched int64         // when it was last stopped or continued, on CLOCK_MONOTONIC
	epoch   int           // counts its processes
	asked   int           // questions so far
	open    map[int]*openQuestion
	unready []string // lines to send once it is ready
	ready   bool

	launched int64 // CLOCK_MONOTONIC
	grace    time.Duration
	tell     func(text string) // of its silence

	expired []scenarios.LateGrant // with no validity left, as the client says

	first, won int64         // CLOCK_MONOTONIC when its process began its first attempt, and ended the first that won; or 0
	took       time.Duration // how long the latter took

	// The token of the latest hold, if it is valid until the client reports its loss; that calls moved.
	holds string
	moved func(c locks.Client, until time.Duration)

	sentinel *Proxy // what it takes for the observer, which knows who is master; nil without one
}

// An openQuestion is a question to the agent, with its answers that the asking proc has not read yet.
type openQuestion struct {
	text  string
	sent  int64 // CLOCK_MONOTONIC
	proc  *sim.Proc
	heard []said

	overdue *time.Timer // reports that it is still open
	told    bool        // it has done so
}

// A said is a line, with its arrival; or a mark that the proxy has seen, with the messages that wait for it.
type said struct {
	line
	came int64 // CLOCK_MONOTONIC
	do   func()
}

// proxyTo returns a proxy between the client and a host.
func (a *agent) proxyTo(node int, accept func(p *Proxy, c *net.TCPConn) Connection) (*Proxy, error) {
	p, err := newProxy(a.Driver, a.client, node, accept)
	if err == nil {
		p.gate = &a.gate
	}
	return p, err
}

// launch starts the process, and introduces it. The answer arrives in read.
func (a *agent) launch() error {
	c := exec.Command(a.command[0], a.command[1:]...)
	if a.wall != nil {
		c.Env = append(os.Environ(), a.wall.Environ()...)
	}
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	a.launched = Monotonic()
	if a.process, err = a.Start(a.name, c); err != nil {
		return err
	}
	a.lines, a.open, a.ready, a.unready = in, map[int]*openQuestion{}, false, nil
	a.gate.end()
	a.epoch++
	go a.read(out, a.epoch, a.process)
	_, err = fmt.Fprintln(in, a.introduction())
	if a.shift != 0 {
		a.sendClock()
	}
	return err
}

// deceive sets up a wall clock for an adapter that can be stepped. It rejects a program that would not see it.
func (a *agent) deceive(library string) (err error) {
	if file, missing := exec.LookPath(a.command[0]); missing == nil {
		if _, err := buildinfo.ReadFile(file); err == nil {
			return fmt.Errorf("the adapter, %s, is a program in Go, which asks the kernel for the time without libc, so that its "+
				"wall clock can't be stepped; in simulated time that of a library in Go can: see package guest", a.command[0])
		}
	}
	a.wall, err = wall.New(library, a.Directory, a.name+".clock")
	return err
}

// sendClock shows the process how far its wall clock is stepped. A client of ours gets a line, without an answer.
func (a *agent) sendClock() {
	if a.Adapted {
		a.Must(a.wall.Set(a.shift))
		return
	}
	a.send(line{0, "clock", []string{pair("shift", int64(a.shift))}}.String())
}

// introduction is the first line to an agent. It names the client and its servers.
func (a *agent) introduction() string {
	r := &a.Scenario.Lock.Rules
	l := line{0, "start", []string{
		pair("name", a.name), pair("key", a.Key), pair("ttl", r.TTL.Milliseconds()), pair("timeout", r.Timeout.Milliseconds()),
	}}
	var servers []string
	for i, p := range a.proxies {
		if own := (a.client - a.Scenario.Nodes - 1) % len(a.proxies); !r.Session.Stay || i == own {
			servers = append(servers, p.address())
		}
	}
	l.values = append(l.values, pair("servers", strings.Join(servers, ",")))
	if a.sentinel != nil {
		l.values = append(l.values, pair("sentinel", a.sentinel.address()))
	}
	return l.String()
}

// closedMost is how long a process may live after closing its standard output, before it counts as hanging.
const closedMost = time.Second

// read hands each line of the process to the world, until the process ends.
func (a *agent) read(out io.Reader, epoch int, p *Process) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		came, text := Monotonic(), lines.Text()
		l, err := parseLine(text)
		if err != nil {
			err = fmt.Errorf("client %s: %w%s", a.name, err, p.lastWords())
		}
		a.Do(func() {
			if epoch == a.epoch {
				a.Must(err)
				a.hear(said{line: l, came: came}, err)
			}
		})
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		a.Do(func() {
			if epoch == a.epoch {
				a.Fail(fmt.Errorf("client %s says a line of more than %d KiB%s", a.name, bufio.MaxScanTokenSize>>10, p.lastWords()))
			}
		})
	}
	how := "has closed its standard output, and answers no more"
	select {
	case <-p.ended:
		how = "has ended by itself: " + p.command.ProcessState.String()
	case <-time.After(closedMost):
	}
	a.Do(func() {
		if epoch == a.epoch {
			a.Fail(fmt.Errorf("client %s %s%s", a.name, how, p.lastWords()))
		}
	})
}

// hear adds a line to the question that it belongs to.
func (a *agent) hear(s said, err error) {
	if err != nil {
		return
	}
	if s.id == 0 && s.verb == "ready" {
		a.ready = true
		a.named(a.name, s.value("key"))
		if s.value("cannot") == "extend" && a.Scenario.Lock.Renew.Every > 0 {
			a.Fail(Unable{errors.New("the adapter says that its lock can't extend")})
		}
		for _, text := range a.unready {
			a.send(text)
		}
		return
	}
	if s.id == 0 && s.verb == "lost" {
		a.lose(s.token())
		return
	}
	q := a.open[s.id]
	if q == nil {
		a.Fail(fmt.Errorf("client %s answers question %d, which it was not asked: %s%s", a.name, s.id, s.line, a.process.lastWords()))
		return
	}
	q.heard = append(q.heard, s)
	q.proc.Unpark()
}

// lose handles a client's message that it no longer holds the lock. A message about an earlier hold changes nothing.
func (a *agent) lose(token string) {
	if a.holds == token && a.moved != nil {
		a.holds = ""
		a.moved(nil, 0)
	}
}

// send sends a line.
func (a *agent) send(text string) {
	if !a.ready {
		a.unready = append(a.unready, text)
		return
	}
	_, _ = fmt.Fprintln(a.lines, text) // read notices that the process has ended
}

// ask asks the agent a question, and waits for the answer. Meanwhile the proc passes the marks that the agent names.
func (a *agent) ask(p *sim.Proc, verb string, values ...string) said {
	a.asked++
	id := a.asked
	q := &openQuestion{text: line{id, verb, values}.String(), sent: Monotonic(), proc: p}
	a.open[id] = q
	a.expect(id, q, a.ownTime()+a.grace)
	a.gate.begin(verb, func(mark string, then func()) {
		q.heard = append(q.heard, said{line: line{verb: "mark", values: []string{pair("name", mark)}}, do: then})
		p.Unpark()
	})
	say := q.text
	for {
		for len(q.heard) == 0 {
			p.Park(func() {
				if say != "" {
					a.send(say)
				}
				say = ""
			})
		}
		s := q.heard[0]
		q.heard = q.heard[1:]
		if s.verb != "mark" {
			delete(a.open, id)
			q.overdue.Stop()
			if id == a.asked {
				a.gate.end()
			}
			return s
		}
		if s.do != nil || !a.watches(s.value("name")) {
			p.Mark(s.value("name"))
		}
		if s.do != nil {
			s.do()
			continue
		}
		say = line{id, "go", []string{pair("n", s.value("n"))}}.String()
	}
}

// dated returns when an action was done, and rejects impossible times. If our own client began late, the driver
// counts as late. An adapter may have been busy with another question.
func (a *agent) dated(s said, sent int64) (clock.Instant, error) {
	begin, err := s.number("begin")
	if err != nil {
		return 0, err
	}
	end, err := s.number("end")
	switch {
	case err != nil:
		return 0, err
	case begin < sent:
		return 0, fmt.Errorf("it says that it began at %d, and was asked at %d", begin, sent)
	case end < begin:
		return 0, fmt.Errorf("it says that it ended at %d, before it began at %d", end, begin)
	case end > s.came:
		return 0, fmt.Errorf("it says that it ended at %d, and answered at %d", end, s.came)
	}
	if a.touched < end { // else it may have stood still before it could say so
		a.late(time.Duration(s.came - end))
	}
	if a.touched < sent && !a.adapter {
		a.late(time.Duration(begin - sent))
	}
	return clock.Instant(end - a.began), nil
}

// attempted notes when the process began and ended an attempt.
func (a *agent) attempted(s said, won bool) {
	begin, _ := s.number("begin") // dated has checked both
	end, _ := s.number("end")
	if a.first == 0 {
		a.first = begin
	}
	if won && a.won == 0 {
		a.won, a.took = end, time.Duration(end-begin)
	}
}

// apply applies to the client what has happened to its host.
func (a *agent) apply(e sim.Event) {
	switch e.Kind {
	case sim.Paused:
		if a.pauses++; a.pauses == 1 {
			a.touched = Monotonic()
			a.Must(a.process.Stop())
		}
	case sim.Resumed:
		if a.pauses--; a.pauses == 0 {
			a.resuming = append(a.resuming, resumption{e.At, func() {
				a.touched = Monotonic()
				a.process.Continue()
			}})
		}
	case sim.Crashed:
		a.epoch++
		a.process.Kill()
	case sim.Started:
		a.Must(a.launch())
		if a.pauses > 0 {
			a.Must(a.process.Stop())
		}
	case sim.Stepped:
		a.shift += e.Body.(time.Duration)
		a.sendClock()
	}
}

// requests returns how many requests each connection has sent.
func (a *agent) requests() map[*redisConn]int {
	all := map[*redisConn]int{}
	for _, p := range a.proxies {
		for _, c := range p.open() {
			n := c.(*redisConn)
			all[n] = n.asked
		}
	}
	return all
}

// answered reports whether each server was sent something since, and has answered all of it.
func (a *agent) answered(before map[*redisConn]int) bool {
	for _, p := range a.proxies {
		reached := false
		for _, c := range p.open() {
			switch n := c.(*redisConn); {
			case n.asked == before[n]:
			case n.asked > n.answered:
				return false
			default:
				reached = true
			}
		}
		if !reached {
			return false
		}
	}
	return true
}

// close ends the driver's work with the client.
func (a *agent) close() {
	a.epoch++
	for _, p := range a.proxies {
		p.close()
	}
	if a.sentinel != nil {
		a.sentinel.close()
	}
	if a.wall != nil {
		_ = a.wall.Close()
	}
}
