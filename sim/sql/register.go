package sql

import (
	"fmt"
	"math"
	"strings"

	"github.com/lockstorm/lockstorm/sim/storage"
)

// An Error is an error reply. Its first word is the name of the condition, from SQL's standard or PostgreSQL.
type Error string

// Error returns the reply's text.
func (e Error) Error() string { return string(e) }

// Brief returns the name of the condition.
func (e Error) Brief() string {
	name, _, _ := strings.Cut(string(e), ":")
	return name
}

// The errors that a client must handle.
const (
	ErrLocked = Error("lock_not_available: another session has locked the resource; nothing was done")
	ErrEnded  = Error("no_active_sql_transaction: the session has ended or never began; nothing was done")
)

// Resource is the table of the guarded resource. Row 1 is the plain register, and row 2 the guarded one.
var Resource = &Table{"resource", []Column{
	{"id", "bigint"},
	{"version", "bigint"},            // increases by one with each write
	{"value", "bigint"},              // the number of the operation that wrote it
	{"last_fencing_token", "bigint"}, // the highest seen
	{"last_token", "text"},           // the random token that was set last
}}

var isPlain, isGuarded = Term{"id", Is, int64(1)}, Term{"id", Is, int64(2)}

// Fill has the statements that make the rows of the resource.
var Fill = []Statement{fill(isPlain), fill(isGuarded)}

func fill(id Term) Statement {
	return Statement{Insert, Resource, []Term{
		id, {"version", Is, int64(0)}, {"value", Is, int64(0)},
		{"last_fencing_token", Is, int64(0)}, {"last_token", Is, ""},
	}, nil}
}

// Take is the statement that locks the resource. Every transaction begins with it.
var Take = Statement{Lock, Resource, nil, []Term{isPlain}}

// An Engine carries out statements like a [Tx]: it is a transaction of any database that has the table.
type Engine interface {
	Do(s Statement) (rows [][]any, n int, err error)
}

// A register is the resource in an engine.
type register struct {
	Engine
	config *Config
}

// Carry carries out a request of package storage within the engine's transaction.
func Carry(e Engine, c *Config, request any) (reply any, err error) {
	t, passed := register{e, c}, true
	switch r := request.(type) {
	case storage.Read:
		if c.ReadsMark && c.Check != storage.Version {
			passed, err = t.mark(r.Pass)
		}
	case storage.Ask:
		return t.ask(r.Pass)
	case *storage.Write:
		passed, err = t.write(r)
	default:
		panic(fmt.Sprintf("sql: %T is not a request of package storage", request))
	}
	if err != nil {
		return nil, err
	}
	rows, _, err := t.Do(Statement{Verb: Select, Table: Resource})
	if err != nil {
		return nil, err
	}
	s := storage.State{Plain: uint64(rows[0][1].(int64)), Refused: !passed}
	if passed {
		s.Fenced = uint64(rows[1][1].(int64))
	}
	return s, nil
}

// update changes the rows for which all of where holds, and reports whether there were any.
func (t register) update(set []Term, where ...Term) (done bool, err error) {
	_, n, err := t.Do(Statement{Update, Resource, set, where})
	return n > 0, err
}

// guard returns the condition under which the guarded register takes a pass, or a write based on a version.
func (t register) guard(p storage.Pass, base uint64) (Term, error) {
	column, op, n := "last_fencing_token", AtMost, p.Fence
	switch t.config.Check {
	case storage.Equality:
		return Term{"last_token", Is, p.Token}, nil
	case storage.Version:
		column, op, n = "version", Is, base
	default:
		if t.config.Above {
			op = Below
		}
	}
	if n > math.MaxInt64 {
		return Term{}, Error(fmt.Sprintf(
			"numeric_value_out_of_range: %d is more than a bigint holds, %d at most", n, int64(math.MaxInt64)))
	}
	return Term{column, op, int64(n)}, nil
}

// mark records a pass, and reports whether it passed. Only the latest random token counts.
func (t register) mark(p storage.Pass) (passed bool, err error) {
	g, err := t.guard(p, 0)
	if err != nil {
		return false, err
	}
	set, where := []Term{{g.Column, Is, g.Value}}, []Term{isGuarded}
	if t.config.Check == storage.Order {
		where = append(where, g)
	}
	return t.update(set, where...)
}

// ask reports whether a pass is good for a write.
func (t register) ask(p storage.Pass) (reply any, err error) {
	if t.config.Check == storage.Version {
		return nil, Error("feature_not_supported: versions decide, and a pass has none to ask about")
	}
	g, err := t.guard(p, 0)
	if err != nil {
		return nil, err
	}
	_, n, err := t.Do(Statement{Select, Resource, nil, []Term{isGuarded, g}})
	return n > 0, err
}

// write writes both registers, and reports whether the guarded one took the write.
func (t register) write(w *storage.Write) (passed bool, err error) {
	set := []Term{{"version", Add, int64(1)}, {"value", Is, int64(w.Op)}}
	g, err := t.guard(w.Pass, w.Base.Fenced)
	if err == nil {
		_, err = t.update(set, isPlain)
	}
	switch {
	case err != nil:
		return false, err
	case w.Asked: // earlier, so this does not check
		if passed, err = t.update(set, isGuarded); err == nil && t.config.Check != storage.Version {
			_, err = t.mark(w.Pass)
		}
		return passed, err
	case t.config.Check == storage.Order:
		set = append(set, Term{g.Column, Is, g.Value})
	}
	return t.update(set, isGuarded, g)
}
