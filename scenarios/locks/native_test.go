package locks

import (
	"slices"
	"testing"

	"github.com/lockstorm/lockstorm/sim/redis"
)

// The simulated node knows the scripts of these locks by their texts, to the byte: one that it does not know is
// interpreted, which takes several times as long.
func TestTheNodeKnowsTheScripts(t *testing.T) {
	for _, text := range []string{compareAndDelete.text, compareAndExtend.text, setAndCount, redissonTake, redissonFree, redissonRenew} {
		if !slices.ContainsFunc(redis.Scripts, func(s redis.Script) bool { return s.Text == text }) {
			t.Errorf("interpreted: %s", text)
		}
	}
}
