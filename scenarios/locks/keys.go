package locks

import (
	"errors"
	"time"
)

// Keys is what a recipe asks of a coordination service such as etcd or ZooKeeper: keys under sessions, in the order of their
// creation. An error that is not ErrSession leaves the outcome open: what was asked for may have been done, or may be done
// later.
type Keys interface {
	Sessions
	// Create creates a key. One that is not sequential and exists already stays as it is. The view has all keys under the
	// same prefix, at the moment of creation.
	Create(c Client, k Key, sequential bool) (own Key, v View, err error)
	// List returns all keys under a prefix: those that one server knows of if local is true, as in ZooKeeper, else those of
	// a linearizable read, as in etcd.
	List(c Client, prefix string, local bool) (View, error)
	// Await returns once a key is gone; or, if it has no name, once any key under the prefix was created or deleted. Both since a
	// revision. When the patience is over it returns an error.
	Await(c Client, prefix string, k Key, since uint64, patience time.Duration) error
	// Delete deletes a key, if it is there. Without a revision it deletes whichever key has the name.
	Delete(c Client, k Key) error
}

// Sessions are how a service knows that a client is alive.
type Sessions interface {
	// Grant begins a session, and returns its ID.
	Grant(c Client, ttl time.Duration) (session uint64, err error)
	// KeepAlive resets the session to its full TTL.
	KeepAlive(c Client, session uint64) error
}

// ErrSession is the answer of a service that has ended the session.
var ErrSession = errors.New("the session is no more")

// A Key is one entry of the service.
type Key struct {
	Name    string
	Session uint64 // the session that it ends with
	Created uint64 // the revision of its creation: etcd's create revision, ZooKeeper's czxid
}

// A View is what a service shows: keys in the order of their creation, and the revision of the view.
type View struct {
	Revision uint64
	Keys     []Key
}

// before returns the key that was created just before another, and whether that other is there. If that is the first, the
// key has no name.
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
