package redis

import (
	"slices"
	"strings"
)

// A change is what a command did to one key: the new state of the key. Redis sends its replicas SET … PXAT, INCR, DEL
// or the commands of a script; here they get the result. A change with a channel is a message.
type change struct {
	key     string
	made    []string // the command that creates it; nil if it is gone
	more    [][]string
	end     int64 // its deadline; never for none
	channel string
	value   string // the message
}

// is reports whether two states of a key are equal.
func (c *change) is(o *change) bool {
	return c.key == o.key && c.end == o.end && slices.Equal(c.made, o.made) &&
		slices.EqualFunc(c.more, o.more, slices.Equal)
}

// state returns a key's present state. Hyperloglogs and the consumer groups of streams are not supported.
func (n *Node) state(key string) change {
	c := change{key: key, end: n.end(key)}
	switch n.mini.Type(key) {
	case "string":
		value, _ := n.mini.Get(key)
		c.made = []string{"SET", key, value}
	case "hash":
		c.made = append([]string{"HSET", key}, n.list("HGETALL", key)...)
	case "list":
		c.made = append([]string{"RPUSH", key}, n.list("LRANGE", key, "0", "-1")...)
	case "set":
		c.made = append([]string{"SADD", key}, n.list("SMEMBERS", key)...)
	case "zset":
		c.made = append([]string{"ZADD", key}, paired(n.list("ZRANGE", key, "0", "-1", "WITHSCORES"))...)
	case "stream":
		c.more = n.entries(key)
	}
	return c
}

// list returns the reply of a command as a list of strings.
func (n *Node) list(command ...string) (texts []string) {
	reply, _ := n.ask(n.peer, command...).([]any)
	for _, e := range reply {
		texts = append(texts, e.(string))
	}
	return texts
}

// paired returns each score before its member, as ZADD takes them.
func paired(members []string) []string {
	for i := 0; i+1 < len(members); i += 2 {
		members[i], members[i+1] = members[i+1], members[i]
	}
	return members
}

// entries returns the commands that create a stream.
func (n *Node) entries(key string) (commands [][]string) {
	reply, _ := n.ask(n.peer, "XRANGE", key, "-", "+").([]any)
	for _, e := range reply {
		entry := e.([]any)
		command := []string{"XADD", key, entry[0].(string)}
		for _, word := range entry[1].([]any) {
			command = append(command, word.(string))
		}
		commands = append(commands, command)
	}
	return commands
}

// states returns the present states of the keys that a command may touch, except keys with nothing to copy.
func (n *Node) states(args []string) (all []change) {
	keys := n.mini.Keys()
	if slices.Contains(single, args[0]) && len(args) > 1 && (args[0] != "DEL" || len(args) == 2) {
		keys = args[1:2]
	}
	for _, key := range keys {
		if c := n.state(key); len(c.made) > 2 || len(c.more) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// single are common commands that touch only their first argument.
var single = []string{"SET", "SETNX", "DEL", "PEXPIRE", "INCR"}

// differ returns what has changed between two lists of states, in the order of the keys.
func differ(before, after []change) (changes []change) {
	for i, j := 0, 0; i < len(before) || j < len(after); {
		var order int
		switch {
		case i == len(before):
			order = 1
		case j == len(after):
			order = -1
		default:
			order = strings.Compare(before[i].key, after[j].key)
		}
		if order < 0 {
			changes = append(changes, change{key: before[i].key, end: never})
		} else if order > 0 || !before[i].is(&after[j]) {
			changes = append(changes, after[j])
		}
		if order <= 0 {
			i++
		}
		if order >= 0 {
			j++
		}
	}
	return changes
}

func (n *Node) become(c *change) {
	n.mini.Del(c.key)
	n.forget(c.key)
	if len(c.made) == 3 && c.made[0] == "SET" {
		_ = n.mini.Set(c.key, c.made[2]) // the key is free
	} else if len(c.made) > 2 {
		n.ask(n.peer, c.made...)
	}
	for _, command := range c.more {
		n.ask(n.peer, command...)
	}
	if c.end != never && n.mini.Exists(c.key) {
		n.setDeadline(c.key, c.end)
	}
}

// writes reports whether a command, by its name in capitals, can change data.
func (n *Node) writes(name string) bool {
	return n.offers(name) && !n.srv.IsReadOnlyCommand(name) && !slices.Contains(harmless, name)
}

// harmless are commands that change no data, although miniredis doesn't mark them as read-only.
var harmless = []string{"ECHO", "EVAL", "EVALSHA", "PING", "PUBLISH", "SCRIPT", "SUBSCRIBE", "TIME", "UNSUBSCRIBE"}
