package sql

import (
	"database/sql/driver"
	"fmt"
	"math"

	"github.com/lockstorm/lockstorm/sim/storage"
)

// A transaction is the one in progress, with what it has written so far.
type transaction struct {
	*connection // nil when there is none
	config      *Config
	written     []storage.Update
}

// carry carries out a request of package storage.
func (t *transaction) carry(request any) (reply any, err error) {
	switch r := request.(type) {
	case storage.Read:
		return t.read(r)
	case storage.Ask:
		return t.ask(r)
	case *storage.Write:
		return t.write(r)
	}
	panic(fmt.Sprintf("sql: %T is not a request of package storage", request))
}

// read gives the versions. A reader that comes too late is told so.
func (t *transaction) read(r storage.Read) (storage.State, error) {
	passed, err := t.mark(r.Pass)
	if err != nil {
		return storage.State{}, err
	}
	row, err := t.do(read)
	if err != nil {
		return storage.State{}, err
	}
	s := storage.State{Plain: version(row[0]), Fenced: version(row[1]), Refused: !passed}
	if s.Refused {
		s.Fenced = 0
	}
	return s, nil
}

// mark notes the pass of a read, where reads mark, and tells whether it passed.
func (t *transaction) mark(p storage.Pass) (passed bool, err error) {
	switch {
	case !t.config.ReadsMark || t.config.Optimistic:
		return true, nil
	case t.config.Check == storage.Equality:
		return t.affects(markEqual, p.Token)
	}
	fence, err := bigint(p.Fence)
	if err != nil {
		return false, err
	}
	return t.affects(markFenced, fence)
}

// ask tells whether a pass is good for a write.
func (t *transaction) ask(r storage.Ask) (bool, error) {
	switch {
	case t.config.Optimistic:
		return false, Error("feature_not_supported: versions decide, and a pass has none to ask about")
	case t.config.Check == storage.Equality:
		return t.affects(admitEqual, r.Token)
	}
	fence, err := bigint(r.Fence)
	if err != nil {
		return false, err
	}
	return t.affects(admitFenced, fence)
}

// affects carries out a statement, and tells whether it found the row.
func (t *transaction) affects(s statement, args ...driver.Value) (bool, error) {
	row, err := t.do(s, args...)
	return row != nil, err
}

// write writes both registers, and tells which versions that made.
func (t *transaction) write(w *storage.Write) (storage.State, error) {
	plain, err := t.do(write, int64(w.Op))
	if err != nil {
		return storage.State{}, err
	}
	made := storage.State{Plain: version(plain[0])}
	guarded, err := t.guarded(w)
	if err != nil {
		return storage.State{}, err
	}
	if made.Refused = guarded == nil; !made.Refused {
		made.Fenced = version(guarded[0])
	}
	t.written = append(t.written, storage.Update{Write: *w, Made: made})
	return made, nil
}

// guarded writes the guarded register; no row is a refusal.
func (t *transaction) guarded(w *storage.Write) (row []driver.Value, err error) {
	fence, err := bigint(w.Fence)
	if err != nil {
		return nil, err
	}
	base, err := bigint(w.Base.Fenced)
	if err != nil {
		return nil, err
	}
	op := int64(w.Op)
	switch {
	case w.Asked:
		return t.do(writeAsked, op, fence, w.Token)
	case t.config.Optimistic:
		return t.do(writeVersion, op, base)
	case t.config.Check == storage.Equality:
		return t.do(writeEqual, op, w.Token)
	}
	return t.do(writeFenced, op, fence)
}

// bigint is how SQL holds an integer.
func bigint(n uint64) (int64, error) {
	if n > math.MaxInt64 {
		return 0, Error(fmt.Sprintf("numeric_value_out_of_range: %d is more than a bigint holds, %d at most", n, math.MaxInt64))
	}
	return int64(n), nil
}

// version reads a version as the engine gives it: the column is strict, so it is nothing else.
func version(v driver.Value) uint64 { return uint64(v.(int64)) }
