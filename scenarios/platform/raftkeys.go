package platform

import (
	"errors"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim/consensus"
)

// Keys are one client's locks.Keys on the raft service. It speaks to one server at a time, and goes on to the next when
// an answer does not come, as the clients of etcd and ZooKeeper do; unless it is to stay.
type Keys struct {
	Servers []int         // as Client.Call knows them
	Timeout time.Duration // how long to wait for one server
	Stay    bool          // it goes on to no other server

	at   int    // the server that it speaks to, as an index into Servers
	seen uint64 // the latest revision that it has seen: a local read may not show less
}

// NewKeys returns those of a client. One that stays with one server has another than the next client.
func NewKeys(c *locks.Config, client int) *Keys {
	k := &Keys{Servers: c.Servers, Timeout: c.Timeout, Stay: c.Session.Stay}
	if k.Stay {
		k.at = client % len(c.Servers)
	}
	return k
}

// errNoAnswer is what a client knows of a request that a server could not answer.
var errNoAnswer = errors.New("no server could answer")

// ask asks one server.
func (k *Keys) ask(c locks.Client, request any, timeout time.Duration) (*consensus.Reply, error) {
	reply, err := c.Call(k.Servers[k.at], request, timeout)
	if r, ok := reply.(*consensus.Reply); ok && err == nil {
		k.seen = max(k.seen, r.Revision)
		return r, nil
	}
	if reply == consensus.ErrLease {
		return nil, locks.ErrSession
	}
	if !k.Stay {
		k.at = (k.at + 1) % len(k.Servers)
	}
	if err == nil {
		err = errNoAnswer
	}
	return nil, err
}

// Grant begins a session.
func (k *Keys) Grant(c locks.Client, ttl time.Duration) (uint64, error) {
	r, err := k.ask(c, &consensus.Grant{TTL: ttl}, k.Timeout)
	if err != nil {
		return 0, err
	}
	return r.Lease, nil
}

// KeepAlive gives the session its full TTL again.
func (k *Keys) KeepAlive(c locks.Client, session uint64) error {
	_, err := k.ask(c, &consensus.KeepAlive{Lease: session}, k.Timeout)
	return err
}

// Create is etcd's transaction, or ZooKeeper's create and its getChildren in one.
func (k *Keys) Create(c locks.Client, e locks.Key, sequential bool) (own locks.Key, v locks.View, err error) {
	put := consensus.Op{Do: consensus.Put, Key: e.Name, Lease: e.Session, Sequential: sequential}
	all := consensus.Op{Key: prefix(e.Name), Prefix: true}
	t := &consensus.Txn{Then: []consensus.Op{put, all}}
	if !sequential {
		t.If = []consensus.Compare{{Key: e.Name, Of: consensus.Create, Is: 0}}
		t.Else = []consensus.Op{{Key: e.Name}, all}
	}
	r, err := k.ask(c, t, k.Timeout)
	if err != nil {
		return own, v, err
	}
	return keyOf(r.Results[0][0]), viewOf(r, r.Results[1]), nil
}

// List reads all keys under a prefix.
func (k *Keys) List(c locks.Client, prefix string, local bool) (locks.View, error) {
	r, err := k.ask(c, &consensus.Read{
		Op: consensus.Op{Key: prefix, Prefix: true}, Local: local, Since: k.seen,
	}, k.Timeout)
	if err != nil {
		return locks.View{}, err
	}
	return viewOf(r, r.Results[0]), nil
}

// Await watches a key, or all keys under the prefix.
func (k *Keys) Await(c locks.Client, prefix string, e locks.Key, since uint64, patience time.Duration) error {
	w := &consensus.Watch{Key: e.Name, Create: e.Created, Since: since}
	if e.Name == "" {
		w = &consensus.Watch{Key: prefix, Prefix: true, Since: since}
	}
	_, err := k.ask(c, w, patience)
	return err
}

// Delete is a transaction: if the key has that create revision, delete it.
func (k *Keys) Delete(c locks.Client, e locks.Key) error {
	t := &consensus.Txn{Then: []consensus.Op{{Do: consensus.Delete, Key: e.Name}}}
	if e.Created != 0 {
		t.If = []consensus.Compare{{Key: e.Name, Of: consensus.Create, Is: e.Created}}
	}
	_, err := k.ask(c, t, k.Timeout)
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
