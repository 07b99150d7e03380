package scenarios

import (
	"fmt"
	"strings"
)

// marks are all that clients pass, and when. Faults that are drawn strike at the first of them, and their order decides which.
var marks = [...]struct{ name, when string }{
	{"acquired", "it has the lock"},
	{"asking", "an attempt begins: it is about to ask the servers for the lock"},
	{"answered", "it has the answers, before it looks at its clock"},
	{"read", "it has read the resource"},
	{"before-check", "its work is done, before it looks whether its validity has passed (work.recheck)"},
	{"before-write", "it is about to send its write"},
	{"wrote", "storage has acknowledged its write"},
	{"before-release", "it is about to release the lock"},
	{"released", "its release is over"},
	{"between", "it is between the two steps of a lock that takes or frees a key in two"},
	{"quorum", "votes suffice, where they are counted one by one (lock.counted)"},
	{"extending", "it is about to extend the lock"},
	{"extension-answered", "it has the answers to an extension"},
	{"checked", "storage has answered whether it would take the write (fencing.atomic)"},
	{"gave-up", "it has given up its write, because its validity has passed"},
	{"waiting", "it begins to wait for a message that wakes it (Redisson)"},
	{"taken", "the master has its key, before it waits for replicas (lock.failover.wait)"},
	{"queued", "its key is in the queue (etcd, ZooKeeper)"},
	{"woken", "it wakes in the queue, and looks again"},
	{"keep-alive", "it is about to send a keep-alive of its session"},
	{"counted", "it has a fencing token, before that is written back to a majority of counters"},
}

// strikingMarks is how many of the marks faults that are drawn strike at. The others are for schedules that a person writes.
const strikingMarks = 13

// allMarks are the names of all marks.
var allMarks = markNames(len(marks))

func markNames(n int) (names []string) {
	for _, m := range marks[:n] {
		names = append(names, m.name)
	}
	return names
}

// MarkLines describes all marks that clients may pass, a line for each.
func MarkLines() string {
	var b strings.Builder
	for _, m := range marks {
		fmt.Fprintf(&b, "    %-18s  %s\n", m.name, m.when)
	}
	return b.String()
}
