package blackbox

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/anishathalye/porcupine"
	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec"
)

// largestPicture is how many ops a picture may have at most. Porcupine remembers the longest order for every operation,
// and may take hours for them where its plain verdict takes seconds.
const largestPicture = 120

// Draw writes porcupine's picture of an excerpt, a page of HTML: the operations as bars, how far an order of them can
// go, and where it ends. It rejects an excerpt that is too large, or takes more steps than the model allows. The model
// must be the one under which the excerpt is violated. The names belong to the recording that the excerpt came from;
// nil is a history without names. Each call writes the same bytes.
func (x *Excerpt) Draw(w io.Writer, m Model, names *codec.Recording) error {
	if n := len(x.Ops); n == 0 || n > largestPicture {
		return fmt.Errorf("an excerpt of %d ops can't be drawn; want 1 to %d", n, largestPicture)
	}
	c, err := collect(x.History, &m)
	if err != nil {
		return err
	}
	c.filter(&m)
	s := search{machine: m.machine(&m), maxSteps: or(m.Steps, standardSteps)}
	model := s.drawn(&labels{c, names})
	ops := c.forPorcupine()
	result, info := porcupine.CheckOperationsVerbose(model, ops[:len(ops)-1], 0)
	if s.steps >= s.maxSteps {
		return fmt.Errorf("the picture takes more than %d steps; want a smaller excerpt, or a larger budget",
			s.maxSteps)
	}
	if result == porcupine.Ok {
		return fmt.Errorf("the excerpt is legal under %s; want the model that it violates", m.Name)
	}
	var page bytes.Buffer
	if err := porcupine.Visualize(model, info, &page); err != nil {
		return err
	}
	_, err = w.Write(settled(page.Bytes()))
	return err
}

// settled returns a picture in which orders of one length are sorted by their operations. Porcupine takes orders from a
// map: their order differs each time, and so does the one it shows of two with one length.
func settled(page []byte) []byte {
	const begin = "const data = "
	head, data, is := bytes.Cut(page, []byte(begin))
	data, tail, ends := bytes.Cut(data, []byte("\n"))
	type step struct {
		Index            int
		StateDescription string
	}
	var picture struct {
		Partitions []struct {
			History               json.RawMessage
			PartialLinearizations [][]step
			Largest               map[int]int // the order to show for an operation: the longest that has it
		}
		Annotations json.RawMessage
	}
	if !is || !ends || json.Unmarshal(data, &picture) != nil {
		panic("blackbox: porcupine's page has its data elsewhere")
	}
	for _, p := range picture.Partitions {
		slices.SortFunc(p.PartialLinearizations, func(a, b []step) int {
			return cmp.Or(cmp.Compare(len(b), len(a)),
				slices.CompareFunc(a, b, func(a, b step) int { return cmp.Compare(a.Index, b.Index) }))
		})
		for i, order := range slices.Backward(p.PartialLinearizations) {
			for _, s := range order {
				p.Largest[s.Index] = i
			}
		}
	}
	text, err := json.Marshal(picture)
	if err != nil {
		panic("blackbox: " + err.Error()) // it was just read
	}
	return slices.Concat(head, []byte(begin), text, []byte("\n"), tail)
}

// drawn is the machine as porcupine can draw it: an operation with an unknown outcome takes effect or not.
func (s *search) drawn(names *labels) porcupine.Model {
	plain := porcupine.NondeterministicModel{
		Init: func() []any { return []any{s.start} },
		Step: func(state, input, _ any) []any {
			if s.steps++; s.steps >= s.maxSteps {
				return nil
			}
			k := input.(*operation)
			next, legal := s.step(state, k)
			switch {
			case !legal && k.outcome == checker.Info:
				return []any{state}
			case !legal:
				return nil
			case k.outcome == checker.Info:
				return []any{state, next}
			}
			return []any{next}
		},
		DescribeOperation: func(input, _ any) string { return names.operation(input.(*operation)) },
		DescribeState:     func(state any) string { return names.state(state) },
	}
	return plain.ToModel()
}

// labels are what the operations and states in a picture are called.
type labels struct {
	*operations
	names *codec.Recording // nil: no operation has a name
}

// operation describes an operation in a picture: process 3: acquire, ok (token 33).
func (l *labels) operation(k *operation) string {
	parts := []string{l.who(k.client) + ": " + k.f.String() + ", " + k.outcome.String()}
	if k.value.Shared {
		parts = append(parts, "shared")
	}
	if k.value.Fence > 0 {
		parts = append(parts, "token "+strconv.FormatUint(k.value.Fence, 10))
	}
	switch valued := l.names.HasValues(); {
	case valued && k.f == checker.CompareAndSet:
		parts = append(parts, l.names.Values[k.value.Expected]+" to "+l.names.Values[k.value.Data])
	case valued && (k.f == checker.Write || k.f == checker.Read && k.outcome == checker.OK):
		parts = append(parts, l.names.Values[k.value.Data])
	case k.outcome == checker.OK && (k.f == checker.Read || k.f == checker.Write):
		parts = append(parts, fmt.Sprintf("version %d, fenced %d", k.value.Plain, k.value.Fenced))
	}
	return strings.Join(parts, ", ")
}

// who returns the owner of a client's holds, or its process.
func (l *labels) who(client int) string {
	if l.names == nil {
		return fmt.Sprintf("process %d", l.clients[client])
	}
	return l.names.Who(l.clients[client])
}

func (l *labels) state(state any) string {
	switch s := state.(type) {
	case int:
		return l.held(s)
	case bool:
		return map[bool]string{false: "free", true: "held"}[s]
	case mutexState:
		return fmt.Sprintf("%s, largest token %d", l.held(s.holder), s.mark)
	case leaseState:
		return fmt.Sprintf("%s until %v at least, now %v", l.held(s.holder), s.ends, s.now)
	case reentrantState:
		return fmt.Sprintf("%s, %d times", l.held(s.holder), s.times)
	case reentrantFencedState:
		return fmt.Sprintf("%s, %d times, token %d, largest %d", l.held(s.holder), s.times, s.token, s.mark)
	case permitHolders:
		return l.permits(s)
	case sharedState:
		how := [...]string{exclusive: "", both: ", shared too", either: ", shared or not", shared: ", shared"}
		return l.permits(s.holders) + how[s.how]
	case registerState:
		return fmt.Sprintf("version %d, largest token %d", s.version, s.token)
	case uint32:
		if l.names.HasValues() {
			return l.names.Values[s]
		}
	}
	return fmt.Sprint(state)
}

func (l *labels) held(holder int) string {
	if holder == nobody {
		return "free"
	}
	return "held by " + l.who(holder)
}

func (l *labels) permits(held permitHolders) string {
	var all []string
	for at := 0; at < len(held); at += 4 {
		all = append(all, l.who(int(binary.BigEndian.Uint32([]byte(held[at:at+4])))))
	}
	if len(all) == 0 {
		return "free"
	}
	return "held by " + strings.Join(all, " and ")
}
