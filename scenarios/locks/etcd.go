package locks

import (
	"errors"
	"strconv"
)

// NewEtcd makes one client's lock by the recipe of etcd's package concurrency, its Mutex. The key is named for the
// session, so a client has one at a time, and it is put by a transaction: if its create revision is 0, put it, under
// the session's lease; else it is there already. The keys under the lock's prefix are ordered by their create
// revisions: the first one's client holds the lock, and each other one waits for the key before its own to be deleted.
// The create revision of the key is the fencing token, for no later contender has a smaller one.
func NewEtcd(c Config) *Queue { return newQueue(c, false, (*Queue).enterEtcd) }

// EtcdProtocol is the protocol of NewEtcd.
var EtcdProtocol = Protocol{Name: "etcd", New: making(NewEtcd), Options: queueOptions, Counts: always,
	Attempt: queueAttempt}

// Where this differs from etcd's recipe: the recipe deletes the key by its name, which the client's next key has, too;
// so a late delete of an earlier hold frees what was granted since (etcd's issue 22082; SessionRules.Compare). And a
// late put creates a key that no client knows of (SessionRules.GiveUp).

// enterEtcd puts the key. While the key is there a second put changes nothing, so it can be tried again.
func (q *Queue) enterEtcd(c Client) (own Key, v View, err error) {
	k := Key{Name: q.prefix + strconv.FormatUint(q.id, 16), Session: q.id}
	for range max(q.Tries, 1) {
		if own, v, err = q.keys.Create(c, k, false); err == nil || errors.Is(err, ErrSession) {
			return own, v, err
		}
		q.unsure = true
	}
	return Key{}, v, err
}
