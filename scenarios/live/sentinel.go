package live

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// This file puts Redis Sentinel in the place of the simulator's observer. Three sentinels agree on which server is
// down, elect one of themselves and promote a replica as in production. They run on the observer's host. Its links
// delay, cut off and lose the messages between them and the servers.

// sentinelsMany is how many there are, and sentinelsQuorum how many must consider the master down.
const (
	sentinelsMany   = 3
	sentinelsQuorum = 2
	groupName       = "mymaster"
)

// findSentinel finds a redis-server, which is a sentinel too.
func findSentinel(name string) (program, server string, err error) {
	program, server, err = findRedis(name)
	return program, server + " with three sentinels", err
}

// refusalOfSentinel returns why a fault can't hit such a group: nothing stops the host of the sentinels.
func refusalOfSentinel(f *faults.Fault, cast *faults.Cast) string {
	if !f.Kind.Links && slices.ContainsFunc(f.Hosts(), func(word *string) bool { return *word == observerHost }) {
		return "live does not stop the host of the sentinels, nor step its clock"
	}
	return Refusal(f, cast)
}

// Sentinels are the sentinels of a run. Clients ask the first. They are a sim.Service.
type sentinels struct {
	group   *replicaGroup
	host    *sim.Host
	ports   []string
	worker  *Worker
	first   *connection
	terms   []redis.Term
	process []*Process
}

func newSentinelGroup(d *Driver, program string) Servers {
	g := newGroup(d, program).(*replicaGroup)
	g.sentinels = &sentinels{group: g, worker: NewWorker()}
	return g
}

// begin starts the sentinels, once the servers are there, and waits until they know of each other and of all replicas.
func (s *sentinels) begin(g *replicaGroup) error {
	if s == nil {
		return nil
	}
	for range sentinelsMany {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		s.ports = append(s.ports, strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
		_ = l.Close()
	}
	for i := range s.ports {
		if err := s.launch(i); err != nil {
			return err
		}
	}
	var last string
	for since := time.Now(); time.Since(since) < StartWithin && g.Failed() == nil; time.Sleep(5 * time.Millisecond) {
		g.Act()
		n := 0
		for i := range s.ports {
			if last = s.says(i, "INFO", "sentinel"); strings.Contains(last,
				fmt.Sprintf("status=ok,address=127.0.0.1:%s,slaves=%d,sentinels=%d", g.crossings[0].port(), len(g.all)-1, sentinelsMany)) {
				n++
			}
		}
		if n == sentinelsMany {
			return s.dial()
		}
	}
	return fmt.Errorf("the sentinels do not know of each other and of all replicas within %s: %s", StartWithin, last)
}

// launch starts a sentinel. Its periodic work runs as often as the scenario's observer does it.
func (s *sentinels) launch(i int) error {
	g, rules := s.group, &s.group.Scenario.Replicas
	directory := filepath.Join(g.Directory, "s"+strconv.Itoa(i+1))
	text := fmt.Sprintf("port %s\nbind 127.0.0.1\nbind-source-addr %s\ndir %s\nlogfile %s\nsentinel announce-ip 127.0.0.1\n"+
		"sentinel monitor %s 127.0.0.1 %s %d\nsentinel down-after-milliseconds %[5]s %[8]d\nsentinel failover-timeout %[5]s 10000\n",
		s.ports[i], source(s.observer()), directory, filepath.Join(directory, "log"), groupName, g.crossings[0].port(), sentinelsQuorum,
		rules.DownAfter.Milliseconds())
	config := filepath.Join(directory, "sentinel.conf")
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return err
	}
	name := "sentinel " + strconv.Itoa(i+1)
	p, err := g.Start(name, exec.Command(g.program, config, "--sentinel"))
	if err != nil {
		return err
	}
	s.process = append(s.process, p)
	often := strconv.FormatInt(rules.PingEvery.Milliseconds(), 10)
	hello := strconv.FormatInt(max(rules.Demote.Milliseconds()/4, 1), 10) // it demotes a server after four of them
	for since := time.Now(); time.Since(since) < StartWithin && p.Alive(); time.Sleep(time.Millisecond) {
		if s.says(i, "SENTINEL", "DEBUG", "ping-period", often, "info-period", often, "ask-period", often, "publish-period", hello,
			"min-link-reconnect-period", "1000") == "OK" {
			return nil
		}
	}
	log, _ := os.ReadFile(filepath.Join(directory, "log"))
	return p.Silent(lastLines(string(log)))
}

// observer returns the host of the sentinels.
func (s *sentinels) observer() int {
	for host, name := range s.group.Scenario.Hosts() {
		if name == observerHost {
			return host
		}
	}
	panic("live: a group without an observer")
}

// says sends a question to one of them before the run begins, and returns the answer; "" for no answer.
func (s *sentinels) says(i int, command ...string) string {
	c, err := net.DialTimeout("tcp", "127.0.0.1:"+s.ports[i], time.Second)
	if err != nil {
		return ""
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Second))
	replies, err := (&connection{conn: c, in: bufio.NewReader(c)}).ask(1, encode(command...))
	if err != nil {
		return ""
	}
	return fmt.Sprint(replies[0].value)
}

// dial connects to the first, for the clients and for watching the master.
func (s *sentinels) dial() error {
	c, err := net.Dial("tcp", "127.0.0.1:"+s.ports[0])
	if err == nil {
		s.first = &connection{conn: c, in: bufio.NewReader(c)}
	}
	return err
}

// attach begins the world's time, and starts watching the master.
func (s *sentinels) attach(h *sim.Host) {
	s.host = h
	s.terms = []redis.Term{{Node: 0, To: clock.Forever}}
	go s.worker.Work()
	s.watch()
}

// watch asks again and again who is master.
func (s *sentinels) watch() {
	s.worker.Put(func() {
		time.AfterFunc(ReadEvery, s.watch)
		s.ask(func(any) {})
	})
}

// ask asks the first sentinel for the master, on the worker. Then it calls then in the world, with the same kind of
// answer as the simulator's observer sends.
func (s *sentinels) ask(then func(answer any)) {
	replies, err := s.first.ask(1, encode("SENTINEL", "get-master-addr-by-name", groupName))
	if err != nil {
		s.group.Fail(fmt.Errorf("a sentinel does not answer: %w%s", err, s.process[0].lastWords()))
		return
	}
	list, _ := replies[0].value.([]any)
	for node, x := range s.group.crossings {
		if len(list) == 2 && list[1] == x.port() {
			s.group.Do(func() {
				s.note(node)
				then([]any{s.group.Host(node).Name, "6379"})
			})
			return
		}
	}
	s.group.Do(func() { then(nil) })
}

// note notes who is master now.
func (s *sentinels) note(node int) {
	last := &s.terms[len(s.terms)-1]
	if now := s.group.Now(); last.Node != node {
		last.To = now
		s.terms = append(s.terms, redis.Term{Node: node, From: now, To: clock.Forever})
	}
}

// Serve answers a client's question for the master, and receives messages of the servers.
func (s *sentinels) Serve(request any) any {
	switch q := request.(type) {
	case piece:
		q.pipe.take(q)
		return nil
	case *redis.Request:
		if len(q.Args) != 3 || !strings.EqualFold(q.Args[0], "SENTINEL") {
			return &redis.Reply{Value: "PONG", Bytes: []byte("+PONG\r\n")}
		}
		ask := s.host.Asking()
		s.worker.Put(func() {
			s.ask(func(answer any) {
				bytes := []byte("*-1\r\n")
				if list, ok := answer.([]any); ok {
					bytes = encode(list[0].(string), list[1].(string))
				}
				s.host.Answer(ask, &redis.Reply{Value: answer, Bytes: bytes})
			})
		})
		return sim.Later
	}
	return nil
}

// Stop does nothing: no fault stops the host of the sentinels.
func (s *sentinels) Stop(bool) {}

// Start does nothing.
func (s *sentinels) Start() {}

// Settle does nothing.
func (s *sentinels) Settle() {}

func (s *sentinels) close() {
	if s != nil {
		s.worker.Close()
	}
}
