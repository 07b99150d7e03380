package blackbox

import "github.com/lockstorm/lockstorm/checker"

// casRegisterMachine is a register of values, which Knossos calls so. Its state is a value x, Model.Initial at first:
//
//	state   op          outcome         next
//	x       read        ok, x           x
//	x       read        ok, no value    x: nobody knows what it saw
//	x       read        ok, any other   illegal
//	x       write y     ok              y
//	x       cas x to y  ok              y
//	x       cas z to y  ok              illegal
//	x       any         fail            x: it did not take place, and shows nothing
//	x       read        unknown         x
//	x       write y     unknown         y, or x
//	x       cas x to y  unknown         y, or x
//	x       cas z to y  unknown         x
func casRegisterMachine(m *Model) machine {
	return machineOf(m.Initial, func(held uint32, c *operation) (uint32, bool) {
		switch c.f {
		case checker.Read:
			return held, c.value.Data == 0 || c.value.Data == held
		case checker.Write:
			return c.value.Data, true
		}
		return c.value.Data, c.value.Expected == held
	})
}
