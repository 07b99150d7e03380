package redis

import (
	"slices"
	"strings"
)

// refusals are the errors with which a node answers while its host refuses, by their first words.
var refusals = map[string]Error{
	"READONLY": "READONLY You can't write against a read only replica.",
	"OOM":      "OOM command not allowed when used memory > 'maxmemory'.",
	"MISCONF": "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk. " +
		"Commands that may modify the data set are disabled, because this instance is configured to report errors " +
		"during writes if RDB snapshotting fails (stop-writes-on-bgsave-error option). Please check the Redis logs " +
		"for details about the RDB error.",
	"LOADING":     "LOADING Redis is loading the dataset in memory",
	"BUSY":        "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
	"CLUSTERDOWN": "CLUSTERDOWN The cluster is down",
}

// refusal returns the error with which the node answers a command while its host refuses; "" if it carries it out. The
// errors about writes also end a script at its first write.
func (n *Node) refusal(command string) Error {
	n.bar = ""
	reasons := n.host.Refusals()
	if len(reasons) == 0 {
		return ""
	}
	name := strings.ToUpper(command)
	for _, why := range reasons {
		switch why {
		case "NOSCRIPT":
			n.scripts = n.scripts[:0] // again and again, so that no script is found
		case "READONLY", "OOM", "MISCONF":
			n.bar = refusals[why]
		default:
			if name != "RECEIVE" { // it is not a command: it waits for a message
				return refusals[why]
			}
		}
	}
	if n.barred(name) {
		return n.bar
	}
	return ""
}

// barred reports whether a command, by its name in capitals, is refused because no write is carried out now. A full
// memory refuses only what may need more.
func (n *Node) barred(name string) bool {
	return n.bar != "" && n.writes(name) && (n.bar != refusals["OOM"] || !slices.Contains(frugal, name))
}

// frugal are the commands on keys of locks that Redis does not flag as denyoom, though they write.
var frugal = []string{
	"DEL", "EXPIRE", "EXPIREAT", "GETDEL", "GETEX", "HDEL", "LPOP", "LREM", "LTRIM", "PERSIST", "PEXPIRE", "PEXPIREAT",
	"RENAME", "RPOP", "SREM", "UNLINK", "ZREM", "ZREMRANGEBYSCORE",
}

// Evict removes every key that has a deadline, as a maxmemory policy for such keys may do.
func (n *Node) Evict() {
	n.Settle()
	for len(n.lives) > 0 {
		key := n.lives[0].key
		n.mini.Del(key)
		n.forget(key)
		n.keep(entry{args: []string{"DEL", key}})
		n.logged()
	}
	why := ended(Evicted)
	why.Blamed = n.host.World().Blamed()
	n.look(why)
}
