package live

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/consensus"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// etcdServers are what locks of etcd's recipe run on.
var etcdServers = serverKind{
	locks: []scenarios.Kind{scenarios.Etcd}, service: true,
	name: "etcd", lack: "locks of the kind etcd do not run live", find: findEtcd,
	make: func(r *run, program string) servers { return newCluster(r, program) },
	refusal: func(f *faults.Fault, cast *faults.Cast) string {
		if f.Kind.Links && amongServers(f, cast) {
			return "live has no proxy between the servers of etcd"
		}
		return serviceRefusal(f, cast)
	},
	check: func(s *scenarios.Scenario, refuse func(is bool, format string, args ...any)) {
		refuse(s.Persistence != redis.AOFAlways, "persistence: etcd keeps its data")
		refuse(s.Lock.TTL%time.Second != 0, "lock.ttl: %s is no number of whole seconds, in which etcd counts it", s.Lock.TTL)
	},
}

// A cluster is etcd: a process a node, which agree among themselves. Its clients' requests are those that the simulated service
// takes, and each is carried out by the server that was asked, over its HTTP gateway.
type cluster struct {
	ofRun
	program string
	members []*member
	prefix  string // of the lock's keys
	ctx     context.Context
	cancel  context.CancelFunc

	ledger
}

// A member is one server.
type member struct {
	of     *cluster
	name   string
	host   *sim.Host
	client string // the address that clients ask
	peer   string
	latest *process
	epoch  atomic.Int64 // counts its ends
	pauses int
}

func newCluster(r *run, program string) *cluster {
	c := &cluster{ofRun: ofRun{run: r}, program: program, prefix: r.key + "/", ledger: newLedger(checker.Expired)}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// begin starts the servers.
func (c *cluster) begin() error {
	ports, err := freePorts(2 * c.run.scenario.Nodes)
	if err != nil {
		return err
	}
	for i := range c.run.scenario.Nodes {
		c.members = append(c.members, &member{
			of: c, name: "n" + strconv.Itoa(i+1), client: "http://127.0.0.1:" + ports[2*i], peer: "http://127.0.0.1:" + ports[2*i+1],
		})
	}
	for _, m := range c.members {
		if err := m.launch(); err != nil {
			return err
		}
	}
	for _, m := range c.members {
		if err := m.awaitHealth(); err != nil {
			return err
		}
	}
	return nil
}

// Services returns the servers, in the order of their hosts.
func (c *cluster) Services(*platform.Topology) (nodes, others []sim.Service) {
	for _, m := range c.members {
		nodes = append(nodes, m)
	}
	return nodes, nil
}

// launch starts the server's process.
func (m *member) launch() error {
	all := ""
	for _, o := range m.of.members {
		all += "," + o.name + "=" + o.peer
	}
	rules := &m.of.run.scenario.Raft
	x := exec.Command(m.of.program, "--name", m.name, "--data-dir", filepath.Join(m.of.run.directory, m.name),
		"--listen-client-urls", m.client, "--advertise-client-urls", m.client, "--listen-peer-urls", m.peer,
		"--initial-advertise-peer-urls", m.peer, "--initial-cluster", all[1:], "--initial-cluster-token", m.of.run.directory,
		"--heartbeat-interval", strconv.FormatInt(rules.Heartbeat.Milliseconds(), 10),
		"--election-timeout", strconv.FormatInt(rules.Election.Milliseconds(), 10), "--logger", "zap", "--log-level", "warn")
	x.Dir = m.of.run.directory
	p, err := m.of.run.starter.start(m.name, x, m.of.run.watchdog)
	m.latest = p
	return err
}

// awaitHealth waits until the server says that it is one of a cluster with a leader.
func (m *member) awaitHealth() error {
	for since := time.Now(); time.Since(since) < startWithin && m.latest.alive() && m.of.run.failed() == nil; time.Sleep(20 * time.Millisecond) {
		if m.of.reads(m) == nil {
			return nil
		}
	}
	return m.latest.silent(m.latest.words.String())
}

// reads makes a linearizable read, which takes a leader.
func (c *cluster) reads(m *member) error {
	ctx, cancel := context.WithTimeout(c.ctx, time.Second)
	defer cancel()
	var a rangeAnswer
	return post(ctx, m.client+"/v3/kv/range", rangeOf(c.prefix, true, false), &a)
}

// Attach begins the world's time, and the watch over the keys.
func (c *cluster) Attach(site *platform.Site) {
	c.ofRun.Attach(site)
	c.Outages = platform.RaftOutages(site)
	for i, m := range c.members {
		m.host = c.run.host(i)
	}
	go c.watch()
}

// The keys are read so often; a server that does not answer is left after a while.
const (
	lookEvery   = 5 * time.Millisecond
	lookPatient = 300 * time.Millisecond
)

// watch reads the lock's keys again and again, until the run is over. It runs in a goroutine of its own.
func (c *cluster) watch() {
	for at := 0; c.ctx.Err() == nil; time.Sleep(lookEvery) {
		ctx, cancel := context.WithTimeout(c.ctx, lookPatient)
		var a rangeAnswer
		sent := c.run.now()
		err := post(ctx, c.members[at].client+"/v3/kv/range", rangeOf(c.prefix, true, false), &a)
		cancel()
		if err != nil {
			at = (at + 1) % len(c.members)
			continue
		}
		c.see(a.Header.Revision.n(), a.Kvs, sent, c.run.now())
	}
}

// see notes what a linearizable read has found.
func (c *cluster) see(revision uint64, found []etcdKey, sent, got clock.Instant) {
	v := view{revision: revision, sent: sent, got: got}
	if len(found) > 0 {
		v.key = keyAt(string(found[0].Key), found[0].Create.n())
	}
	c.run.act(func() { c.note(v) })
}

// keyAt is the name by which the judges know a key, as in package platform.
func keyAt(key string, revision uint64) string { return key + "@" + strconv.FormatUint(revision, 10) }

func (c *cluster) keys(to []checker.Span, wide bool) []checker.Span {
	return serviceSpans(to, c.lives, wide)
}

// Token returns the name of a grant's key, with its revision.
func (c *cluster) Token(g locks.Grant) string {
	if g.Token == "" {
		return ""
	}
	return keyAt(g.Token, g.Fence)
}

// Close ends the watch.
func (c *cluster) Close() { c.cancel() }

// apply does to the servers what has happened to their hosts. Stop and Start are told by the world.
func (c *cluster) apply(e sim.Event) {
	if int(e.Host) >= len(c.members) {
		return
	}
	m := c.members[e.Host]
	switch e.Kind {
	case sim.Paused:
		if m.pauses++; m.pauses == 1 && m.host.Up() {
			c.run.check(m.latest.stop())
		}
	case sim.Resumed:
		if m.pauses--; m.pauses == 0 && m.host.Up() {
			m.latest.goOn()
		}
	}
}

// Stop ends the server.
func (m *member) Stop(power bool) {
	m.epoch.Add(1)
	if m.latest.goOn(); power {
		m.latest.kill()
		return
	}
	m.latest.terminate()
}

// Start starts it anew, with its data.
func (m *member) Start() {
	m.of.run.check(m.launch())
	if m.pauses > 0 {
		m.of.run.check(m.latest.stop())
	}
}

// Settle does nothing: etcd's clock can't be stepped.
func (m *member) Settle() {}

// Serve passes a request on. What a server does not answer, as it is off or has no leader, stays without an answer.
func (m *member) Serve(request any) any {
	ask, epoch := m.host.Asking(), m.epoch.Load()
	go func() {
		reply, err := m.carryOut(request, ask.From())
		if err != nil {
			return
		}
		m.of.run.act(func() {
			if epoch == m.epoch.Load() {
				m.host.Answer(ask, reply)
			}
		})
	}()
	return sim.Later
}

// errStrange is for requests that no lock makes which runs live.
var errStrange = errors.New("live: no request for etcd")

// carryOut carries out one request. A refusal is a reply.
func (m *member) carryOut(request any, from int) (reply any, err error) {
	switch q := request.(type) {
	case *consensus.Grant:
		var a struct {
			Header header
			ID     number
		}
		err = m.ask("lease/grant", map[string]any{"TTL": q.TTL / time.Second}, &a)
		reply = &consensus.Reply{Revision: a.Header.Revision.n(), Lease: a.ID.n()}
	case *consensus.KeepAlive:
		var a struct {
			Result struct {
				Header header
				TTL    number
			}
		}
		err = m.ask("lease/keepalive", map[string]any{"ID": strconv.FormatUint(q.Lease, 10)}, &a)
		if reply = any(&consensus.Reply{Revision: a.Result.Header.Revision.n()}); err == nil && a.Result.TTL.n() == 0 {
			reply = consensus.ErrLease
		}
	case *consensus.Read:
		reply, err = m.read(q)
	case *consensus.Txn:
		reply, err = m.txn(q, from)
	case *consensus.Watch:
		reply, err = m.await(q)
	default:
		panic(fmt.Sprintf("%v: %T", errStrange, request))
	}
	if refused := (consensus.Error)(""); errors.As(err, &refused) {
		return refused, nil
	}
	return reply, err
}

// read reads keys.
func (m *member) read(q *consensus.Read) (any, error) {
	var a rangeAnswer
	sent := m.of.run.now()
	err := m.ask("kv/range", rangeOf(q.Key, q.Prefix, q.Local), &a)
	if err != nil {
		return nil, err
	}
	if q.Prefix && q.Key == m.of.prefix && !q.Local {
		m.of.see(a.Header.Revision.n(), a.Kvs, sent, m.of.run.now())
	}
	return &consensus.Reply{Revision: a.Header.Revision.n(), Results: []consensus.Result{keysOf(a.Kvs)}}, nil
}

// fields are what etcd compares, by the names that it has for them.
var fields = map[consensus.Field][2]string{
	consensus.Create: {"CREATE", "create_revision"}, consensus.Mod: {"MOD", "mod_revision"}, consensus.Version: {"VERSION", "version"},
	consensus.Lease: {"LEASE", "lease"},
}

// txn makes a transaction.
func (m *member) txn(q *consensus.Txn, from int) (any, error) {
	var compare []map[string]any
	for _, c := range q.If {
		f, ok := fields[c.Of]
		if !ok {
			panic(errStrange)
		}
		compare = append(compare, map[string]any{"key": []byte(c.Key), "target": f[0], "result": "EQUAL", f[1]: strconv.FormatUint(c.Is, 10)})
	}
	var a struct {
		Header    header
		Succeeded bool
		Responses []struct {
			Range rangeAnswer `json:"response_range"`
		}
	}
	sent := m.of.run.now()
	look := consensus.Op{Key: m.of.prefix, Prefix: true} // what the keys are then
	err := m.ask("kv/txn", map[string]any{
		"compare": compare, "success": steps(append(slices.Clip(q.Then), look)), "failure": steps(append(slices.Clip(q.Else), look)),
	}, &a)
	if err != nil {
		return nil, err
	}
	got, revision := m.of.run.now(), a.Header.Revision.n()
	reply := &consensus.Reply{Revision: revision, Succeeded: a.Succeeded}
	done := q.Else
	if a.Succeeded {
		done = q.Then
	}
	for i, o := range done {
		result := consensus.Result{}
		switch {
		case o.Do == consensus.Put:
			result = consensus.Result{{Key: o.Key, Value: o.Value, Create: revision, Mod: revision, Version: 1, Lease: o.Lease}}
		case o.Do == consensus.Delete && len(q.If) > 0:
			m.of.noteDeletion(keyAt(o.Key, q.If[0].Is), from, sent)
		case o.Do == consensus.Delete:
			m.of.noteDeletion("", from, sent)
		case i < len(a.Responses):
			result = keysOf(a.Responses[i].Range.Kvs)
		}
		reply.Results = append(reply.Results, result)
	}
	if n := len(a.Responses); n > 0 {
		m.of.see(revision, a.Responses[n-1].Range.Kvs, sent, got)
	}
	return reply, nil
}

// noteDeletion notes that a transaction has deleted a key: the first one, where it has no name.
func (c *cluster) noteDeletion(key string, from int, sent clock.Instant) {
	c.run.act(func() {
		if key == "" {
			key = c.latest.key
		}
		c.freed(key, from, sent)
	})
}

func (c *cluster) freed(key string, by int, sent clock.Instant) {
	c.delete(key, deletion{c.run.clientAt(by), sent})
}

func (c *cluster) address(host int) (network, address string) {
	return "tcp", strings.TrimPrefix(c.members[host].client, "http://")
}

// steps writes the steps of a transaction as the gateway takes them.
func steps(all []consensus.Op) (to []map[string]any) {
	for _, o := range all {
		switch o.Do {
		case consensus.Put:
			to = append(to, map[string]any{"request_put": map[string]any{
				"key": []byte(o.Key), "value": []byte(o.Value), "lease": strconv.FormatUint(o.Lease, 10),
			}})
		case consensus.Delete:
			to = append(to, map[string]any{"request_delete_range": map[string]any{"key": []byte(o.Key)}})
		default:
			to = append(to, map[string]any{"request_range": rangeOf(o.Key, o.Prefix, false)})
		}
	}
	return to
}

// watchPatient is how long a watch is left open: its client asks again long before.
const watchPatient = 30 * time.Second

// await watches a key, or the keys with a prefix, until something happens after a revision.
func (m *member) await(q *consensus.Watch) (any, error) {
	ctx, cancel := context.WithTimeout(m.of.ctx, watchPatient)
	defer cancel()
	create := map[string]any{"key": []byte(q.Key), "start_revision": strconv.FormatUint(q.Since+1, 10)}
	if q.Prefix {
		create["range_end"] = []byte(after(q.Key))
	}
	lines, err := open(ctx, m.client+"/v3/watch", map[string]any{"create_request": create})
	if err != nil {
		return nil, err
	}
	defer lines.Close()
	for from := json.NewDecoder(lines); ; {
		var a struct {
			Result struct {
				Header header
				Events []json.RawMessage
			}
		}
		if err := from.Decode(&a); err != nil {
			return nil, err
		}
		if len(a.Result.Events) > 0 {
			return &consensus.Reply{Revision: a.Result.Header.Revision.n()}, nil
		}
	}
}

// ask asks the server. How long a client waits is the client's business.
func (m *member) ask(path string, question, answer any) error {
	ctx, cancel := context.WithTimeout(m.of.ctx, watchPatient)
	defer cancel()
	return post(ctx, m.client+"/v3/"+path, question, answer)
}

// An etcdKey is a key as the gateway shows it.
type etcdKey struct {
	Key, Value []byte
	Create     number `json:"create_revision"`
	Mod        number `json:"mod_revision"`
	Version    number
	Lease      number
}

type header struct{ Revision number }

type rangeAnswer struct {
	Header header
	Kvs    []etcdKey
}

// A number is a whole number, which the gateway writes as text.
type number string

func (t number) n() uint64 {
	n, _ := strconv.ParseInt(cmp.Or(string(t), "0"), 10, 64)
	return uint64(n)
}

// rangeOf asks for a key, or for all with a prefix, the oldest first.
func rangeOf(key string, prefix, local bool) map[string]any {
	q := map[string]any{"key": []byte(key), "serializable": local, "sort_target": "CREATE", "sort_order": "ASCEND"}
	if prefix {
		q["range_end"] = []byte(after(key))
	}
	return q
}

// after is the least key that is greater than all with a prefix.
func after(prefix string) string { return prefix[:len(prefix)-1] + string(prefix[len(prefix)-1]+1) }

func keysOf(found []etcdKey) consensus.Result {
	all := consensus.Result{}
	for _, k := range found {
		all = append(all, consensus.KeyValue{
			Key: string(k.Key), Value: string(k.Value), Create: k.Create.n(), Mod: k.Mod.n(), Version: k.Version.n(), Lease: k.Lease.n(),
		})
	}
	return slices.Clip(all)
}

// findEtcd finds an etcd.
func findEtcd(o *Options) (program, server string, err error) {
	named := cmp.Or(o.Etcd, "etcd")
	if program, err = lookUp(named); err != nil {
		return "", "", fmt.Errorf("there is no %s; install etcd (Debian: etcd-server), or say where it is with --etcd", named)
	}
	out, err := exec.Command(program, "--version").Output()
	v, ok := strings.CutPrefix(strings.SplitN(string(out), "\n", 2)[0], "etcd Version: ")
	if err != nil || !ok {
		return "", "", fmt.Errorf("%s does not say its version as etcd does: %q", program, out)
	}
	return program, "etcd " + v, nil
}

// amongServers reports whether a fault may be about what servers send each other: it names servers on two sides, or one that is
// to be parted from all.
func amongServers(f *faults.Fault, cast *faults.Cast) bool {
	if f.Kind == faults.SlowNode || f.Kind == faults.Partition && f.Shape != faults.Grouped {
		return true
	}
	sides := f.Groups
	if f.Kind != faults.Partition {
		sides = [][]string{{f.From}, {f.To}}
	}
	n := 0
	for _, side := range sides {
		if slices.ContainsFunc(side, func(word string) bool {
			return !slices.Contains(cast.Clients, word) && word != faults.AClient && word != faults.Clients && word != faults.Holder && word != "s"
		}) {
			n++
		}
	}
	return n > 1
}
