package live

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/live/wall"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// Options set how live runs are performed. The zero value of each field works.
type Options struct {
	Programs map[string]string // the programs of servers, by flag: see Programs; others are searched for
	Servers  string            // the word of the kind of servers; "": the first that runs the lock
	Adapter  []string          // the command of a client that speaks the protocol; empty: our own
	Scale    Scale             // of long times; 0: the smallest from 0.2 up that leaves the needed margin
	Widen    int               // the factor for short times; 0: 1 with a Scale, else chosen as that is
	Late     time.Duration     // how late the machine is when the run begins; 0: it is watched for half a second
	Attempts int               // how often a run is tried whose verdict is unknown; 0: 3
	Self     []string          // the command of a program that calls Main first; empty: the program itself

	// Accepted are promises that an adapter's lock may break although our own lock keeps them.
	Accepted []string

	Cold bool // an adapter's clients do not acquire once before the run begins

	// Tell receives a sentence about a client that has not answered for long, during the run, and again if the caller
	// ends the run. Runs in parallel call it in parallel. Nil ignores the sentences.
	Tell func(text string)

	program string        // what the servers are started from
	compare bool          // a verdict that differs from the simulator's counts only if the course is the same
	grace   time.Duration // how long a client may be silent beyond its own time; 0: graceMost
}

// clientWord is the argument that makes a program a client.
const clientWord = "live-client"

// client returns the command of a client's process.
func (o *Options) client(s *scenarios.Scenario) []string {
	if len(o.Adapter) > 0 {
		return o.Adapter
	}
	rules, err := json.Marshal(s.Lock.Rules)
	if err != nil {
		panic("live: the rules of a lock are no JSON: " + err.Error())
	}
	return append(append([]string{}, o.Self...), clientWord, s.Lock.Kind.String(), string(rules))
}

// complete finds missing options, and the server of a kind of lock.
func (o Options) complete(kind scenarios.Kind) (_ Options, server string, err error) {
	if err := possible(); err != nil {
		return o, "", err
	}
	k, _ := serversOf(kind, o.Servers)
	if o.program, server, err = k.Find(o.Programs[k.Program.Flag]); err != nil {
		return o, "", err
	}
	if len(o.Adapter) > 0 {
		if _, err := exec.LookPath(o.Adapter[0]); err != nil {
			return o, "", fmt.Errorf("the adapter can't be started: %w", err)
		}
	}
	if len(o.Self) == 0 {
		self, err := os.Executable()
		if err != nil {
			return o, "", err
		}
		o.Self = []string{self}
	}
	o.Attempts, o.grace = cmp.Or(o.Attempts, 3), cmp.Or(o.grace, graceMost)
	if o.Tell == nil {
		o.Tell = func(string) {}
	}
	return o, server, nil
}

// A run is one live run: its driver, servers and clients. It is the world's Outside.
type run struct {
	*Driver
	servers Servers
	service Service        // the servers, if clients ask for the lock as one; else nil
	agents  map[int]*agent // by host: clients and the probe
	applied int            // events of the trace that were applied to processes
	silent  []string       // clients that have not answered, in sentences
	owed    []string       // what they had not answered when the run failed, in sentences; nil if it has not
	mute    bool           // a client has not answered for long
	tell    func(text string)
}

// startRun starts all processes, and waits until they are ready. Whatever it returns, the run must be closed.
func startRun(ctx context.Context, s *scenarios.Scenario, o *Options) (*run, error) {
	d, err := newDriver(s, o.Self)
	d.until(ctx)
	r := &run{Driver: d, agents: map[int]*agent{}, tell: o.Tell}
	if err != nil {
		return r, err
	}
	const most = 3 * StartWithin
	late := time.AfterFunc(most, func() { d.abort(fmt.Errorf("the servers and the clients are not ready within %s", most)) })
	defer late.Stop()
	err = r.begin(o)
	return r, cmp.Or(r.Failed(), err) // the first is why the second
}

// begin starts servers and clients.
func (r *run) begin(o *Options) error {
	r.Adapted = len(o.Adapter) > 0
	kind, _ := serversOf(r.Scenario.Lock.Kind, o.Servers)
	r.servers = kind.New(r.Driver, o.program)
	if kind.Service {
		r.service = r.servers.(Service)
	}
	if err := r.servers.Begin(); err != nil {
		return err
	}
	if r.service != nil && !r.Adapted {
		return nil
	}
	if err := r.beginAgents(o); err != nil {
		return err
	}
	return r.awaitReady()
}

// beginAgents starts the clients, and the probe, with a proxy to each server that their lock asks.
func (r *run) beginAgents(o *Options) error {
	hosts := append(r.Scenario.Hosts(), scenarios.ProbeHost)
	library := ""
	if r.Adapted && stepsClients(r.Scenario) != nil {
		var err error
		if library, err = wall.Build(r.Directory); err != nil {
			return err
		}
	}
	for host, name := range hosts {
		if host <= r.Scenario.Nodes || name == observerHost { // servers and storage
			continue
		}
		a := &agent{Driver: r.Driver, name: name, command: o.client(r.Scenario), tell: o.Tell, grace: o.grace}
		a.gate = gate{driver: r.Driver, client: host, adapter: r.Adapted, gathers: gathers(r.Scenario), servers: len(r.servers.Asked())}
		for _, node := range r.servers.Asked() {
			p, err := a.proxyTo(node, r.servers.Accept)
			if err != nil {
				return err
			}
			a.proxies = append(a.proxies, p)
		}
		var err error
		if observer := slices.Index(hosts, observerHost); observer >= 0 {
			a.sentinel, err = a.proxyTo(observer, r.servers.Accept)
		}
		r.agents[host] = a
		if library != "" {
			err = errors.Join(err, a.deceive(library))
		}
		if err != nil {
			return err
		}
		if err = a.launch(); err != nil {
			return err
		}
	}
	return nil
}

// sorted returns the agents in the order of their hosts.
func (r *run) sorted() (all []*agent) {
	for _, host := range slices.Sorted(maps.Keys(r.agents)) {
		all = append(all, r.agents[host])
	}
	return all
}

// unready returns an error that names the clients that have not said that they are ready, with their last words.
func (r *run) unready() error {
	var all []error
	for _, a := range r.sorted() {
		if !a.ready {
			all = append(all, fmt.Errorf("client %s does not say %q within %s%s", a.name, "0 ready", StartWithin, a.process.lastWords()))
		}
	}
	return errors.Join(all...)
}

// awaitReady waits until all clients have said that they are ready.
func (r *run) awaitReady() error {
	deadline := time.After(StartWithin)
	for r.unready() != nil && r.Failed() == nil {
		select {
		case <-r.wake:
			r.Act()
		case <-deadline:
			return r.unready()
		}
	}
	return r.Failed()
}

// drive performs the run.
func (r *run) drive(seed uint64) *scenarios.Result {
	hosted := *r.Scenario
	if r.service == nil || r.Adapted {
		hosted.Lock.New = func(c locks.Config) locks.Lock {
			return &remote{Driver: r.Driver, servers: r.servers, service: r.service, agents: r.agents, config: c}
		}
	}
	runner := scenarios.NewRunner()
	defer runner.Close()
	runner.Outside, runner.Real = r, r.servers
	r.conclude = func(keys []checker.Span) []checker.Span {
		for _, a := range r.sorted() {
			r.silent, r.mute = append(r.silent, a.unanswered()...), r.mute || a.mute()
		}
		return r.servers.AppendLives(keys, false)
	}
	res := runner.Run(&hosted, seed)
	res.Scenario = r.Scenario
	return res
}

// Wait lets time pass until next, or until there is an action to perform, for hosts as they are now.
func (r *run) Wait(next clock.Instant) (now clock.Instant, acted bool) {
	if r.World != nil {
		r.apply(next)
	}
	if now, acted = r.wait(next); r.Failed() != nil && r.owed == nil {
		r.owed = r.silences()
	}
	return now, acted
}

// silences says what each client has not answered although its time has ended. It is empty, not nil, for no client.
func (r *run) silences() []string {
	all := []string{}
	for _, a := range r.sorted() {
		all = append(all, a.silences()...)
	}
	return all
}

// tellSilent reports who did not answer when the caller ended the run. Such a run has no result that could say so.
func (r *run) tellSilent(ctx context.Context) {
	if ctx.Err() == nil {
		return
	}
	if r.World == nil { // it was waiting for all to be ready
		r.owed = r.silences()
	}
	for _, text := range r.owed {
		r.tell(text)
	}
}

// apply applies to processes what has happened to hosts.
func (r *run) apply(next clock.Instant) {
	for _, e := range r.World.Trace()[r.applied:] {
		r.applied++
		if a := r.agents[int(e.Host)]; a != nil {
			a.apply(e)
		}
		r.servers.Apply(e)
	}
	r.servers.Tune()
	r.resume(next)
}

// close ends everything that the run has started.
func (r *run) close() {
	r.Fail(errOver)
	for _, a := range r.agents {
		a.close()
	}
	if r.servers != nil {
		r.servers.Close()
	}
	r.Driver.close()
}
