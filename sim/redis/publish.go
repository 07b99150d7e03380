package redis

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/sim"
)

// A subscriber is a connection's subscription to one channel.
type subscriber struct {
	conn    sim.Conn
	channel string
	kept    []string   // messages that wait for the next RECEIVE
	ask     sim.Ask    // the RECEIVE that waits for the next message
	waiting bool       // there is one
	timer   *sim.Timer // ends the wait; nil for no limit
}

// speak carries out the commands of publishing, by their names in capitals. They are not logged, and lost with the
// node.
func (n *Node) speak(name string, args []string) any {
	switch {
	case name == "PUBLISH" && len(args) == 3:
		return n.publish(args[1], args[2])
	case n.replaying:
		return nil
	case name == "SUBSCRIBE" && len(args) == 2:
		return n.subscribe(args[1])
	case name == "UNSUBSCRIBE" && len(args) <= 2:
		return n.unsubscribe(args[1:])
	case name == "RECEIVE" && (len(args) == 2 || len(args) == 3):
		return n.receive(args[1], args[2:])
	}
	return arity(strings.ToLower(name))
}

// subscriber returns the index of a connection's subscription; -1 if it has none.
func (n *Node) subscriber(c sim.Conn, channel string) int {
	return slices.IndexFunc(n.subscribers, func(s *subscriber) bool { return s.conn == c && s.channel == channel })
}

// subscribe is SUBSCRIBE channel.
func (n *Node) subscribe(channel string) any {
	c := n.host.Asking().Conn()
	if n.subscriber(c, channel) < 0 {
		n.subscribers = append(n.subscribers, &subscriber{conn: c, channel: channel})
	}
	return []any{"subscribe", channel, n.subscriptions(c)}
}

// subscriptions returns the number of channels that a connection has subscribed to.
func (n *Node) subscriptions(c sim.Conn) (count int64) {
	for _, s := range n.subscribers {
		if s.conn == c {
			count++
		}
	}
	return count
}

// unsubscribe is UNSUBSCRIBE [channel]: without a channel, from all.
func (n *Node) unsubscribe(channel []string) any {
	c := n.host.Asking().Conn()
	n.subscribers = slices.DeleteFunc(n.subscribers, func(s *subscriber) bool {
		return s.conn == c && (len(channel) == 0 || s.channel == channel[0])
	})
	if len(channel) == 0 {
		return []any{"unsubscribe", nil, int64(0)}
	}
	return []any{"unsubscribe", channel[0], n.subscriptions(c)}
}

// publish sends a message to all subscribers of the channel, also on replicas.
func (n *Node) publish(channel, message string) (receivers int64) {
	if n.replaying {
		return 0
	}
	if n.member != nil && n.member.isMaster() {
		n.member.emit(change{channel: channel, value: message})
	}
	return n.spread(channel, message)
}

func (n *Node) spread(channel, message string) (receivers int64) {
	n.subscribers = slices.DeleteFunc(n.subscribers, func(s *subscriber) bool { return !s.conn.Open() })
	for _, s := range n.subscribers {
		if s.channel != channel {
			continue
		}
		receivers++
		if s.waiting {
			n.give(s, news(channel, message))
		} else {
			s.kept = append(s.kept, message)
		}
	}
	return receivers
}

func news(channel, message string) any { return []any{"message", channel, message} }

func (n *Node) give(s *subscriber, reply any) {
	if s.waiting = false; s.timer != nil {
		s.timer.Stop()
	}
	n.host.Answer(s.ask, reply)
}

// receive is RECEIVE channel [milliseconds]: the next message, or nil after that time.
func (n *Node) receive(channel string, limit []string) any {
	i := n.subscriber(n.host.Asking().Conn(), channel)
	if i < 0 {
		return Error("NOSUB This connection has not subscribed to the channel. Please use SUBSCRIBE.")
	}
	s := n.subscribers[i]
	wait, wrong := patience(limit)
	switch {
	case wrong != nil:
		return wrong
	case s.waiting:
		return Error("ERR another RECEIVE of this channel is waiting on this connection")
	case len(s.kept) > 0:
		message := s.kept[0]
		s.kept = s.kept[1:]
		return news(channel, message)
	}
	s.ask, s.waiting, s.timer = n.host.Asking(), true, nil
	if wait > 0 {
		s.timer = n.host.After(wait, func() { n.give(s, nil) })
	}
	return sim.Later
}

// patience reads how long to wait; 0 for no limit.
func patience(limit []string) (d time.Duration, wrong any) {
	if len(limit) == 0 {
		return 0, nil
	}
	v, err := strconv.ParseInt(limit[0], 10, 64)
	switch {
	case err != nil:
		return 0, Error("ERR timeout is not an integer or out of range")
	case v < 0:
		return 0, Error("ERR timeout is negative")
	case v > int64(lifeMax/time.Millisecond):
		return 0, Error("ERR timeout is out of range")
	}
	return time.Duration(v) * time.Millisecond, nil
}
