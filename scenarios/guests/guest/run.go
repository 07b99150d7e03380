package guest

import (
	"context"
	"crypto/rand"
	"errors"
	mathrand "math/rand"
	randv2 "math/rand/v2"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
)

// Bubble returns what performs runs with a library's locks, in bubbles of the test.
func Bubble(t *testing.T, lock Constructor) scenarios.GuestRun {
	return Kind{Lock: lock}.bubble(t)
}

// Run performs one run with guests. The scenario must have passed [Check]. An error says that the guests misbehaved.
func Run(t *testing.T, s *scenarios.Scenario, seed uint64, lock Constructor) (*scenarios.Result, error) {
	return Kind{Key: s.Lock.Key, Lock: lock}.Run(t, s, seed)
}

// Run performs one run with the library, in a scenario that has passed [Check]. An error means that guests misbehaved.
func (k Kind) Run(t *testing.T, s *scenarios.Scenario, seed uint64) (*scenarios.Result, error) {
	res := k.bubble(t)(&scenarios.Runner{}, s, seed)
	switch res.Evidence.Cut {
	case errPanic, errLeak, errBusy, errBytes, errPast:
		return res, errors.New(res.Failure)
	}
	return res, nil
}

// A guestLock is a library's lock, and its wire.
type guestLock struct {
	make    Constructor
	wire    func(id int64) Wire
	watches bool
	service bool
}

// alone is held during a run, because a run changes state that the process has only once.
var alone sync.Mutex

// crowded is whether a guest of the latest run had to wait for a connection. go-redis keeps the timers of waiters in
// a sync.Pool, and a timer of an earlier bubble would end the process.
var crowded bool

// leastPool is how many connections a library's smallest pool has before a caller waits: go-redis's on one processor.
const leastPool = 10

// errName is why host name look-ups fail. What package net shares between look-ups belongs to the first bubble that
// makes one. A look-up in another would end the process.
var errName = errors.New("guest: no name is looked up in a simulated world: dial with guest.Client.Dial, and give the " +
	"library the addresses of guest.Client.Nodes, which are numbers")

// withoutNames makes each host name look-up fail with advice, and returns a function that undoes this.
func withoutNames() (undo func()) {
	before := net.DefaultResolver
	fail := func(context.Context, string, string) (net.Conn, error) { return nil, errName }
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: fail}
	_, _ = net.DefaultResolver.LookupHost(context.Background(), "lockstorm.invalid") // shared state begins outside of bubbles
	return func() { net.DefaultResolver = before }
}

func inBubble(t *testing.T, like *scenarios.Runner, s *scenarios.Scenario, seed uint64, lock guestLock) (res *scenarios.Result) {
	alone.Lock()
	defer alone.Unlock()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer withoutNames()()
	if crowded {
		runtime.GC() // twice: so long a sync.Pool keeps what it has
		runtime.GC()
	}
	var alive atomic.Int64
	defer watch(&alive)()
	left := ""
	defer func() { // a bubble in which goroutines are left can't end without a panic
		if p := recover(); p == nil {
			return
		} else if left == "" {
			panic(p)
		}
		cut := res.Evidence.Cut
		if cut != errAway && cut != errPanic && cut != errBusy && cut != errBytes && res.Hangs == nil { // these may leave goroutines, too
			res.CutShort(errLeak, left)
		}
	}()
	synctest.Test(t, func(t *testing.T) {
		seedGlobals(t, seed)
		time.Sleep(time.Until(time.Unix(0, int64(scenarios.Epoch))))
		goroutines := len(residents())
		res = run(like, s, seed, lock, &alive)
		left = leftBehind(goroutines)
	})
	return res
}

func run(like *scenarios.Runner, s *scenarios.Scenario, seed uint64, lock guestLock, alive *atomic.Int64) *scenarios.Result {
	b := newBubble(alive, lock.wire)
	hosted := *s
	hosted.Lock.New = b.lock(lock)
	r := scenarios.NewRunner()
	defer r.Close()
	r.Outside, r.OnCommand = b, like.OnCommand
	defer b.close()
	res := r.Run(&hosted, seed)
	res.Scenario = s
	crowded = slices.ContainsFunc(b.clients, func(c *Client) bool { return slices.Max(c.opened) >= leastPool })
	hung, at := b.hung(res)
	switch f := b.failed(); {
	case f != failure{}:
		res.CutShort(f.what, f.stacks)
	case res.End != sim.Finished && len(hung) > 0:
		res.Hang(hung, at)
	case res.End != sim.Finished && b.busy():
		res.CutShort(errAway, stacks())
	case b.unseen():
		res.CutShort(errPast, "give guest.Client.Dial to the library as its dialer; no other dial reaches the nodes. If it refuses "+
			"the scenario's TTL before it dials, say which it takes: locktest.Shortest")
	}
	return res
}

// seedGlobals seeds the process's sources of chance until the test in the bubble ends. math/rand/v2 can't be seeded.
// Outside of go test crypto/rand is seeded only for code that reads the variable rand.Reader each time.
func seedGlobals(t *testing.T, seed uint64) {
	if testing.Testing() {
		cryptotest.SetGlobalRandom(t, seed)
	} else {
		before := rand.Reader
		var key [32]byte
		for i := range 8 {
			key[i] = byte(seed >> (8 * i))
		}
		rand.Reader = &source{ChaCha8: randv2.NewChaCha8(key)}
		t.Cleanup(func() { rand.Reader = before })
	}
	t.Setenv("GODEBUG", strings.TrimPrefix(os.Getenv("GODEBUG")+",randseednop=0", ","))
	mathrand.Seed(int64(seed)) //nolint:staticcheck // libraries draw from it, and this is the one way to seed it
}

// A source is bytes of chance for several goroutines.
type source struct {
	mu sync.Mutex
	*randv2.ChaCha8
}

// Read fills b.
func (s *source) Read(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ChaCha8.Read(b)
}
