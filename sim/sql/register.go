package sql

import (
	"fmt"
	"math"

	"github.com/lockstorm/lockstorm/sim/storage"
)

// An Engine carries out statements: that of a Server, or another database with the same table.
type Engine interface {
	Exec(s Statement, args ...any) (affected bool, err error)
	Query(s Statement, args ...any) (row []int64, err error)
}

// A register is what an engine holds: the resource.
type register struct {
	Engine
	config *Config
}

// Carry carries out a request of package storage within the transaction that the engine is in.
func Carry(e Engine, c *Config, request any) (reply any, err error) {
	t := register{e, c}
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

// read returns the versions. A reader that comes too late is refused.
func (t register) read(r storage.Read) (storage.State, error) {
	passed, err := t.mark(r.Pass)
	if err != nil {
		return storage.State{}, err
	}
	return t.state(passed)
}

// mark records the pass of a read, where reads mark, and reports whether it passed.
func (t register) mark(p storage.Pass) (passed bool, err error) {
	switch {
	case !t.config.ReadsMark || t.config.Optimistic:
		return true, nil
	case t.config.Check == storage.Equality:
		return t.Exec(markEqual, p.Token)
	}
	fence, err := bigint(p.Fence)
	if err != nil {
		return false, err
	}
	return t.Exec(t.above(markFenced), fence)
}

// state returns the versions, as a reader sees them that has passed or not.
func (t register) state(passed bool) (storage.State, error) {
	row, err := t.Query(read)
	if err != nil {
		return storage.State{}, err
	}
	s := storage.State{Plain: uint64(row[0]), Refused: !passed} // the columns are strict: there is nothing else in them
	if passed {
		s.Fenced = uint64(row[1])
	}
	return s, nil
}

// ask reports whether a pass is good for a write.
func (t register) ask(r storage.Ask) (bool, error) {
	switch {
	case t.config.Optimistic:
		return false, Error("feature_not_supported: versions decide, and a pass has none to ask about")
	case t.config.Check == storage.Equality:
		return t.finds(admitEqual, r.Token)
	}
	fence, err := bigint(r.Fence)
	if err != nil {
		return false, err
	}
	return t.finds(t.above(admitFenced), fence)
}

// above returns a statement that takes a fencing token that is as high as the highest one seen, or the one that does not.
func (t register) above(s Statement) Statement {
	if t.config.Above {
		return s + writeAbove - writeFenced
	}
	return s
}

// finds reports whether a query has a result.
func (t register) finds(s Statement, arg any) (bool, error) {
	row, err := t.Query(s, arg)
	return row != nil, err
}

// write writes both registers, and returns the new versions.
func (t register) write(w *storage.Write) (storage.State, error) {
	if _, err := t.Exec(write, int64(w.Op)); err != nil {
		return storage.State{}, err
	}
	passed, err := t.guarded(w)
	if err != nil {
		return storage.State{}, err
	}
	return t.state(passed)
}

// guarded writes the guarded register, unless that refuses the write.
func (t register) guarded(w *storage.Write) (passed bool, err error) {
	fence, err := bigint(w.Fence)
	if err != nil {
		return false, err
	}
	base, err := bigint(w.Base.Fenced)
	if err != nil {
		return false, err
	}
	op := int64(w.Op)
	switch {
	case w.Asked:
		return t.Exec(writeAsked, op, fence, w.Token)
	case t.config.Optimistic:
		return t.Exec(writeVersion, op, base)
	case t.config.Check == storage.Equality:
		return t.Exec(writeEqual, op, w.Token)
	}
	return t.Exec(t.above(writeFenced), op, fence)
}

// bigint is how SQL holds an integer.
func bigint(n uint64) (int64, error) {
	if n > math.MaxInt64 {
		return 0, Error(fmt.Sprintf("numeric_value_out_of_range: %d is more than a bigint holds, %d at most", n, math.MaxInt64))
	}
	return int64(n), nil
}
