package blackbox

import "github.com/lockstorm/lockstorm/checker"

// A registerState is a register's version and the largest fencing token it has seen.
type registerState struct{ version, token uint64 }

// fencedRegisterMachine is the storage that refuses stale fencing tokens. Its state is a version v and a mark m, both 0
// at first; f is the token that the operation carries:
//
//	state   op         outcome        next
//	v, m    read f≥m   ok, v          v, f: a read raises the mark
//	v, m    read f<m   ok, 0          v, m: refused, and 0 is what it brings back
//	v, m    write f≥m  ok, v+1        v+1, f
//	v, m    write f<m  ok, 0          v, m: refused
//	v, m    either     ok, any other  illegal
//	v, m    read f≥m   fail, unknown  v, f, or v, m: it may have arrived, although nothing came back
//	v, m    write      fail           v, m
//	v, m    write f≥m  unknown        v+1, f, or v, m
//	v, m    any   f<m  unknown        v, m
func fencedRegisterMachine(*Model) machine {
	return machineOf(registerState{}, func(m registerState, c *operation) (registerState, bool) {
		shown := c.value.Fenced
		if c.value.Fence < m.token {
			return m, c.outcome == checker.OK && shown == 0
		}
		m.token = c.value.Fence
		if c.f == checker.Write {
			m.version++
		}
		return m, c.outcome == checker.Info || shown == m.version
	})
}
