package reports

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
)

// timelineWidth is the number of columns that time itself gets. With the names before it, a line stays within 100.
const timelineWidth = 80

// A canvas is a timeline: lanes of equal width, in which a column is a span of true time.
type canvas struct {
	b     strings.Builder
	width int
	label int
	end   clock.Instant
}

// timeline draws clients, nodes, storage and faults as lanes, to scale.
func timeline(e *checker.Evidence, clients, width int) string {
	c := &canvas{width: width, label: 2, end: max(e.End, 1)}
	for _, s := range e.Strikes {
		c.label = max(c.label, len(s.Fault))
	}
	c.axis()
	for i := range clients {
		c.client(e, i)
	}
	for i := range e.Nodes {
		c.node(e, i)
	}
	c.storage(e)
	for _, s := range e.Strikes {
		c.fault(s)
	}
	c.b.WriteString("  clients: = holds the lock  ! goes on as holder though its validity has passed\n")
	c.b.WriteString("  nodes: 1 has the key of c1, 2 of c2 …   s: w a write  x a write that fencing refuses   faults: ~ lasts\n")
	return c.b.String()
}

// column gives the column of an instant.
func (c *canvas) column(t clock.Instant) int {
	return int(int64(min(t, c.end)) * int64(c.width-1) / int64(c.end))
}

// lane draws one lane.
func (c *canvas) lane(name string, paint func(row []byte)) {
	row := []byte(strings.Repeat(".", c.width))
	paint(row)
	fmt.Fprintf(&c.b, "  %-*s  %s\n", c.label, name, row)
}

// span fills the columns of an interval. However short it is, it shows.
func (c *canvas) span(row []byte, from, to clock.Instant, with byte) {
	for i := c.column(from); i <= c.column(to); i++ {
		row[i] = with
	}
}

// axis writes the scale: five instants, each at its column.
func (c *canvas) axis() {
	row := []byte(strings.Repeat(" ", c.width+12))
	for i := range 5 {
		t := clock.Instant(int64(c.end) / 4 * int64(i))
		copy(row[c.column(t):], round(t))
	}
	fmt.Fprintf(&c.b, "  %-*s  %s\n", c.label, "", strings.TrimRight(string(row), " "))
}

// round gives an instant in seconds, to the millisecond: finer than any column.
func round(t clock.Instant) string {
	return (t / 1e6 * 1e6).String()
}

// client draws when a client held the lock.
func (c *canvas) client(e *checker.Evidence, i int) {
	c.lane(clientName(i), func(row []byte) {
		for _, h := range e.Holds {
			if h.Client != i {
				continue
			}
			if h.Gone > h.Valid {
				c.span(row, max(h.Valid, h.From), h.Gone, '!')
			}
			if h.Valid > h.From {
				c.span(row, h.From, min(h.Gone, h.Valid), '=')
			}
		}
	})
}

// node draws whose key lived on a node.
func (c *canvas) node(e *checker.Evidence, i int) {
	owner := map[string]int{}
	for _, t := range e.Tries {
		owner[t.Token] = t.Client
	}
	c.lane(nodeName(i), func(row []byte) {
		for _, s := range e.Keys {
			if s.Node == i {
				c.span(row, s.From, s.To, digit(owner[s.Token]))
			}
		}
	})
}

// digit stands for a client: 1 to 9, then a to z.
func digit(client int) byte {
	if client < 35 {
		return "123456789abcdefghijklmnopqrstuvwxyz"[client]
	}
	return '*'
}

// storage draws when writes arrived.
func (c *canvas) storage(e *checker.Evidence) {
	c.lane(scenarios.StorageHost, func(row []byte) {
		for _, u := range e.Writes {
			mark := byte('w')
			if u.Fenced.Made == 0 {
				mark = 'x'
			}
			c.span(row, u.At, u.At, mark)
		}
	})
}

// fault draws how long a fault lasted.
func (c *canvas) fault(s checker.Strike) {
	c.lane(s.Fault, func(row []byte) { c.span(row, s.From, s.To, '~') })
}
