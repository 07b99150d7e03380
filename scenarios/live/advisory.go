package live

import (
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
)

// Adapters take PostgreSQL's advisory lock, which a session holds until it releases it or ends. Here it is watched.

// holders asks who has it: by the name that the session goes by, which is its client's token.
const holders = `SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE l.locktype = 'advisory' AND l.granted`

// watch asks it again and again, until the run is over. It runs in a goroutine of its own.
func (d *database) watch() {
	var c *pgConn
	for ; !d.isOver(); time.Sleep(lookEvery) {
		if c == nil {
			c, _ = dialPostgres("unix", d.socket(), func(*pgConn) {}) // there is none while the server is off
			continue
		}
		v := view{sent: d.run.now()}
		a, err := c.query(holders)
		if err != nil {
			c = nil
			continue
		}
		if v.got = d.run.now(); len(a.rows) > 0 {
			v.key = a.rows[0][0]
		}
		d.run.act(func() { d.noteHolder(v) })
	}
}

// noteHolder notes who had the lock. What the server forgot when it was off has been noted then.
func (d *database) noteHolder(v view) {
	d.advisory.note(v)
	if v.sent > d.stopped {
		d.advisory.vanished = checker.Ending{Client: -1, Strike: -1}
	}
}

func (d *database) seen(after clock.Instant) bool { return d.advisory.seen(after) }

func (d *database) freed(token string, by int, sent clock.Instant) {
	d.advisory.delete(token, deletion{d.run.clientAt(by), sent})
}

// advisoryKeys appends the lives of the lock. One that lasts has no end.
func (d *database) advisoryKeys(to []checker.Span, wide bool) []checker.Span {
	lives := slices.Clone(d.advisory.lives)
	for i := range lives {
		lives[i].endless = lives[i].to == clock.Forever
	}
	return serviceSpans(to, lives, wide)
}
