package locks

import (
	"errors"
	"time"
)

// Keys is what a recipe asks of a coordination service such as etcd or ZooKeeper: keys that hang on sessions, in the
// order in which they came to be. An error that is not ErrSession tells nothing: what was asked for may have been done,
// or may yet be.
type Keys interface {
	Sessions
	// Create makes a key. One that is not sequential and is there already stays as it is. The view has all keys under
	// the same prefix, at the moment of creation.
	Create(c Client, k Key, sequential bool) (own Key, v View, err error)
	// List returns all keys under a prefix: those that one server knows of if local is true, as in ZooKeeper, else those of
	// a linearizable read, as in etcd.
	List(c Client, prefix string, local bool) (View, error)
	// Await returns once a key is no more; or, if it has no name, once any key under the prefix has come or gone. Both since a
	// revision. It waits for so long, and then gives an error.
	Await(c Client, prefix string, k Key, since uint64, patience time.Duration) error
	// Delete deletes a key, if it is there. One without a revision stands for whichever has the name.
	Delete(c Client, k Key) error
}

// Sessions is how a service knows that a client is alive.
type Sessions interface {
	// Grant begins a session, and names it.
	Grant(c Client, ttl time.Duration) (session uint64, err error)
	// KeepAlive gives the session its full TTL again.
	KeepAlive(c Client, session uint64) error
}

// ErrSession is what a service says that has ended a session.
var ErrSession = errors.New("the session is no more")

// A Key is one entry of the service.
type Key struct {
	Name    string
	Session uint64 // the session that it hangs on, and goes with
	Created uint64 // the revision at which it came to be: etcd's create revision, ZooKeeper's czxid
}

// A View is what a service shows: keys in the order in which they came to be, and the revision at which it was so.
type View struct {
	Revision uint64
	Keys     []Key
}

// before gives the key that came to be just before another, and whether that other is there. A key without a name means
// that it is the first.
func (v View) before(own Key) (k Key, there bool) {
	for _, o := range v.Keys {
		switch {
		case o.Name == own.Name && o.Created == own.Created:
			there = true
		case o.Created < own.Created:
			k = o
		}
	}
	return k, there
}
