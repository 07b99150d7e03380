package consensus

import "time"

// A Config configures the service. The zero value has the figures of etcd.
type Config struct {
	Heartbeat time.Duration // how often the leader sends a heartbeat; 0: 100ms
	Election  time.Duration // how long a server waits for the leader before it stands for election, and up to once more as long, drawn anew each time; 0: 1s
	Snapshot  int           // how many entries of the log are applied before they are put into a snapshot; 0: 1,000
	Few       int           // how many entries the log keeps behind a snapshot, for servers that are a little behind; 0: 100
	Prefix    string        // of the keys of which Spans records the first; empty for none
	Flaws     Flaws
}

// Flaws are rules of the service that can be broken, to test what finds it. The zero value breaks none.
type Flaws struct {
	LocalReads  bool // linearizable reads are answered from what the server has applied, without asking the others
	Eager       bool // the leader answers a write when it is proposed, before a majority has it
	Unsynced    bool // nothing is synced to disk before it is promised: a loss of power loses all since the last clean shutdown
	Amnesia     bool // the disk is empty after every restart
	Unconfirmed bool // the leader keeps leases alive without asking a majority whether it still leads, as etcd did until its issue 15247
}

// forgets reports whether a disk may lack what its server has promised to keep.
func (f Flaws) forgets() bool { return f.Unsynced || f.Amnesia }

func (c Config) withDefaults() Config {
	orElse := func(d *time.Duration, standard time.Duration) {
		if *d <= 0 {
			*d = standard
		}
	}
	orElse(&c.Heartbeat, 100*time.Millisecond)
	orElse(&c.Election, time.Second)
	if c.Snapshot <= 0 {
		c.Snapshot = 1000
	}
	if c.Few <= 0 {
		c.Few = 100
	}
	return c
}

// late is how old a request may be that waited for a leader: as in etcd, 5s and two election timeouts. Its sender has given
// up by then.
func (c Config) late() time.Duration { return 5*time.Second + 2*c.Election }

// retry is how long a server waits for the answer to a read index before it asks again, as in etcd.
const retry = 500 * time.Millisecond
