package live

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// An agent is a client's process as the driver knows it: it is told what to do with the lock, and answers. All of it but the
// reading of lines is the world's.
type agent struct {
	run     *run
	name    string
	host    int
	command []string
	proxies []*proxy
	process *process
	lines   io.WriteCloser
	pauses  int
	shift   time.Duration // of its wall clock
	touched int64         // when it was last stopped or let go on, on CLOCK_MONOTONIC
	epoch   int           // counts its processes
	asked   int           // questions so far
	open    map[int]*question
	unready []string // what it is to be told once it is ready
	ready   bool

	holds   string                                    // the token of the latest hold that is valid until the client says that it is lost
	moved   func(c locks.Client, until time.Duration) // is called when it does
	adapter bool                                      // it does not say when it passes a mark: the proxy watches
	gated   bool                                      // see gated

	sentinel *proxy // what it takes for the server that knows who is master; nil where there is none
}

// A question is what the agent was asked, and what it has said to it that the asking proc has not taken.
type question struct {
	text  string
	verb  string
	sent  int64 // CLOCK_MONOTONIC
	proc  *sim.Proc
	heard []said
	marks passage // where the proxy sees marks
}

// A said is a line, and when it came; or a mark that the proxy has seen the client pass, and what waits for it.
type said struct {
	line
	at int64 // CLOCK_MONOTONIC
	do func()
}

// launch starts the process, and tells it who it is. The answer is waited for elsewhere.
func (a *agent) launch() error {
	c := exec.Command(a.command[0], a.command[1:]...)
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if a.process, err = a.run.starter.start(a.name, c, a.run.watchdog); err != nil {
		return err
	}
	a.lines, a.open, a.ready, a.unready = in, map[int]*question{}, false, nil
	a.epoch++
	go a.read(out, a.epoch, a.process)
	_, err = fmt.Fprintln(in, a.start())
	if a.shift != 0 {
		a.sendClock()
	}
	return err
}

// sendClock tells the process by how much its wall clock is stepped. It needs no answer.
func (a *agent) sendClock() {
	a.send(line{0, "clock", []string{pair("shift", int64(a.shift))}}.String())
}

// start is the first line that an agent is told.
func (a *agent) start() string {
	r := &a.run.scenario.Lock.Rules
	l := line{0, "start", []string{
		pair("name", a.name), pair("key", a.run.key), pair("ttl", r.TTL.Milliseconds()), pair("timeout", r.Timeout.Milliseconds()),
	}}
	var servers []string
	for i, p := range a.proxies {
		if own := (a.host - a.run.scenario.Nodes - 1) % len(a.proxies); !r.Session.Stay || i == own {
			servers = append(servers, p.address())
		}
	}
	l.values = append(l.values, pair("servers", strings.Join(servers, ",")))
	if a.sentinel != nil {
		l.values = append(l.values, pair("sentinel", a.sentinel.address()))
	}
	return l.String()
}

// read hands each line of the process to the world. It runs in a goroutine of its own.
func (a *agent) read(out io.Reader, epoch int, p *process) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		at, text := Monotonic(), lines.Text()
		l, err := parseLine(text)
		if err != nil {
			err = fmt.Errorf("client %s: %w\n%s", a.name, err, p.words)
		}
		a.run.act(func() {
			if epoch == a.epoch {
				a.run.check(err)
				a.hear(said{line: l, at: at}, err)
			}
		})
	}
	<-p.ended
	a.run.act(func() {
		if epoch == a.epoch {
			a.run.fail(fmt.Errorf("client %s has ended by itself: %s\n%s", a.name, p.command.ProcessState, p.words))
		}
	})
}

// hear takes a line to the question that it belongs to.
func (a *agent) hear(s said, err error) {
	if err != nil {
		return
	}
	if s.id == 0 && s.verb == "ready" {
		a.ready = true
		a.run.named(a.name, s.value("key"))
		for _, text := range a.unready {
			a.send(text)
		}
		a.run.becameReady()
		return
	}
	if s.id == 0 && s.verb == "lost" {
		a.lose(s.value("token"))
		return
	}
	q := a.open[s.id]
	if q == nil {
		a.run.fail(fmt.Errorf("client %s answers question %d, which it was not asked: %s\n%s", a.name, s.id, s.line, a.process.words))
		return
	}
	q.heard = append(q.heard, s)
	q.proc.Unpark()
}

// lose notes that the client has said that it holds the lock no longer. What it says of an earlier hold changes nothing.
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
	_, _ = fmt.Fprintln(a.lines, text) // that it has ended is told elsewhere
}

// ask asks something of the agent, and waits for the answer. On the way the asking proc passes the marks that the agent names.
func (a *agent) ask(p *sim.Proc, verb string, values ...string) said {
	a.asked++
	id := a.asked
	q := &question{text: line{id, verb, values}.String(), verb: verb, sent: Monotonic(), proc: p}
	a.open[id] = q
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
			return s
		}
		if s.do != nil || !a.isWatched(s.value("name")) {
			p.Mark(s.value("name"))
		}
		if s.do != nil {
			s.do()
			continue
		}
		say = line{id, "go", []string{pair("n", s.value("n"))}}.String()
	}
}

// unanswered says which questions clients left open that were there to the end.
func (r *run) unanswered() (all []string) {
	for _, host := range slices.Sorted(maps.Keys(r.agents)) {
		a := r.agents[host]
		for _, id := range slices.Sorted(maps.Keys(a.open)) {
			if h := r.host(host); h.Up() && a.pauses == 0 {
				all = append(all, fmt.Sprintf("Client %s has not answered %q.", a.name, a.open[id].text))
			}
		}
	}
	return all
}

// end returns when what was asked had been done, and refuses times that can't be true. A client of ours that began late counts
// as a driver that was late does; an adapter may have been busy with another question.
func (a *agent) end(s said, sent int64) (clock.Instant, error) {
	from, err := s.number("begin")
	if err != nil {
		return 0, err
	}
	to, err := s.number("end")
	switch {
	case err != nil:
		return 0, err
	case from < sent:
		return 0, fmt.Errorf("it says that it began at %d, and was asked at %d", from, sent)
	case to < from:
		return 0, fmt.Errorf("it says that it ended at %d, before it began at %d", to, from)
	case to > s.at:
		return 0, fmt.Errorf("it says that it ended at %d, and answered at %d", to, s.at)
	}
	if a.touched < to { // else it may have stood still before it could say so
		a.run.late(time.Duration(s.at - to))
	}
	if a.touched < sent && !a.adapter {
		a.run.late(time.Duration(from - sent))
	}
	return clock.Instant(to - a.run.began), nil
}

// A remote is an agent's lock, for the workload.
type remote struct {
	run    *run
	config locks.Config
	agent  *agent
	moved  func(c locks.Client, until time.Duration)
	told   bool // the latest hold is valid until the client says otherwise
}

// of returns the agent of a proc's host.
func (r *remote) of(c locks.Client) (*agent, *sim.Proc) {
	p, ok := c.(*sim.Proc)
	if !ok {
		panic(fmt.Sprintf("live: %T is no proc of the world", c))
	}
	if r.agent == nil {
		r.agent = r.run.agents[p.Host().ID]
	}
	return r.agent, p
}

// ask asks the agent. It is not ok if the answer makes no sense; then the run has failed.
func (r *remote) ask(c locks.Client, verb string, values ...string) (s said, yes bool, end clock.Instant) {
	a, p := r.of(c)
	sent := Monotonic()
	s = a.ask(p, verb, values...)
	end, err := a.end(s, sent)
	if err == nil && s.verb != "yes" && s.verb != "no" {
		err = fmt.Errorf("it says %s, which is neither yes nor no nor mark", s.verb)
	}
	if err != nil {
		r.run.fail(fmt.Errorf("client %s answers %q with %q: %w\n%s", a.name, verb, s.line, err, a.process.words))
		return s, false, end
	}
	return s, s.verb == "yes", end
}

// outcomes are those of attempts, by the word for why they failed.
var outcomes = map[string]locks.Outcome{
	"": locks.NoQuorum, "no-quorum": locks.NoQuorum, "too-late": locks.TooLate, "no-fence": locks.NoFence, "broken": locks.Broken,
}

// told is the word for a hold that is valid until the client says otherwise.
const told = "told"

// tellEvery is how often a holder that stops when its validity ends looks whether it has been told so.
const tellEvery = 100 * time.Millisecond

// Keep returns at once: what a client keeps alive, it keeps by itself.
func (r *remote) Keep(locks.Client) {}

// OnDeadline sets the function that is called when the client has said that it has lost its hold.
func (r *remote) OnDeadline(do func(c locks.Client, until time.Duration)) { r.moved = do }

// askService asks the agent about a lock on a service. The harness looks at the lock's key before the answer counts.
func (r *remote) askService(c locks.Client, verb string, values ...string) (s said, yes bool, end clock.Instant) {
	if s, yes, end = r.ask(c, verb, values...); r.run.service == nil || r.run.failed() != nil {
		return s, yes, end
	}
	for answered := r.run.now(); !r.run.service.seen(answered) && r.run.now() < answered.Add(lookPatient); {
		c.Sleep(time.Millisecond)
	}
	return s, yes, end
}

// Acquire makes one attempt.
func (r *remote) Acquire(c locks.Client) locks.Grant {
	if r.run.service != nil {
		c.Mark(proxyMarks["acquire"][0])
	}
	s, won, end := r.askService(c, "acquire")
	g := locks.Grant{Token: s.value("token"), Votes: r.config.Need(), Clean: s.value("clean") != "no", Deadline: r.deadline(s, end)}
	if n, err := s.number("votes"); err == nil {
		g.Votes = int(n)
	}
	if n, err := s.number("fence"); err == nil {
		g.Fence = uint64(n)
	}
	r.agent.holds, r.agent.moved, r.told = "", r.moved, won && s.value("left") == told
	if r.told {
		r.agent.holds = g.Token
	}
	if !won {
		g.Outcome = outcomes[s.value("why")]
		if g.Outcome == locks.Won {
			g.Outcome = locks.NoQuorum
		}
	}
	return g
}

// deadline returns what the clock that the lock counts on shows when the hold ends.
func (r *remote) deadline(s said, end clock.Instant) time.Duration {
	left, err := s.number("left")
	if err != nil {
		return locks.NoDeadline
	}
	return r.shows(end) + time.Duration(left)
}

// shows returns what that clock of the client shows at an instant.
func (r *remote) shows(t clock.Instant) time.Duration {
	c := r.run.host(r.agent.host).Clock()
	if r.config.Clock == locks.Wall {
		return time.Duration(c.Wall(t))
	}
	return time.Duration(c.Mono(t))
}

// Extend extends a hold.
func (r *remote) Extend(c locks.Client, g *locks.Grant) bool {
	s, extended, end := r.ask(c, "extend", pair("token", g.Token))
	if s.value("left") != "" {
		g.Deadline = r.deadline(s, end)
	}
	return extended
}

// Release releases what an attempt won. Whether every server acknowledged is not an adapter's word: its library may be content
// with less, and so the proxy is asked. A service is one.
func (r *remote) Release(c locks.Client, g locks.Grant) bool {
	a, _ := r.of(c)
	if r.run.service != nil {
		sent := r.run.now()
		_, acknowledged, _ := r.askService(c, "release", pair("token", g.Token))
		if acknowledged {
			r.run.service.freed(r.run.servers.Token(g), a.host, sent)
		}
		return acknowledged
	}
	before := a.requests()
	_, acknowledged, _ := r.ask(c, "release", pair("token", g.Token))
	if a.adapter {
		return a.answered(before)
	}
	return acknowledged
}

// requests returns how many requests each connection has sent.
func (a *agent) requests() map[*conn]int {
	all := map[*conn]int{}
	for _, p := range a.proxies {
		for _, c := range p.open() {
			n := c.(*conn)
			all[n] = n.asked
		}
	}
	return all
}

// answered reports whether each server was sent something since, and has answered all of it.
func (a *agent) answered(before map[*conn]int) bool {
	for _, p := range a.proxies {
		reached := false
		for _, c := range p.open() {
			switch n := c.(*conn); {
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

// Left returns how long the grant is still valid.
func (r *remote) Left(c locks.Client, g locks.Grant) time.Duration {
	a, p := r.of(c)
	switch {
	case r.told && a.holds != g.Token:
		return 0
	case r.told:
		return tellEvery
	case g.Deadline == locks.NoDeadline:
		return locks.NoDeadline
	}
	p.Mono() // takes the time that a look at the clock does
	return g.Deadline - r.shows(r.run.now())
}
