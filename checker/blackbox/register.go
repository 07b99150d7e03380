package blackbox

import "github.com/lockstorm/lockstorm/checker"

// registerMachine is the storage that applies every write. Its state is a version, 0 at first:
//
//	state   op      outcome         next
//	v       read    ok, v           v
//	v       read    ok, any other   illegal
//	v       write   ok, v+1         v+1
//	v       write   ok, any other   illegal
//	v       read    fail, unknown   v
//	v       write   fail            v
//	v       write   unknown         v+1, or v
func registerMachine(*Model) machine {
	return machineOf(uint64(0), func(version uint64, c *operation) (uint64, bool) {
		if c.f == checker.Read {
			return version, c.value.Plain == version
		}
		return version + 1, c.outcome == checker.Info || c.value.Plain == version+1
	})
}
