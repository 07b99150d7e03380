package live

import (
	"bufio"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// An own is a client process of ours: the protocols of package locks, unchanged, over TCP.
type own struct {
	out     *bufio.Writer
	writing sync.Mutex

	config  locks.Config
	lock    locks.Lock
	servers []string
	shift   atomic.Int64 // by how much its wall clock was stepped
	grants  map[string]*locks.Grant

	turn sync.Mutex // held while computing: actions on one lock take turns

	mu    sync.Mutex
	idle  map[int][]*link // idle connections to each server
	marks map[string]chan struct{}
	nth   int
}

// A link is a connection to a server.
type link struct {
	conn net.Conn
	in   *bufio.Reader
}

// serve answers the driver until its lines end. The kind of lock and its rules come from the command line.
func serve(kind, rules string, in io.Reader, out io.Writer) error {
	o := &own{out: bufio.NewWriter(out), grants: map[string]*locks.Grant{}, idle: map[int][]*link{}}
	o.marks = map[string]chan struct{}{}
	var k scenarios.Kind
	for int(k) < len(scenarios.KindNames) && k.String() != kind {
		k++
	}
	protocol := k.Protocol()
	if protocol == nil {
		return fmt.Errorf("%q is no kind of lock", kind)
	}
	if err := json.Unmarshal([]byte(rules), &o.config.Rules); err != nil {
		return fmt.Errorf("its rules can't be read: %w", err)
	}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		asked := Monotonic()
		l, err := parseLine(lines.Text())
		if err != nil {
			return err
		}
		switch l.verb {
		case "start":
			o.start(l, protocol)
			o.send(line{0, "ready", nil})
		case "clock":
			n, _ := l.number("shift")
			o.shift.Store(n)
		case "go":
			o.pass(l)
		default:
			go o.answer(l, asked)
		}
	}
	return nil
}

// start makes the lock.
func (o *own) start(l line, protocol *locks.Protocol) {
	o.servers = strings.Split(l.value("servers"), ",")
	o.config.Key = l.value("key")
	for i := range o.servers {
		o.config.Servers = append(o.config.Servers, i)
	}
	if address := l.value("sentinel"); address != "" {
		o.config.Sentinel = locks.Sentinel{Server: len(o.servers), Name: "mymaster"}
		for i := range o.servers {
			o.config.Sentinel.Addresses = append(o.config.Sentinel.Addresses, fmt.Sprintf("n%d:6379", i+1))
		}
		o.servers = append(o.servers, address)
	}
	o.lock = protocol.New(o.config)
}

func (o *own) send(l line) {
	o.writing.Lock()
	defer o.writing.Unlock()
	_, _ = fmt.Fprintln(o.out, l)
	_ = o.out.Flush() // if it fails, the driver has ended
}

// answer carries out one question.
func (o *own) answer(l line, begin int64) {
	o.turn.Lock()
	c := &caller{o, l.id}
	verb, values := o.carryOut(c, l)
	end := Monotonic()
	o.turn.Unlock()
	o.send(line{l.id, verb, append([]string{pair("begin", begin), pair("end", end)}, values...)})
}

func (o *own) carryOut(c *caller, l line) (verb string, values []string) {
	token := l.token()
	switch l.verb {
	case "acquire":
		return o.acquire(c)
	case "extend":
		g := o.grants[token]
		e, ok := o.lock.(locks.Extender)
		if g == nil || !ok {
			return "no", nil
		}
		before := g.Deadline
		verb = yesOrNo(e.Extend(c, g))
		if g.Deadline != before {
			values = o.left(c, *g)
		}
		return verb, values
	case "release":
		g := o.grants[token]
		if g == nil {
			return "no", nil
		}
		return yesOrNo(o.lock.Release(c, *g)), nil
	}
	return "unknown", nil
}

func yesOrNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// whys are the words for how an attempt failed.
var whys = [...]string{
	locks.Won: "", locks.NoQuorum: "no-quorum", locks.TooLate: "too-late", locks.NoFence: "no-fence", locks.Broken: "broken",
}

func (o *own) acquire(c *caller) (verb string, values []string) {
	g := o.lock.Acquire(c)
	values = []string{naming(g.Token), pair("votes", g.Votes)}
	if !g.Won() {
		return "no", append(values, pair("why", whys[g.Outcome]), pair("clean", yesOrNo(g.Clean)))
	}
	if g.Fence > 0 {
		values = append(values, pair("fence", g.Fence))
	}
	o.grants[g.Token] = &g
	return "yes", append(values, o.left(c, g)...)
}

// left returns how long the grant is still valid; nothing for one without an end.
func (o *own) left(c *caller, g locks.Grant) []string {
	if g.Deadline == locks.NoDeadline {
		return nil
	}
	return []string{pair("left", int64(locks.Left(o.lock, c, g)))}
}

// pass lets a caller continue that waits at a mark.
func (o *own) pass(l line) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if waits := o.marks[l.value("n")]; waits != nil {
		delete(o.marks, l.value("n"))
		close(waits)
	}
}

// A caller carries out one question. It is a locks.Client.
type caller struct {
	own *own
	id  int
}

// Wall returns what the wall clock shows.
func (c *caller) Wall() time.Duration { return time.Duration(wallClock() + c.own.shift.Load()) }

// Mono returns what the monotonic clock shows.
func (c *caller) Mono() time.Duration { return time.Duration(Monotonic()) }

// Awake returns the same: the machine is not suspended during a run.
func (c *caller) Awake() time.Duration { return c.Mono() }

// blocks lets others take their turns during a wait.
func (c *caller) blocks(wait func()) {
	c.own.turn.Unlock()
	wait()
	c.own.turn.Lock()
}

// Sleep waits.
func (c *caller) Sleep(d time.Duration) { c.blocks(func() { time.Sleep(d) }) }

// Draw draws a number from 0 to n-1.
func (c *caller) Draw(n uint64) uint64 { return mathrand.Uint64N(max(n, 1)) }

// Token returns a random value that no other call returns.
func (c *caller) Token() string {
	b := make([]byte, 8)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// Mark reports a mark to the driver, and waits for its permission to continue.
func (c *caller) Mark(name string) {
	o := c.own
	passed := make(chan struct{})
	o.mu.Lock()
	o.nth++
	n := fmt.Sprint(o.nth)
	o.marks[n] = passed
	o.mu.Unlock()
	c.blocks(func() {
		o.send(line{c.id, "mark", []string{pair("n", n), pair("name", name)}})
		<-passed
	})
}

// Together performs n actions in parallel.
func (c *caller) Together(n int, do func(i int)) {
	c.blocks(func() {
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				c.own.turn.Lock()
				defer c.own.turn.Unlock()
				do(i)
			})
		}
		all.Wait()
	})
}

// Call sends a command to a server and waits for its reply.
func (c *caller) Call(server int, command any, timeout time.Duration) (reply any, err error) {
	c.blocks(func() { reply, err = c.own.call(server, command.([]string), time.Now().Add(timeout)) })
	return reply, err
}

// call uses an idle connection, or a new one. It never reuses a connection without an answer in time.
func (o *own) call(server int, command []string, until time.Time) (any, error) {
	k, err := o.connect(server, until)
	if err != nil {
		return nil, err
	}
	_ = k.conn.SetDeadline(until)
	if _, err := k.conn.Write(encode(command...)); err != nil {
		_ = k.conn.Close()
		return nil, err
	}
	_, reply, err := readReply(k.in)
	if errors.Is(err, os.ErrDeadlineExceeded) && k.in.Buffered() == 0 {
		// After a pause, the deadline may have passed while the reply waited in the kernel. A poll finds data first.
		_ = k.conn.SetDeadline(time.Now().Add(lastLook))
		_, reply, err = readReply(k.in)
	}
	if err != nil {
		_ = k.conn.Close()
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.idle[server] = append(o.idle[server], k)
	return reply, nil
}

// lastLook limits the check whether a reply has arrived.
const lastLook = 200 * time.Microsecond

// connect returns an idle connection, or a new one. One that its server has ended, as by a restart, is no good: the
// simulator's clients know that too.
func (o *own) connect(server int, until time.Time) (*link, error) {
	o.mu.Lock()
	for len(o.idle[server]) > 0 {
		last := len(o.idle[server]) - 1
		k := o.idle[server][last]
		o.idle[server] = o.idle[server][:last]
		if idle(k.conn) {
			o.mu.Unlock()
			return k, nil
		}
		_ = k.conn.Close()
	}
	o.mu.Unlock()
	d := net.Dialer{Deadline: until}
	c, err := d.Dial("tcp", o.servers[server])
	if err != nil {
		return nil, err
	}
	return &link{c, bufio.NewReader(c)}, nil
}
