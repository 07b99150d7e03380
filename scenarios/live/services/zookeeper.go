package services

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/live"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// zooKeeperServers are the servers for locks of ZooKeeper's recipe.
var zooKeeperServers = live.ServerKind{
	Word: "zookeeper", Locks: []scenarios.Kind{scenarios.ZooKeeper}, Service: true,
	Name: "ZooKeeper", Lack: "locks of the kind zookeeper do not run live",
	Program: live.Program{
		Flag: "zookeeper", Default: zooKeeperJar, Usage: "the `JAR` of ZooKeeper's server, which the java of the PATH runs",
	},
	Find: findZooKeeper, New: func(d *live.Driver, program string) live.Servers { return newEnsemble(d, program) },
	NeedsAdapter: "its session is one with its client, and Lockstorm's own can't be parted from it; " +
		"scenarios/live/adapters/CuratorAdapter.java is Curator's InterProcessMutex",
	Refusal: func(f *faults.Fault, cast *faults.Cast) string {
		if f.Kind.Links && amongServers(f, cast) {
			return "live has no proxy between the servers of ZooKeeper"
		}
		return refusal(f, cast)
	},
	CheckScenario: func(s *scenarios.Scenario, refuse live.Refuse) {
		refuse(s.Persistence != redis.AOFAlways, "persistence: ZooKeeper keeps its data")
	},
	Adapter: checkAdapter,
}

// zooKeeperJar is where Debian has it.
const zooKeeperJar = "/usr/share/java/zookeeper.jar"

// findZooKeeper finds ZooKeeper's jar, and Java to run it.
func findZooKeeper(name string) (jar, server string, err error) {
	jar = cmp.Or(name, zooKeeperJar)
	if _, err := os.Stat(jar); err != nil {
		const way = "install it (Debian: zookeeper), or say where its jar is with --zookeeper"
		return "", "", fmt.Errorf("there is no ZooKeeper (%w); %s", err, way)
	}
	if _, err := exec.LookPath("java"); err != nil {
		return "", "", fmt.Errorf("ZooKeeper needs java (Debian: default-jre-headless): %w", err)
	}
	out, err := live.VersionOf("java", "-cp", jar, "org.apache.zookeeper.version.VersionInfoMain")
	if err != nil {
		return "", "", err
	}
	_, version, ok := strings.Cut(out, "Apache ZooKeeper, version ")
	if !ok {
		return "", "", fmt.Errorf("%s doesn't print its version as ZooKeeper does: %q", jar, out)
	}
	version, _, _ = strings.Cut(version, " ")
	return jar, "ZooKeeper " + version, nil
}

// An ensemble is ZooKeeper: one process for each node. They agree among themselves. Its clients are adapters.
type ensemble struct {
	live.Base
	network
	ledger
	jar     string
	servers []*zooKeeper
	ctx     context.Context
	cancel  context.CancelFunc
}

func newEnsemble(d *live.Driver, jar string) *ensemble {
	e := &ensemble{Base: live.Base{Driver: d}, jar: jar, ledger: newLedger(checker.Expired)}
	e.network = newNetwork(d, func(host int) (network, address string) { return "tcp", e.servers[host].address })
	e.ctx, e.cancel = context.WithCancel(context.Background())
	return e
}

// Begin starts the servers, waits until they have a leader, and creates the parent of the lock's nodes.
func (e *ensemble) Begin() error {
	addresses, err := freeAddresses(3 * e.Scenario.Nodes)
	if err != nil {
		return err
	}
	for i := range e.Scenario.Nodes {
		z := &zooKeeper{ensemble: e, id: i + 1, address: addresses[3*i], peers: addresses[3*i+1 : 3*i+3]}
		z.node = node{driver: e.Driver, start: z.begin}
		e.servers = append(e.servers, z)
	}
	for _, z := range e.servers {
		if err := errors.Join(z.configure(), z.launch()); err != nil {
			return err
		}
	}
	for _, z := range e.servers {
		if err := z.await(); err != nil {
			return err
		}
	}
	_, err = e.servers[0].client.Create(e.root(), nil, 0, zk.WorldACL(zk.PermAll))
	return err
}

// root is the node below which clients keep the lock.
func (e *ensemble) root() string { return "/" + e.Key }

// Services returns the servers, in the order of their hosts.
func (e *ensemble) Services(*platform.Topology) (nodes, others []sim.Service) {
	for _, z := range e.servers {
		nodes = append(nodes, z)
	}
	return nodes, nil
}

// Attach begins the world's time, and starts watching the lock's nodes.
func (e *ensemble) Attach(site *platform.Site) {
	e.Base.Attach(site)
	e.Outages = platform.RaftOutages(site)
	for i, z := range e.servers {
		z.host = e.Host(i)
	}
	go e.watch()
}

// Apply applies to the servers what has happened to their hosts and links. The world calls Stop and Start.
func (e *ensemble) Apply(event sim.Event) {
	if e.network.apply(event); int(event.Host) < len(e.servers) {
		e.servers[event.Host].apply(event.Kind)
	}
}

// Close ends the watch.
func (e *ensemble) Close() {
	e.cancel()
	for _, z := range e.servers {
		if z.client != nil {
			z.client.Close()
		}
	}
}

// watch reads the lock's nodes until the run has ended. If a server does not answer soon, it asks another.
func (e *ensemble) watch() {
	for i := 0; e.ctx.Err() == nil; time.Sleep(live.ReadEvery) {
		read := make(chan error, 1)
		go func() { read <- e.servers[i].readNodes() }()
		select {
		case err := <-read:
			if err == nil {
				continue
			}
		case <-time.After(live.ReadPatience):
		}
		i = (i + 1) % len(e.servers)
	}
}

// Freed notes that a client's process has deleted a node.
func (e *ensemble) Freed(name string, host int, sent clock.Instant) {
	e.delete(name, deletion{e.ClientOn(host), sent})
}

// AppendLives appends the lives of the lock's nodes, each from when it was the first.
func (e *ensemble) AppendLives(all []checker.Span, wide bool) []checker.Span {
	return spans(all, e.lives, wide)
}

// A zooKeeper is one server.
type zooKeeper struct {
	node
	ensemble *ensemble
	id       int
	address  string   // where clients ask
	peers    []string // where the other servers ask, and where they vote
	client   *zk.Conn // of the harness; it reconnects by itself
}

// tick is ZooKeeper's unit of time. A session ends at a multiple of it, so at most this late.
const tick = 100 * time.Millisecond

func (z *zooKeeper) directory() string {
	return filepath.Join(z.ensemble.Directory, "n"+strconv.Itoa(z.id))
}

// configure writes the server's files, and makes the harness's client.
func (z *zooKeeper) configure() error {
	host, port, _ := net.SplitHostPort(z.address)
	text := fmt.Sprintf("dataDir=%s\nclientPortAddress=%s\nclientPort=%s\ntickTime=%d\ninitLimit=100\nsyncLimit=50\n"+
		"minSessionTimeout=%[4]d\nmaxSessionTimeout=%d\nadmin.enableServer=false\n",
		z.directory(), host, port, tick.Milliseconds(), time.Hour.Milliseconds())
	for _, o := range z.ensemble.servers {
		_, votes, _ := net.SplitHostPort(o.peers[1])
		text += fmt.Sprintf("server.%d=%s:%s\n", o.id, o.peers[0], votes)
	}
	var err error
	z.client, _, err = zk.Connect([]string{z.address}, live.StartWithin, zk.WithLogger(silence{}))
	return errors.Join(err, os.Mkdir(z.directory(), 0o700),
		os.WriteFile(filepath.Join(z.directory(), "myid"), []byte(strconv.Itoa(z.id)), 0o600),
		os.WriteFile(z.file(), []byte(text), 0o600))
}

func (z *zooKeeper) file() string { return filepath.Join(z.directory(), "zoo.cfg") }

// silence is where the harness's client logs each failed dial.
type silence struct{}

func (silence) Printf(string, ...any) {}

// begin starts the server's process. A small virtual machine that compiles little starts in half of the time.
func (z *zooKeeper) begin() (*live.Process, error) {
	c := exec.Command("java", "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", z.ensemble.jar,
		"org.apache.zookeeper.server.quorum.QuorumPeerMain", z.file())
	c.Dir = z.directory()
	return z.ensemble.Start("n"+strconv.Itoa(z.id), c)
}

// await waits until the server answers, which needs a leader.
func (z *zooKeeper) await() error {
	for since := time.Now(); time.Since(since) < 2*live.StartWithin && z.process.Alive() && z.ensemble.Failed() == nil; {
		answered := make(chan error, 1)
		go func() {
			_, err := z.client.Sync("/")
			answered <- err
		}()
		select {
		case err := <-answered:
			if err == nil {
				return nil
			}
		case <-time.After(time.Second):
		}
		time.Sleep(20 * time.Millisecond)
	}
	return z.process.Silent("")
}

// readNodes notes which of the lock's nodes is the first, after this server has caught up with the leader.
func (z *zooKeeper) readNodes() error {
	e := z.ensemble
	sent := e.Now()
	if _, err := z.client.Sync(e.root()); err != nil {
		return err
	}
	names, stat, err := z.client.Children(e.root())
	if err != nil {
		return err
	}
	v := view{revision: uint64(stat.Pzxid), key: first(names), sent: sent, got: e.Now()}
	e.Do(func() { e.note(v) })
	return nil
}

// numberLength is the number of digits in the number of a sequential node.
const numberLength = 10

// first returns the name with the lowest number, among those that have one; "" for no such name.
func first(names []string) (least string) {
	number := func(name string) string { return name[max(0, len(name)-numberLength):] }
	for _, name := range names {
		if len(name) >= numberLength && (least == "" || number(name) < number(least)) {
			least = name
		}
	}
	return least
}

// Serve is not called: adapters send the world no messages.
func (z *zooKeeper) Serve(any) any { return sim.Later }
