package live

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/sim/sql"
)

// A pgConn is one connection to PostgreSQL, by the simple form of its protocol. It carries out statements as a sql.Engine.
type pgConn struct {
	conn    net.Conn
	answers chan pgAnswer // closed when the connection has ended
	ended   error         // why, once it is
}

// A pgAnswer is what came back for one query.
type pgAnswer struct {
	rows     [][]string
	affected int
	failure  error
}

// dialPostgres connects, and waits until the server is ready for queries. When the connection ends later, gone is called.
func dialPostgres(network, address string, gone func(c *pgConn)) (*pgConn, error) {
	conn, err := net.Dial(network, address)
	if err != nil {
		return nil, err
	}
	c := &pgConn{conn: conn, answers: make(chan pgAnswer, 1)}
	hello := append(binary.BigEndian.AppendUint32(nil, 3<<16), "user\x00postgres\x00\x00"...)
	if err := c.send(0, hello); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	go c.read(gone)
	if _, ok := <-c.answers; !ok {
		return nil, c.ended
	}
	return c, nil
}

// send sends a message; the first one of a connection has no type.
func (c *pgConn) send(typ byte, body []byte) error {
	var m []byte
	if typ != 0 {
		m = append(m, typ)
	}
	_, err := c.conn.Write(append(binary.BigEndian.AppendUint32(m, uint32(4+len(body))), body...))
	return err
}

// read reads what the server sends until the connection ends. It runs in a goroutine of its own.
func (c *pgConn) read(gone func(c *pgConn)) {
	var a pgAnswer
	for {
		typ, body, err := c.message()
		if err != nil {
			if c.ended == nil {
				c.ended = err
			}
			_ = c.conn.Close()
			close(c.answers)
			gone(c)
			return
		}
		switch typ {
		case 'D':
			a.rows = append(a.rows, rowOf(body))
		case 'C':
			words := strings.Fields(strings.TrimRight(string(body), "\x00"))
			a.affected, _ = strconv.Atoi(words[len(words)-1])
		case 'E':
			a.failure = pgFailure(body)
			c.ended = a.failure // if it is the last word
		case 'Z':
			c.ended = nil
			c.answers <- a
			a = pgAnswer{}
		}
	}
}

func (c *pgConn) message() (typ byte, body []byte, err error) {
	head := make([]byte, 5)
	if _, err := io.ReadFull(c.conn, head); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if n < 4 || n > 1<<20 {
		return 0, nil, fmt.Errorf("PostgreSQL sends a message of %d bytes", n)
	}
	body = make([]byte, n-4)
	_, err = io.ReadFull(c.conn, body)
	return head[0], body, err
}

// rowOf reads the columns of a row, none of which is null.
func rowOf(body []byte) (all []string) {
	body = body[2:]
	for len(body) >= 4 {
		n := int(int32(binary.BigEndian.Uint32(body)))
		body = body[4:]
		if n < 0 || n > len(body) {
			return append(all, "")
		}
		all, body = append(all, string(body[:n])), body[n:]
	}
	return all
}

// pgFailure is what a client is told: the errors of package sql for those that a lock must be ready for.
func pgFailure(body []byte) error {
	code, text := "", ""
	for _, field := range strings.Split(string(body), "\x00") {
		switch {
		case strings.HasPrefix(field, "C"):
			code = field[1:]
		case strings.HasPrefix(field, "M"):
			text = field[1:]
		}
	}
	if code == "55P03" { // lock_not_available
		return sql.ErrLocked
	}
	return sql.Error(fmt.Sprintf("%s: %s", code, text))
}

// query sends text, and waits for what comes back.
func (c *pgConn) query(text string) (pgAnswer, error) {
	if err := c.send('Q', append([]byte(text), 0)); err != nil {
		return pgAnswer{}, err
	}
	a, ok := <-c.answers
	if !ok {
		return a, net.ErrClosed
	}
	return a, a.failure
}

// Exec carries out a statement that changes something.
func (c *pgConn) Exec(s sql.Statement, args ...any) (affected bool, err error) {
	a, err := c.query(literal(s.Text(), args))
	return a.affected > 0, err
}

// Query carries out a statement that asks.
func (c *pgConn) Query(s sql.Statement, args ...any) (row []int64, err error) {
	a, err := c.query(literal(s.Text(), args))
	if err != nil || len(a.rows) == 0 {
		return nil, err
	}
	for _, text := range a.rows[0] {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, err
		}
		row = append(row, n)
	}
	return row, nil
}

// literal writes the arguments into a statement: for each ? the next, for ?N the one with that number.
func literal(text string, args []any) string {
	var b strings.Builder
	next := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '?' {
			b.WriteByte(text[i])
			continue
		}
		at := next
		if i+1 < len(text) && '1' <= text[i+1] && text[i+1] <= '9' {
			i++
			at = int(text[i] - '1')
		}
		next = at + 1
		switch v := args[at].(type) {
		case string:
			b.WriteString("'" + strings.ReplaceAll(v, "'", "''") + "'")
		default:
			fmt.Fprint(&b, v)
		}
	}
	return b.String()
}
