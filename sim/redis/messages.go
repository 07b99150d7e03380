package redis

import "fmt"

// The texts of the messages between members of a group and their observer, for a trace.

// String describes the request.
func (q psync) String() string { return fmt.Sprintf("PSYNC %s %d", q.id, q.offset) }

// String describes what the feed brings.
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

// String returns the replica's offset.
func (a ack) String() string { return fmt.Sprintf("ACK %d", a.offset) }

// String describes the message.
func (reset) String() string { return "reset" }

// String describes the message.
func (Ping) String() string { return "PING" }

// String returns the node's role and offset.
func (p Pong) String() string {
	if p.Leader < 0 {
		return fmt.Sprintf("master at %d", p.Offset)
	}
	return fmt.Sprintf("replica at %d", p.Offset)
}
