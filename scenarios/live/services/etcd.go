package services

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/live"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/consensus"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// etcdServers are the servers for locks of etcd's recipe.
var etcdServers = live.ServerKind{
	Word: "etcd", Locks: []scenarios.Kind{scenarios.Etcd}, Service: true,
	Name: "etcd", Lack: "locks of the kind etcd do not run live",
	Program: live.Program{Flag: "etcd", Default: "etcd", Usage: "the `PROGRAM` to run as a server of etcd"},
	Find:    findEtcd, New: func(d *live.Driver, program string) live.Servers { return newCluster(d, program) },
	Refusal: func(f *faults.Fault, cast *faults.Cast) string {
		if f.Kind.Links && amongServers(f, cast) {
			return "live has no proxy between the servers of etcd"
		}
		return refusal(f, cast)
	},
	CheckScenario: func(s *scenarios.Scenario, refuse live.Refuse) {
		refuse(s.Persistence != redis.AOFAlways, "persistence: etcd keeps its data")
		refuse(s.Lock.TTL%time.Second != 0, "lock.ttl: %s is no number of whole seconds, in which etcd counts it", s.Lock.TTL)
	},
	Adapter: checkAdapter,
	Known:   map[string]string{"etcd/slower-client": expiresLate, "etcd/slow-client with etcd-no-margin": expiresLate},
}

// expiresLate describes 30 leases on etcd 3.4.23, on a busy machine.
const expiresLate = "etcd looks for sessions that have ended twice a second, and ended 30 of 2s by 0.06s to 1.9s late; the " +
	"simulator ends them at once, as etcd may. So a client's clock has to be slower than that to be caught"

// findEtcd finds an etcd.
func findEtcd(name string) (program, server string, err error) {
	name = cmp.Or(name, "etcd")
	if program, err = live.FindProgram(name); err != nil {
		return "", "", fmt.Errorf("there is no %s; install etcd (Debian: etcd-server), or say where it is with --etcd", name)
	}
	out, err := live.VersionOf(program)
	if err != nil {
		return "", "", err
	}
	v, ok := strings.CutPrefix(strings.SplitN(out, "\n", 2)[0], "etcd Version: ")
	if !ok {
		return "", "", fmt.Errorf("%s doesn't print its version as etcd does: %q", program, out)
	}
	return program, "etcd " + v, nil
}

// amongServers reports whether a fault may affect messages between servers: it names servers on two sides, or a
// server to separate from all others.
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
		if slices.ContainsFunc(side, func(word string) bool { return !live.IsClient(word, cast) && word != "s" }) {
			n++
		}
	}
	return n > 1
}

// A cluster is etcd: one process for each node. They agree among themselves. It accepts the same client requests as
// the simulated service. The server that was asked carries each out.
type cluster struct {
	live.Base
	network
	ledger
	program string
	members []*member
	prefix  string // of the lock's keys
	ctx     context.Context
	cancel  context.CancelFunc
}

func newCluster(d *live.Driver, program string) *cluster {
	c := &cluster{Base: live.Base{Driver: d}, program: program, prefix: d.Key + "/", ledger: newLedger(checker.Expired)}
	c.network = newNetwork(d, func(host int) (network, address string) { return "tcp", c.members[host].address })
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// Begin starts the servers, and waits until they have a leader.
func (c *cluster) Begin() error {
	addresses, err := freeAddresses(2 * c.Scenario.Nodes)
	if err != nil {
		return err
	}
	for i := range c.Scenario.Nodes {
		m := &member{cluster: c, name: "n" + strconv.Itoa(i+1), address: addresses[2*i], peer: "http://" + addresses[2*i+1]}
		m.node = node{driver: c.Driver, start: m.begin}
		c.members = append(c.members, m)
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

// freeAddresses returns unused addresses, which the kernel chooses.
func freeAddresses(n int) (all []string, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		all = append(all, l.Addr().String())
	}
	return all, nil
}

// Services returns the servers, in the order of their hosts.
func (c *cluster) Services(*platform.Topology) (nodes, others []sim.Service) {
	for _, m := range c.members {
		nodes = append(nodes, m)
	}
	return nodes, nil
}

// Attach begins the world's time, and starts watching the keys.
func (c *cluster) Attach(site *platform.Site) {
	c.Base.Attach(site)
	c.Outages = platform.RaftOutages(site)
	for i, m := range c.members {
		m.host = c.Host(i)
	}
	go c.watch()
}

// watch reads the lock's keys again and again, until the run has ended.
func (c *cluster) watch() {
	for i := 0; c.ctx.Err() == nil; time.Sleep(live.ReadEvery) {
		if c.members[i].readKeys(live.ReadPatience) != nil {
			i = (i + 1) % len(c.members)
		}
	}
}

// errOff says why a server that is off does not answer.
var errOff = errors.New("the server is off")

// see notes what a linearizable read has found.
func (c *cluster) see(revision int64, found []*mvccpb.KeyValue, sent, got clock.Instant) {
	v := view{revision: uint64(revision), sent: sent, got: got}
	if len(found) > 0 {
		v.key = nameOf(string(found[0].Key), uint64(found[0].CreateRevision))
	}
	c.Do(func() { c.note(v) })
}

// nameOf returns the judges' name of a key, as in package platform.
func nameOf(key string, revision uint64) string { return key + "@" + strconv.FormatUint(revision, 10) }

// Token returns the name of a grant's key, with its revision.
func (c *cluster) Token(g locks.Grant) string {
	if g.Token == "" {
		return ""
	}
	return nameOf(g.Token, g.Fence)
}

// Freed notes that a client's process has deleted a key.
func (c *cluster) Freed(key string, host int, sent clock.Instant) {
	c.delete(key, deletion{c.ClientOn(host), sent})
}

// noteDeletion notes that a transaction has deleted a key; with an empty name, the first one.
func (c *cluster) noteDeletion(key string, host int, sent clock.Instant) {
	c.Do(func() { c.Freed(cmp.Or(key, c.latest.key), host, sent) })
}

// AppendLives appends the lives of the key.
func (c *cluster) AppendLives(all []checker.Span, wide bool) []checker.Span {
	return spans(all, c.lives, wide)
}

// Apply applies to the servers what has happened to their hosts and links. The world calls Stop and Start.
func (c *cluster) Apply(e sim.Event) {
	if c.network.apply(e); int(e.Host) < len(c.members) {
		c.members[e.Host].apply(e.Kind)
	}
}

// Close ends the watch, and all requests.
func (c *cluster) Close() {
	c.cancel()
	for _, m := range c.members {
		m.hangUp()
	}
}

// A member is one server.
type member struct {
	node
	cluster *cluster
	name    string
	address string // where clients ask
	peer    string

	client atomic.Pointer[clientv3.Client] // of the server since its latest start; nil while it is off
}

// begin starts the server's process, and makes its client.
func (m *member) begin() (*live.Process, error) {
	all := ""
	for _, o := range m.cluster.members {
		all += "," + o.name + "=" + o.peer
	}
	c, rules := m.cluster, &m.cluster.Scenario.Raft
	x := exec.Command(c.program, "--name", m.name, "--data-dir", filepath.Join(c.Directory, m.name),
		"--listen-client-urls", "http://"+m.address, "--advertise-client-urls", "http://"+m.address, "--listen-peer-urls", m.peer,
		"--initial-advertise-peer-urls", m.peer, "--initial-cluster", all[1:], "--initial-cluster-token", c.Directory,
		"--heartbeat-interval", strconv.FormatInt(rules.Heartbeat.Milliseconds(), 10),
		"--election-timeout", strconv.FormatInt(rules.Election.Milliseconds(), 10), "--logger", "zap", "--log-level", "warn")
	x.Dir = c.Directory
	p, err := c.Start(m.name, x)
	if err == nil {
		err = m.connect()
	}
	return p, err
}

// connect makes the client for requests to this server alone. It asks once, because a message is sent once.
func (m *member) connect() error {
	soon := backoff.Config{BaseDelay: 10 * time.Millisecond, Multiplier: 1, MaxDelay: 10 * time.Millisecond}
	client, err := clientv3.New(clientv3.Config{
		Endpoints: []string{m.address}, Context: m.cluster.ctx, Logger: zap.NewNop(), MaxUnaryRetries: 1,
		DialOptions: []grpc.DialOption{grpc.WithConnectParams(grpc.ConnectParams{Backoff: soon, MinConnectTimeout: time.Second})},
	})
	m.client.Store(client)
	return err
}

// hangUp ends the client, and all its requests.
func (m *member) hangUp() {
	if c := m.client.Swap(nil); c != nil {
		_ = c.Close()
	}
}

// awaitHealth waits until the server says that it is one of a cluster with a leader.
func (m *member) awaitHealth() error {
	for since := time.Now(); time.Since(since) < live.StartWithin && m.process.Alive() && m.cluster.Failed() == nil; {
		if m.readKeys(time.Second) == nil {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return m.process.Silent("")
}

// Stop ends the server, and all requests to it.
func (m *member) Stop(power bool) {
	m.hangUp()
	m.node.Stop(power)
}

// Serve passes a request on. A server that is off or has no leader does not answer.
func (m *member) Serve(request any) any {
	ask, client := m.host.Asking(), m.client.Load()
	go func() {
		ctx, cancel := context.WithTimeout(client.Ctx(), patience)
		defer cancel()
		reply, err := m.carryOut(ctx, client, request, ask.From())
		if errors.Is(err, rpctypes.ErrLeaseNotFound) {
			reply, err = consensus.ErrLease, nil // a refusal is a reply
		}
		if err != nil {
			return
		}
		m.cluster.Do(func() {
			if client == m.client.Load() {
				m.host.Answer(ask, reply)
			}
		})
	}()
	return sim.Later
}

// patience is how long a request stays open: its client asks again long before.
const patience = 30 * time.Second

// errStrange is for requests that no live lock makes.
var errStrange = errors.New("services: no request for etcd")

// carryOut carries out one request.
func (m *member) carryOut(ctx context.Context, client *clientv3.Client, request any, host int) (any, error) {
	switch q := request.(type) {
	case *consensus.Grant:
		a, err := client.Grant(ctx, int64(q.TTL/time.Second))
		if err != nil {
			return nil, err
		}
		return &consensus.Reply{Revision: uint64(a.Revision), Lease: uint64(a.ID)}, nil
	case *consensus.KeepAlive:
		a, err := client.KeepAliveOnce(ctx, clientv3.LeaseID(q.Lease))
		if err != nil {
			return nil, err
		}
		return &consensus.Reply{Revision: uint64(a.Revision)}, nil
	case *consensus.Read:
		return m.read(ctx, client, q)
	case *consensus.Txn:
		return m.transact(ctx, client, q, host)
	case *consensus.Watch:
		return await(ctx, client, q)
	}
	panic(fmt.Sprintf("%v: %T", errStrange, request))
}

// readKeys makes a linearizable read of the lock's keys, which needs a leader.
func (m *member) readKeys(patience time.Duration) error {
	client := m.client.Load()
	if client == nil {
		return errOff
	}
	ctx, cancel := context.WithTimeout(client.Ctx(), patience)
	defer cancel()
	_, err := m.read(ctx, client, &consensus.Read{Op: consensus.Op{Key: m.cluster.prefix, Prefix: true}})
	return err
}

// read reads keys.
func (m *member) read(ctx context.Context, client *clientv3.Client, q *consensus.Read) (any, error) {
	how := options(q.Prefix)
	if q.Local {
		how = append(how, clientv3.WithSerializable())
	}
	sent := m.cluster.Now()
	a, err := client.Get(ctx, q.Key, how...)
	if err != nil {
		return nil, err
	}
	if q.Prefix && q.Key == m.cluster.prefix && !q.Local && m.cluster.World != nil {
		m.cluster.see(a.Header.Revision, a.Kvs, sent, m.cluster.Now())
	}
	return &consensus.Reply{Revision: uint64(a.Header.Revision), Results: []consensus.Result{resultOf(a.Kvs)}}, nil
}

// options returns the options for a read of a key, or of all keys with a prefix, the oldest first.
func options(prefix bool) (all []clientv3.OpOption) {
	all = append(all, clientv3.WithSort(clientv3.SortByCreateRevision, clientv3.SortAscend))
	if prefix {
		all = append(all, clientv3.WithPrefix())
	}
	return all
}

func resultOf(found []*mvccpb.KeyValue) consensus.Result {
	all := consensus.Result{}
	for _, k := range found {
		all = append(all, consensus.KeyValue{
			Key: string(k.Key), Value: string(k.Value), Lease: uint64(k.Lease),
			Create: uint64(k.CreateRevision), Mod: uint64(k.ModRevision), Version: uint64(k.Version),
		})
	}
	return slices.Clip(all)
}

// fields are the comparisons that etcd has for a key.
var fields = map[consensus.Field]func(key string) clientv3.Cmp{
	consensus.Create: clientv3.CreateRevision, consensus.Mod: clientv3.ModRevision, consensus.Version: clientv3.Version,
	consensus.Lease: clientv3.LeaseValue,
}

// transact makes a transaction. Its last step reads the lock's keys after it.
func (m *member) transact(ctx context.Context, client *clientv3.Client, q *consensus.Txn, host int) (any, error) {
	c := m.cluster
	var conditions []clientv3.Cmp
	for _, is := range q.If {
		f, ok := fields[is.Of]
		if !ok {
			panic(errStrange)
		}
		conditions = append(conditions, clientv3.Compare(f(is.Key), "=", int64(is.Is)))
	}
	last := consensus.Op{Key: c.prefix, Prefix: true}
	sent := c.Now()
	a, err := client.Txn(ctx).If(conditions...).Then(steps(q.Then, last)...).Else(steps(q.Else, last)...).Commit()
	if err != nil {
		return nil, err
	}
	got, revision := c.Now(), uint64(a.Header.Revision)
	reply := &consensus.Reply{Revision: revision, Succeeded: a.Succeeded}
	done := q.Else
	if a.Succeeded {
		done = q.Then
	}
	for i, o := range done {
		result := consensus.Result{}
		switch o.Do {
		case consensus.Put:
			result = consensus.Result{{Key: o.Key, Value: o.Value, Create: revision, Mod: revision, Version: 1, Lease: o.Lease}}
		case consensus.Delete:
			name := ""
			if len(q.If) > 0 {
				name = nameOf(o.Key, q.If[0].Is)
			}
			c.noteDeletion(name, host, sent)
		default:
			result = resultOf(a.Responses[i].GetResponseRange().Kvs)
		}
		reply.Results = append(reply.Results, result)
	}
	c.see(a.Header.Revision, a.Responses[len(done)].GetResponseRange().Kvs, sent, got)
	return reply, nil
}

// steps returns the steps of a transaction as the client takes them.
func steps(some []consensus.Op, last consensus.Op) (all []clientv3.Op) {
	for _, o := range append(slices.Clip(some), last) {
		switch o.Do {
		case consensus.Put:
			all = append(all, clientv3.OpPut(o.Key, o.Value, clientv3.WithLease(clientv3.LeaseID(o.Lease))))
		case consensus.Delete:
			all = append(all, clientv3.OpDelete(o.Key))
		default:
			all = append(all, clientv3.OpGet(o.Key, options(o.Prefix)...))
		}
	}
	return all
}

// await watches a key, or the keys with a prefix, until something happens after a revision.
func await(ctx context.Context, client *clientv3.Client, q *consensus.Watch) (any, error) {
	how := []clientv3.OpOption{clientv3.WithRev(int64(q.Since + 1))}
	if q.Prefix {
		how = append(how, clientv3.WithPrefix())
	}
	for a := range client.Watch(ctx, q.Key, how...) {
		if err := a.Err(); err != nil {
			return nil, err
		}
		if len(a.Events) > 0 {
			return &consensus.Reply{Revision: uint64(a.Header.Revision)}, nil
		}
	}
	return nil, errOff
}
