package blackbox

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/anishathalye/porcupine"
	"github.com/lockstorm/lockstorm/checker"
)

// largestPicture is how many ops an excerpt may have to be drawn. Porcupine remembers the longest order for every
// operation, and may take hours for them where its plain verdict takes seconds.
const largestPicture = 120

// Draw writes porcupine's own picture of an excerpt, a page of HTML: the operations as bars, how far an order of them
// can be had, and where it ends. It refuses an excerpt that is too large, or takes more steps than the model allows.
// The model must be the one under which the excerpt is violated. The page may differ from one operation to the next
// where porcupine has two orders of one length to choose from.
func (x *Excerpt) Draw(w io.Writer, m Model) error {
	if n := len(x.Ops); n == 0 || n > largestPicture {
		return fmt.Errorf("an excerpt of %d ops can't be drawn; want 1 to %d", n, largestPicture)
	}
	c, err := collect(x.History, &m)
	if err != nil {
		return err
	}
	c.filter(&m)
	s := search{machine: m.machine(&m), maxSteps: or(m.Steps, standardSteps)}
	model := s.drawn(c)
	ops := c.forPorcupine()
	result, info := porcupine.CheckOperationsVerbose(model, ops[:len(ops)-1], 0)
	if s.steps >= s.maxSteps {
		return fmt.Errorf("the picture takes more than %d steps; want a smaller excerpt, or a larger budget", s.maxSteps)
	}
	if result == porcupine.Ok {
		return fmt.Errorf("the excerpt is legal under %s; want the model that it violates", m.Name)
	}
	return porcupine.Visualize(model, info, w)
}

// drawn is the machine as porcupine can draw it: an operation with an unknown outcome takes effect or not.
func (s *search) drawn(c *operations) porcupine.Model {
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
		DescribeOperation: func(input, _ any) string { return c.label(input.(*operation)) },
		DescribeState:     func(state any) string { return fmt.Sprintf("%+v", state) },
	}
	return plain.ToModel()
}

// label describes an operation in a picture: process 3: acquire, ok (token 33).
func (c *operations) label(k *operation) string {
	said := []string{c.who(k) + ": " + k.f.String() + ", " + k.outcome.String()}
	if k.value.Fence > 0 {
		said = append(said, "token "+strconv.FormatUint(k.value.Fence, 10))
	}
	if k.outcome == checker.OK && (k.f == checker.Read || k.f == checker.Write) {
		said = append(said, fmt.Sprintf("version %d, fenced %d", k.value.Plain, k.value.Fenced))
	}
	return strings.Join(said, ", ")
}
