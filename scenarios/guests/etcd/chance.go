package etcd

import (
	"math/rand"
	randv2 "math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	_ "unsafe" // for go:linkname

	"google.golang.org/grpc"
	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/balancer/endpointsharding"
	"google.golang.org/grpc/balancer/roundrobin"
)

// DialOptions make gRPC's random choices a function of the run's seed. By default a client draws from math/rand/v2,
// which can't be seeded, which server to ask first and how long to wait before it dials again. It also asks servers
// in the order of a map. Everything else is unchanged.
func DialOptions() []grpc.DialOption {
	policy := grpc.WithDefaultServiceConfig(`{"loadBalancingPolicy": "` + inOrder{}.Name() + `"}`)
	return []grpc.DialOption{withBackoff(waits(rand.Uint64())), policy, grpc.WithDisableServiceConfig()} // not etcd's config
}

// drawn returns a random number for a key at this moment: the same to every caller.
func drawn(key uint64, below uint32) uint32 {
	return randv2.New(randv2.NewPCG(key, uint64(time.Now().UnixNano()))).Uint32N(below)
}

// waits are gRPC's waits between two dials. The first is a second, and each further one is 1.6 times as long, up to
// two minutes. Each is up to a fifth shorter or longer.
type waits uint64

// Backoff returns how long to wait after this many failures.
func (key waits) Backoff(failures int) time.Duration {
	d := time.Second
	if failures == 0 {
		return d
	}
	for range failures {
		d = min(d*8/5, 2*time.Minute)
	}
	return d * time.Duration(8000+drawn(uint64(key), 4001)) / 10000
}

// withBackoff is the only way to replace gRPC's waits.
//
//go:linkname withBackoff google.golang.org/grpc.withBackoff
func withBackoff(interface{ Backoff(int) time.Duration }) grpc.DialOption

func init() { balancer.Register(inOrder{}) }

// inOrder makes gRPC's round robin, which etcd's client asks for, with the servers in the order of their addresses.
type inOrder struct{}

// Name returns the name of the policy.
func (inOrder) Name() string { return "round_robin_in_order" }

// Build makes the balancer of a client.
func (inOrder) Build(cc balancer.ClientConn, o balancer.BuildOptions) balancer.Balancer {
	return balancer.Get(roundrobin.Name).Build(&turns{ClientConn: cc, key: rand.Uint64()}, o)
}

// turns are a client's connections, which are asked by turns.
type turns struct {
	balancer.ClientConn
	key uint64
	now atomic.Pointer[round]
}

// A round is the servers to ask until something changes.
type round struct {
	servers []endpointsharding.ChildState
	next    atomic.Uint32
}

// UpdateState receives the available servers. gRPC would ask them in the order of a map, starting with a random one.
func (t *turns) UpdateState(s balancer.State) {
	r := &round{}
	for _, c := range endpointsharding.ChildStatesFromPicker(s.Picker) {
		if c.State.ConnectivityState == s.ConnectivityState {
			r.servers = append(r.servers, c)
		}
	}
	if n := len(r.servers); n > 0 {
		slices.SortFunc(r.servers, func(x, y endpointsharding.ChildState) int {
			return strings.Compare(x.Endpoint.Addresses[0].Addr, y.Endpoint.Addresses[0].Addr)
		})
		r.next.Store(drawn(t.key, uint32(n)))
		t.now.Store(r)
		s.Picker = t
	}
	t.ClientConn.UpdateState(s)
}

// Pick returns the server whose turn it is. Many calls happen at one moment: all callers whose connection has just
// begun or ended. So each waits for some nanoseconds, by the length of its name, until the state of that moment is
// final.
func (t *turns) Pick(info balancer.PickInfo) (balancer.PickResult, error) {
	time.Sleep(time.Duration(64 * len(info.FullMethodName)))
	r := t.now.Load()
	return r.servers[r.next.Add(1)%uint32(len(r.servers))].State.Picker.Pick(info)
}
