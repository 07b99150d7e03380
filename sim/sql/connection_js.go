package sql

// A connection in a browser is none: the engine is WebAssembly that is compiled to machine code, which a program in WebAssembly
// can't do.
type connection struct{}

func newDatabase() string { return "" }

func connect(string) *connection {
	panic("sql: there is no database in a program for JavaScript; run the scenario with a program for this machine")
}

func (*connection) close()        {}
func (*connection) script(string) {}

// Exec carries out a statement that changes something.
func (*connection) Exec(Statement, ...any) (affected bool, err error) { return false, ErrEnded }

// Query carries out a statement that asks.
func (*connection) Query(Statement, ...any) (row []int64, err error) { return nil, ErrEnded }
