package scenarios

import (
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// pooled are a platform's servers.
type pooled struct {
	on      platform.Platform
	servers platform.Servers
}

// serversOf returns the platform's servers, kept from an earlier run if there was one.
func (r *Runner) serversOf(p platform.Platform) platform.Servers {
	if r.Real != nil {
		return r.Real
	}
	for _, k := range r.pool {
		if k.on == p {
			return k.servers
		}
	}
	r.pool = append(r.pool, pooled{p, p.New()})
	return r.pool[len(r.pool)-1].servers
}

// build adds the hosts to the world: servers, storage, clients, in the order of Scenario.Hosts, and then the probe.
func (r *Runner) build() {
	s := r.scenario
	nodes, others := r.servers.Services(&r.topology)
	for _, n := range nodes {
		r.addHost(n)
	}
	r.addStorage()
	for i := range s.Clients {
		r.clients = append(r.clients, client{id: i, process: i, run: r, host: r.addHost(nil), work: &s.Work})
	}
	for _, o := range others {
		r.addHost(o)
	}
	r.addTokenService()
	r.probe = r.addHost(nil)
	r.attach()
	for i := range r.clients {
		c := &r.clients[i]
		c.host.OnStart(c.restart)
		c.start()
	}
}

// attach resets the servers, now that all hosts are there.
func (r *Runner) attach() {
	r.asked = r.scenario.platform().AppendAsked(r.asked, &r.topology)
	r.site = platform.Site{
		Topology: &r.topology, World: r.world, Servers: r.asked, Database: &r.database,
		Settling: r.limits.settling, Tap: r.Tap,
	}
	r.servers.Attach(&r.site)
}

// addStorage adds the host that guards the resource.
func (r *Runner) addStorage() {
	s := r.scenario
	c := storage.Config{Check: s.Fencing.Check, ReadsMark: s.Fencing.ReadsMark}
	if s.Storage.Engine == Register {
		r.storageID = r.addHost(&r.store).ID
		r.store.Attach(r.world, c)
		return
	}
	rules := sql.Config{Config: c, Idle: s.Storage.Idle, Optimistic: s.Fencing.Check == storage.Version}
	if server, ok := r.Real.(realDatabase); ok {
		r.storageID = r.addHost(server.Database(rules)).ID
		return
	}
	h := r.addHost(&r.database)
	r.storageID = h.ID
	r.database.Attach(h, rules)
}

// A realDatabase is Real, with a database that takes the place of the simulated one.
type realDatabase interface {
	Database(rules sql.Config) sim.Service
	// Updates lists the writes that were committed, in that order.
	Updates() []storage.Update
}

func (r *Runner) updates() []storage.Update {
	if r.scenario.Storage.Engine == Register {
		return r.store.Updates()
	}
	if server, ok := r.Real.(realDatabase); ok {
		return server.Updates()
	}
	return r.database.Updates()
}

func (r *Runner) addHost(service sim.Service) *sim.Host {
	name := r.names[len(r.world.Hosts())]
	var rate clock.Rate
	for _, o := range r.scenario.Clocks {
		if o.Host == name {
			rate = o.By
		}
	}
	return r.world.AddHost(name, service, Epoch, rate)
}
