package consensus

import (
	"slices"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

// A disk is what a server keeps when it goes off: the log, raft's hard state and the latest snapshot. Written data
// survives a crash of the process; only synced data survives a loss of power. It is raft's Storage.
type disk struct {
	written image
	synced  image
}

// An image is the contents of a disk. Its parts may be shared, so they are only replaced, never changed.
type image struct {
	hard  *pb.HardState
	snap  *pb.Snapshot
	first uint64 // the index of the first entry of the log
	term  uint64 // the term of the entry before it
	log   []*pb.Entry
}

// format resets the disk to the state of a group of n servers that has agreed only on its members. A snapshot has them,
// so that no entry of the log is about them.
func (d *disk) format(n int) {
	members := make([]uint64, n)
	for i := range members {
		members[i] = uint64(i + 1)
	}
	hard := &pb.HardState{Term: new(uint64(1)), Vote: new(uint64(0)), Commit: new(uint64(1))}
	d.written = image{hard: hard, first: 2, term: 1, log: d.written.log[:0]}
	d.written.snap = snapshot(1, 1, &pb.ConfState{Voters: members}, nil)
	d.synced = image{}
	d.sync()
}

// snapshot returns a snapshot of the state up to an index of the log.
func snapshot(index, term uint64, members *pb.ConfState, data []byte) *pb.Snapshot {
	m := &pb.SnapshotMetadata{Index: new(index), Term: new(term), ConfState: members}
	return &pb.Snapshot{Data: data, Metadata: m}
}

// sync makes written data survive a loss of power.
func (d *disk) sync() { d.synced = d.written }

// lose drops what was not synced.
func (d *disk) lose() {
	d.written = d.synced
	d.written.log = slices.Clip(d.written.log) // messages on their way may still share the lost part
}

// write stores what raft wants to keep.
func (d *disk) write(r *raft.Ready) {
	if !raft.IsEmptySnap(r.Snapshot) {
		m := r.Snapshot.Metadata
		d.written.snap, d.written.log, d.written.first, d.written.term = r.Snapshot, nil, m.GetIndex()+1, m.GetTerm()
	}
	if !raft.IsEmptyHardState(r.HardState) {
		d.written.hard = r.HardState
	}
	if len(r.Entries) > 0 {
		d.append(r.Entries)
	}
}

// append appends entries to the log, and replaces what it has from there on. An older image shares the log's memory,
// and keeps what is replaced.
func (d *disk) append(entries []*pb.Entry) {
	w := &d.written
	keep := entries[0].GetIndex() - w.first
	if keep < uint64(len(w.log)) {
		w.log = slices.Clone(w.log[:keep])
	}
	w.log = append(w.log, entries...)
}

// snapshot replaces the log up to an index by a snapshot, except the last few entries, so that servers that are a
// little behind need no snapshot.
func (d *disk) snapshot(s *pb.Snapshot, few uint64) {
	w, index := &d.written, s.GetMetadata().GetIndex()
	w.snap = s
	if w.hard.GetCommit() < index { // raft wants no snapshot beyond it
		w.hard = &pb.HardState{Term: w.hard.Term, Vote: w.hard.Vote, Commit: new(index)}
	}
	if to := index - min(few, index); to > w.first {
		w.term = w.log[to-1-w.first].GetTerm()
		w.log = slices.Clone(w.log[to-w.first:])
		w.first = to
	}
}

// InitialState is part of raft's Storage.
func (d *disk) InitialState() (*pb.HardState, *pb.ConfState, error) {
	return d.written.hard, d.written.snap.Metadata.ConfState, nil
}

// Entries is part of raft's Storage.
func (d *disk) Entries(lo, hi, _ uint64) ([]*pb.Entry, error) {
	w := &d.written
	switch {
	case lo < w.first:
		return nil, raft.ErrCompacted
	case hi > w.first+uint64(len(w.log)):
		return nil, raft.ErrUnavailable
	}
	return slices.Clip(w.log[lo-w.first : hi-w.first]), nil
}

// Term is part of raft's Storage.
func (d *disk) Term(i uint64) (uint64, error) {
	w, snap := &d.written, d.written.snap.GetMetadata()
	switch {
	case i == snap.GetIndex():
		return snap.GetTerm(), nil
	case i+1 == w.first:
		return w.term, nil
	case i < w.first:
		return 0, raft.ErrCompacted
	case i >= w.first+uint64(len(w.log)):
		return 0, raft.ErrUnavailable
	}
	return w.log[i-w.first].GetTerm(), nil
}

// LastIndex is part of raft's Storage.
func (d *disk) LastIndex() (uint64, error) {
	return d.written.first + uint64(len(d.written.log)) - 1, nil
}

// FirstIndex is part of raft's Storage.
func (d *disk) FirstIndex() (uint64, error) { return d.written.first, nil }

// Snapshot is part of raft's Storage.
func (d *disk) Snapshot() (*pb.Snapshot, error) { return d.written.snap, nil }
