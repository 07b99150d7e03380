package reports

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Widths of a timeline in columns: of time itself, and of the longest name before it.
const (
	timelineWidth = 80
	labelWidth    = lineWidth - timelineWidth - 4
)

// A canvas is a timeline: lanes of equal width, in which a column is a span of true time.
type canvas struct {
	b     strings.Builder
	width int
	label int
	end   clock.Instant
}

// timeline draws clients, nodes, storage and faults as lanes, to scale.
func timeline(e *checker.Evidence, width int) string {
	c := &canvas{width: width, label: 2, end: max(e.End, 1)}
	c.fit(clientName(e.Clients - 1))
	c.fit(nodeName(e.Nodes - 1))
	for _, s := range e.Strikes {
		c.fit(s.Fault)
	}
	c.axis()
	for i := range e.Clients {
		c.client(e, i)
	}
	owner := owners(e)
	for i := range e.Nodes {
		c.node(e, owner, i)
	}
	c.storage(e)
	for _, s := range e.Strikes {
		c.fault(s)
	}
	c.legend(e, owner)
	return c.b.String()
}

// fit makes room for a lane's name.
func (c *canvas) fit(name string) {
	c.label = max(c.label, min(labelWidth, utf8.RuneCountInString(name)))
}

// column gives the column of an instant.
func (c *canvas) column(t clock.Instant) int {
	return int(int64(min(t, c.end)) * int64(c.width-1) / int64(c.end))
}

// lane draws one lane.
func (c *canvas) lane(name string, paint func(row []byte)) {
	row := []byte(strings.Repeat(".", c.width))
	paint(row)
	fmt.Fprintf(&c.b, "  %-*s  %s\n", c.label, shorten(name, labelWidth), row)
}

// span fills the columns of an interval. However short it is, it shows.
func (c *canvas) span(row []byte, from, to clock.Instant, with byte) {
	for i := c.column(from); i <= c.column(to); i++ {
		row[i] = with
	}
}

// axis writes the scale: five instants, each at its column, but for the last, which ends with the lanes.
func (c *canvas) axis() {
	row := []byte(strings.Repeat(" ", c.width))
	for i := range 5 {
		t := c.end / 4 * clock.Instant(i)
		if i == 4 {
			t = c.end
		}
		said := c.round(t)
		copy(row[max(0, min(c.column(t), c.width-len(said))):], said)
	}
	fmt.Fprintf(&c.b, "  %-*s  %s\n", c.label, "", row)
}

// round gives an instant in seconds, as finely as its column tells.
func (c *canvas) round(t clock.Instant) string {
	fine := clock.Instant(1)
	for fine*10 <= c.end/clock.Instant(c.width) {
		fine *= 10
	}
	return (t / fine * fine).String()
}

// client draws when a client held the lock. A client that stops at its deadline does so a step too late, which no
// column can show; so what was right is drawn last.
func (c *canvas) client(e *checker.Evidence, i int) {
	c.lane(clientName(i), func(row []byte) {
		for _, h := range e.Holds {
			if over := max(h.Valid, h.From); h.Client == i && h.Gone > over {
				c.span(row, over, h.Gone, '!')
			}
		}
		for _, h := range e.Holds {
			if h.Client == i && h.Valid > h.From {
				c.span(row, h.From, min(h.Gone, h.Valid), '=')
			}
		}
	})
}

// owners gives the client of each token. That of an attempt which never ended is not known.
func owners(e *checker.Evidence) map[string]int {
	owner := map[string]int{}
	for _, t := range e.Tries {
		owner[t.Token] = t.Client
	}
	return owner
}

// node draws whose key lived on a node.
func (c *canvas) node(e *checker.Evidence, owner map[string]int, i int) {
	c.lane(nodeName(i), func(row []byte) {
		for _, s := range e.Keys {
			if s.Node != i {
				continue
			}
			who := byte('?')
			if client, known := owner[s.Token]; known {
				who = digit(client)
			}
			c.span(row, s.From, s.To, who)
		}
	})
}

// digits stand for clients: 1 to 9, then a to z.
const digits = "123456789abcdefghijklmnopqrstuvwxyz"

func digit(client int) byte {
	if client < len(digits) {
		return digits[client]
	}
	return '*'
}

// storage draws when writes arrived.
func (c *canvas) storage(e *checker.Evidence) {
	c.lane(scenarios.StorageHost, func(row []byte) {
		for _, u := range e.Writes {
			if u.Fenced.Made > 0 {
				c.span(row, u.At, u.At, 'w')
			}
		}
		for _, u := range e.Writes {
			if u.Fenced.Made == 0 {
				c.span(row, u.At, u.At, 'x')
			}
		}
	})
}

// fault draws how long a fault lasted.
func (c *canvas) fault(s checker.Strike) {
	c.lane(s.Fault, func(row []byte) { c.span(row, s.From, s.To, '~') })
}

// legend says what the signs mean: those that may stand in this timeline.
func (c *canvas) legend(e *checker.Evidence, owner map[string]int) {
	keys := "1 has the key of c1, 2 of c2 …"
	if e.Clients > 9 {
		keys += " a of c10, b of c11 …"
	}
	if e.Clients > len(digits) {
		keys += " * of others"
	}
	strange := func(s checker.Span) bool { _, known := owner[s.Token]; return !known }
	if slices.ContainsFunc(e.Keys, strange) {
		keys += " ? of nobody known"
	}
	c.b.WriteString("  clients: = holds the lock  ! goes on as holder though its validity has passed\n")
	c.b.WriteString("  nodes: " + keys + "\n")
	c.b.WriteString("  storage: w a write  x a write that fencing refuses")
	if len(e.Strikes) > 0 {
		c.b.WriteString("   faults: ~ lasts")
	}
	c.b.WriteString("\n")
}
