package consensus_test

import (
	"fmt"
	"time"

	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/consensus"
)

// A client takes a key under a lease. Then a server loses power, and another one still answers.
func Example() {
	world := sim.New(sim.Config{})
	defer world.Close()
	cluster := consensus.NewCluster(3)
	var hosts []*sim.Host
	for i, node := range cluster.Nodes {
		hosts = append(hosts, world.AddHost(fmt.Sprint("k", i+1), node, 0, 0))
	}
	client := world.AddHost("c1", nil, 0, 0)
	cluster.Attach(hosts, consensus.Config{})

	client.Go("main", func(p *sim.Proc) {
		ask := func(server int, request any) *consensus.Reply {
			reply, _ := p.Call(hosts[server].ID, request, 10*time.Second)
			return reply.(*consensus.Reply)
		}
		lease := ask(0, &consensus.Grant{TTL: 2 * time.Second}).Lease
		ask(1, &consensus.Txn{Then: []consensus.Op{{Do: consensus.Put, Key: "lock/c1", Lease: lease}}})

		hosts[0].Crash(true)
		seen := ask(1, &consensus.Read{Op: consensus.Op{Key: "lock/", Prefix: true}})
		fmt.Println("the key is there:", seen.Results[0])

		ask(1, &consensus.Watch{Key: "lock/c1", Since: seen.Revision})
		fmt.Println("its lease ended at", world.Now().Sub(0).Round(time.Second))
	})
	world.Run()
	// Output:
	// the key is there: ["lock/c1"="" create 2 mod 2 version 1 lease 1]
	// its lease ended at 2s
}
