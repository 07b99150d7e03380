package scenarios

import (
	"errors"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim/consensus"
)

// keys are one client's locks.Keys on the raft service. It speaks to one server at a time, and goes on to the next when
// an answer does not come, as the clients of etcd and ZooKeeper do; unless it is to stay.
type keys struct {
	servers []int         // as Client.Call knows them
	timeout time.Duration // how long to wait for one server
	local   bool          // reads are what one server knows, as in ZooKeeper; else they are linearizable, as in etcd
	stay    bool          // it goes on to no other server
	at      int           // the server that it speaks to, as an index into servers
	seen    uint64        // the latest revision that it has seen: a local read may not show less
}

// errNoAnswer is what a client knows of a request that a server could not answer.
var errNoAnswer = errors.New("no server could answer")

// ask asks one server.
func (k *keys) ask(c locks.Client, request any, timeout time.Duration) (*consensus.Reply, error) {
	reply, err := c.Call(k.servers[k.at], request, timeout)
	if r, ok := reply.(*consensus.Reply); ok && err == nil {
		k.seen = max(k.seen, r.Revision)
		return r, nil
	}
	if reply == consensus.ErrLease {
		return nil, locks.ErrSession
	}
	if !k.stay {
		k.at = (k.at + 1) % len(k.servers)
	}
	if err == nil {
		err = errNoAnswer
	}
	return nil, err
}

func (k *keys) Grant(c locks.Client, ttl time.Duration) (uint64, error) {
	r, err := k.ask(c, &consensus.Grant{TTL: ttl}, k.timeout)
	if err != nil {
		return 0, err
	}
	return r.Lease, nil
}

func (k *keys) KeepAlive(c locks.Client, session uint64) error {
	_, err := k.ask(c, &consensus.KeepAlive{Lease: session}, k.timeout)
	return err
}

// Create is etcd's transaction, or ZooKeeper's create and its getChildren in one.
func (k *keys) Create(c locks.Client, e locks.Key, sequential bool) (own locks.Key, v locks.View, err error) {
	put := consensus.Op{Do: consensus.Put, Key: e.Name, Lease: e.Session, Sequential: sequential}
	all := consensus.Op{Key: prefix(e.Name), Prefix: true}
	t := &consensus.Txn{Then: []consensus.Op{put, all}}
	if !sequential {
		t.If = []consensus.Compare{{Key: e.Name, Of: consensus.Create, Is: 0}}
		t.Else = []consensus.Op{{Key: e.Name}, all}
	}
	r, err := k.ask(c, t, k.timeout)
	if err != nil {
		return own, v, err
	}
	return keyOf(r.Results[0][0]), viewOf(r, r.Results[1]), nil
}

func (k *keys) List(c locks.Client, prefix string) (locks.View, error) {
	r, err := k.ask(c, &consensus.Read{
		Op: consensus.Op{Key: prefix, Prefix: true}, Local: k.local, Since: k.seen,
	}, k.timeout)
	if err != nil {
		return locks.View{}, err
	}
	return viewOf(r, r.Results[0]), nil
}

func (k *keys) Await(c locks.Client, prefix string, e locks.Key, since uint64, patience time.Duration) error {
	w := &consensus.Watch{Key: e.Name, Create: e.Created, Since: since}
	if e.Name == "" {
		w = &consensus.Watch{Key: prefix, Prefix: true, Since: since}
	}
	_, err := k.ask(c, w, patience)
	return err
}

func (k *keys) Delete(c locks.Client, e locks.Key) error {
	t := &consensus.Txn{Then: []consensus.Op{{Do: consensus.Delete, Key: e.Name}}}
	if e.Created != 0 {
		t.If = []consensus.Compare{{Key: e.Name, Of: consensus.Create, Is: e.Created}}
	}
	_, err := k.ask(c, t, k.timeout)
	return err
}

// prefix is what all keys of the same lock begin with.
func prefix(name string) string {
	for i := len(name); i > 0; i-- {
		if name[i-1] == '/' {
			return name[:i]
		}
	}
	return ""
}

func keyOf(k consensus.KeyValue) locks.Key {
	return locks.Key{Name: k.Key, Session: k.Lease, Created: k.Create}
}

func viewOf(r *consensus.Reply, found consensus.Result) locks.View {
	v := locks.View{Revision: r.Revision}
	for _, k := range found {
		v.Keys = append(v.Keys, keyOf(k))
	}
	return v
}
