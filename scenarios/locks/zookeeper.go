package locks

import (
	"errors"
	"strings"
)

// NewZooKeeper makes one client's lock by the recipe of ZooKeeper's documentation, "Locks":
//
//  1. Create a node "lock/guid-" with the flags sequence and ephemeral. The guid is there for a create whose answer is
//     lost: the client looks among the children for a node with its guid before it creates another.
//  2. Get the children of the lock's node, without setting a watch: that avoids the herd.
//  3. If the node of step 1 has the lowest number, the client holds the lock.
//  4. Watch the node with the next lower number.
//  5. If there is none, go to step 2; otherwise wait for the notification, and then go to step 2.
//
// Numbers rise in the order of creation, so that is the order of the queue; a node's czxid is the fencing token. Step 2
// reads what one server knows, which may be old, but never older than what the client has seen: a node that is gone
// stays gone, and the client's own is in every view. The view may miss that the client's own is gone since; so a client
// also checks its clock before it takes itself for the holder.
func NewZooKeeper(c Config) *Queue { return newQueue(c, true, (*Queue).enterZooKeeper) }

// ZooKeeperProtocol is the protocol of NewZooKeeper.
var ZooKeeperProtocol = Protocol{
	Name: "zookeeper", New: making(NewZooKeeper), Options: append([]string{"session.own_node"}, queueOptions...),
	Counts:  always,
	Attempt: queueAttempt,
}

func (q *Queue) enterZooKeeper(c Client) (own Key, v View, err error) {
	guid := c.Token()
	k := Key{Name: q.prefix + guid + "-", Session: q.id}
	for range max(q.Tries, 1) {
		if own, v, err = q.keys.Create(c, k, true); err == nil || errors.Is(err, ErrSession) {
			return own, v, err
		}
		if q.OwnNode {
			return q.find(c, guid, err)
		}
		// Create another node, though the first may be there: then that comes before this one, and the client waits for
		// itself.
	}
	return Key{}, v, err
}

// find looks for the node of a create whose answer was lost. A node that is not there may still be created late. So the
// client does not create another, but fails.
func (q *Queue) find(c Client, guid string, lost error) (Key, View, error) {
	for range max(q.Tries, 1) {
		v, err := q.keys.List(c, q.prefix, q.local)
		if err != nil {
			continue
		}
		for _, k := range v.Keys {
			if strings.Contains(k.Name, guid) {
				return k, v, nil
			}
		}
	}
	return Key{}, View{}, lost
}
