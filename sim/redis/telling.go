package redis

import "fmt"

// What members of a group, and their observer, tell each other, in a few words for those who read a trace.

// String says what is asked for.
func (q psync) String() string { return fmt.Sprintf("PSYNC %s %d", q.id, q.offset) }

// String says what is brought.
func (f feed) String() string {
	switch {
	case f.full:
		return fmt.Sprintf("all data, at %d", f.at)
	case f.sync:
		return fmt.Sprintf("go on with %s from %d", counted(len(f.changes)), f.at)
	case len(f.changes) > 0:
		return fmt.Sprintf("%s from %d", counted(len(f.changes)), f.at)
	case f.ask:
		return fmt.Sprintf("GETACK at %d", f.at)
	}
	return fmt.Sprintf("beat at %d", f.at)
}

func counted(changes int) string {
	if changes == 1 {
		return "1 change"
	}
	return fmt.Sprintf("%d changes", changes)
}

// String says how far the replica has come.
func (a ack) String() string { return fmt.Sprintf("ACK %d", a.offset) }

// String says that there is no connection.
func (reset) String() string { return "reset" }

// String says what a ping is.
func (ping) String() string { return "PING" }

// String says how the node is.
func (p pong) String() string {
	if p.leader < 0 {
		return fmt.Sprintf("master at %d", p.offset)
	}
	return fmt.Sprintf("replica at %d", p.offset)
}
