package storage

import "github.com/lockstorm/lockstorm/sim"

// Digest adds both registers. The writes that made them are on record, and storage does not look at them.
func (s *Store) Digest(d *sim.Digest, lane int) {
	s.state.Digest(d, lane)
	d.Add(lane, s.highest)
	d.Text(lane, s.latest)
}

// Digest adds both versions.
func (s State) Digest(d *sim.Digest, lane int) {
	refused := uint64(0)
	if s.Refused {
		refused = 1
	}
	d.Add(lane, s.Plain, s.Fenced, refused)
}

// Digest adds what a client shows.
func (p Pass) Digest(d *sim.Digest, lane int) {
	d.Add(lane, p.Fence)
	d.Text(lane, p.Token)
}

// Digest adds the write, but for the number by which the record knows it.
func (w *Write) Digest(d *sim.Digest, lane int) {
	w.Pass.Digest(d, lane)
	d.Add(lane, uint64(w.Client))
	w.Base.Digest(d, lane)
	if w.Asked {
		d.Add(lane, 1)
	}
}
