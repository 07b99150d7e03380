package locks

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A bench is a Client without a simulator: servers that are maps, and a clock that the test moves. It shows that the
// protocols need no more than the interface.
type bench struct {
	now      time.Duration
	wallOff  time.Duration
	awakeOff time.Duration
	tokens   int
	cost     time.Duration               // what each call takes
	keys     map[int]string              // by server: the token that its key has
	lives    map[int]string              // by server: the life that its key was last given, "" for none
	down     map[int]bool                // servers that do not answer, but do what they are asked
	sick     map[int]bool                // servers that answer with an error
	replica  map[int]bool                // servers that take no writes
	master   any                         // what the observer says of who is master
	acks     any                         // what the answer to WAIT is
	loaded   map[int][]string            // the scripts that servers know
	calls    []string                    // what was asked, as "server command"
	marks    []string                    // what was passed
	after    func(b *bench, n int)       // is called after the nth call
	at       func(b *bench, name string) // is called at each mark
}

func newBench() *bench {
	return &bench{
		cost: time.Millisecond, keys: map[int]string{}, lives: map[int]string{}, down: map[int]bool{}, sick: map[int]bool{},
		replica: map[int]bool{}, loaded: map[int][]string{},
	}
}

func (b *bench) Wall() time.Duration   { return b.now + b.wallOff }
func (b *bench) Mono() time.Duration   { return b.now }
func (b *bench) Awake() time.Duration  { return b.now + b.awakeOff }
func (b *bench) Sleep(d time.Duration) { b.now += d }
func (b *bench) Draw(n uint64) uint64  { return n - 1 }
func (b *bench) Token() string         { b.tokens++; return "t" + strconv.Itoa(b.tokens) }

func (b *bench) Mark(name string) {
	b.marks = append(b.marks, name)
	if b.at != nil {
		b.at(b, name)
	}
}

func (b *bench) Together(n int, do func(int)) {
	b.marks = append(b.marks, "together")
	for i := range n {
		do(i)
	}
}

func (b *bench) Call(server int, command any, timeout time.Duration) (any, error) {
	args := command.([]string)
	b.calls = append(b.calls, strconv.Itoa(server)+" "+args[0])
	reply := b.serve(server, args)
	if b.after != nil {
		defer b.after(b, len(b.calls))
	}
	if b.down[server] || b.cost > timeout {
		b.now += timeout
		return nil, errors.New("no reply in time")
	}
	b.now += b.cost
	return reply, nil
}

type redisError string

func (e redisError) Error() string { return string(e) }

func (b *bench) serve(server int, args []string) any {
	held := b.keys[server]
	switch {
	case b.sick[server]:
		return redisError("LOADING Redis is loading the dataset in memory")
	case args[0] == "SENTINEL":
		return b.master
	case b.replica[server] && args[0] != "GET":
		return redisError("READONLY You can't write against a read only replica.")
	case args[0] == "WAIT":
		return b.acks
	case args[0] == "SET":
		return b.set(server, args)
	case args[0] == "SETNX" && held == "":
		b.keys[server], b.lives[server] = args[2], ""
		return int64(1)
	case args[0] == "GET" && held != "":
		return held
	case args[0] == "GET":
		return nil
	case args[0] == "DEL" && held != "":
		delete(b.keys, server)
		return int64(1)
	case args[0] == "PEXPIRE" && held != "":
		b.lives[server] = "PX " + args[2]
		return int64(1)
	case strings.HasPrefix(args[0], "EVAL"):
		return b.script(server, args)
	}
	return int64(0)
}

// set is SET key token [NX] PX|PXAT number.
func (b *bench) set(server int, args []string) any {
	if args[3] == "NX" && b.keys[server] != "" {
		return nil
	}
	b.keys[server], b.lives[server] = args[2], strings.Join(args[len(args)-2:], " ")
	return "OK"
}

// script is one of the two that are known; they differ in the number of their arguments.
func (b *bench) script(server int, args []string) any {
	if args[0] == "EVAL" {
		sum := sha1.Sum([]byte(args[1]))
		b.loaded[server] = append(b.loaded[server], hex.EncodeToString(sum[:]))
	} else if !slices.Contains(b.loaded[server], args[1]) {
		return redisError("NOSCRIPT No matching script. Please use EVAL.")
	}
	switch {
	case b.keys[server] != args[4]:
		return int64(0)
	case len(args) == 5:
		return b.serve(server, []string{"DEL", args[3]})
	default:
		return b.serve(server, []string{"PEXPIRE", args[3], args[5]})
	}
}

// taken sets another client's key on some servers.
func (b *bench) taken(servers ...int) {
	for _, s := range servers {
		b.keys[s] = "another's"
	}
}

// silence takes some servers' answers away.
func (b *bench) silence(servers ...int) {
	for _, s := range servers {
		b.down[s] = true
	}
}

// ours counts the servers that have this token.
func (b *bench) ours(token string) (n int) {
	for _, held := range b.keys {
		if held == token {
			n++
		}
	}
	return n
}

func config() Config { return Config{Rules: Reference(), Key: "k", Servers: []int{0, 1, 2, 3, 4}} }

func TestTheLockIsAcquiredAndReleasedOnAllServers(t *testing.T) {
	b, l := newBench(), NewRedlock(config())
	g := l.Acquire(b)
	if !g.Won() || g.Votes != 5 || len(b.keys) != 5 {
		t.Fatalf("grant %+v, keys %v", g, b.keys)
	}
	// 10 s − 5 ms elapsed − 1% − 2 ms, from the moment the votes were in.
	if want := 5*time.Millisecond + 10*time.Second - 5*time.Millisecond - 102*time.Millisecond; g.Deadline != want {
		t.Errorf("deadline %s, want %s", g.Deadline, want)
	}
	if left := l.Left(b, g); left != g.Deadline-b.now {
		t.Errorf("left %s", left)
	}
	if !l.Release(b, g) || len(b.keys) != 0 {
		t.Errorf("keys left: %v", b.keys)
	}
}

func TestAMajorityIsEnoughAndLessIsNot(t *testing.T) {
	for held := range 6 {
		b, l := newBench(), NewRedlock(config())
		for server := range held {
			b.keys[server] = "another's"
		}
		g := l.Acquire(b)
		if g.Won() != (held <= 2) {
			t.Errorf("%d servers held by another: outcome %d", held, g.Outcome)
		}
		if !g.Won() && (g.Outcome != NoQuorum || len(b.keys) != held) {
			t.Errorf("%d servers held by another: outcome %d, keys %v", held, g.Outcome, b.keys)
		}
	}
}

func TestStepThreeRejectsALateLock(t *testing.T) {
	slow := func(b *bench, n int) {
		if n == 5 {
			b.now += 10 * time.Second
		}
	}
	b := newBench()
	b.after = slow
	if g := NewRedlock(config()).Acquire(b); g.Outcome != TooLate || len(b.keys) != 0 || !g.Clean {
		t.Errorf("grant %+v, keys %v", g, b.keys)
	}
	b, c := newBench(), config()
	b.after, c.ValidityCheck = slow, false
	if g := NewRedlock(c).Acquire(b); !g.Won() {
		t.Errorf("without the check: %+v", g)
	}
}

func TestElapsedTimeIsCountedOnTheChosenClock(t *testing.T) {
	for _, clock := range []Clock{Monotonic, Wall} {
		b, c := newBench(), config()
		c.Clock = clock
		b.after = func(b *bench, n int) {
			if n == 5 {
				b.wallOff = -time.Hour // the wall clock is set back while the votes come in
			}
		}
		g := NewRedlock(c).Acquire(b)
		want := 9893 * time.Millisecond
		if clock == Wall {
			want += time.Hour // which is what a wall clock does to a lock
		}
		if left := NewRedlock(c).Left(b, g); left != want {
			t.Errorf("clock %d: %s left, want %s", clock, left, want)
		}
	}
}

func TestFailedAttemptIsReleasedOnSilentServersToo(t *testing.T) {
	for cleanup, want := range map[Cleanup]int{CleanAll: 0, CleanAnswered: 3, CleanNone: 5} {
		b, c := newBench(), config()
		c.Cleanup = cleanup
		for server := range 3 {
			b.down[server] = true
		}
		g := NewRedlock(c).Acquire(b)
		if g.Won() || len(b.keys) != want {
			t.Errorf("cleanup %d: outcome %d, keys %v", cleanup, g.Outcome, b.keys)
		}
		if g.Clean != (cleanup != CleanAll) {
			t.Errorf("cleanup %d: clean %t", cleanup, g.Clean)
		}
	}
}

func TestEachAttemptHasItsOwnToken(t *testing.T) {
	for _, fresh := range []bool{true, false} {
		b, c := newBench(), config()
		c.FreshToken = fresh
		l := NewRedlock(c)
		if first, second := l.Acquire(b), l.Acquire(b); (first.Token != second.Token) != fresh {
			t.Errorf("fresh %t: %s, %s", fresh, first.Token, second.Token)
		}
	}
}

func TestAReleaseTakesOnlyItsOwnKey(t *testing.T) {
	for _, compare := range []bool{true, false} {
		b, c := newBench(), config()
		if !compare {
			c.Free = Delete
		}
		l := NewRedlock(c)
		g := l.Acquire(b)
		b.keys[0] = "another's, for mine has expired"
		l.Release(b, g)
		if _, kept := b.keys[0]; kept != compare {
			t.Errorf("compare %t: another's key kept: %t", compare, kept)
		}
	}
}

func TestAServerThatForgotTheScriptIsGivenItsText(t *testing.T) {
	b, l := newBench(), NewSingle(Config{Rules: Reference(), Key: "k", Servers: []int{7}})
	l.Release(b, l.Acquire(b))
	l.Release(b, l.Acquire(b))
	b.loaded[7] = nil // it has restarted
	l.Release(b, l.Acquire(b))
	want := []string{"7 SET", "7 EVAL", "7 SET", "7 EVALSHA", "7 SET", "7 EVALSHA", "7 EVAL"}
	if !slices.Equal(b.calls, want) || len(b.keys) != 0 {
		t.Errorf("calls %v, want %v; keys %v", b.calls, want, b.keys)
	}
}

func TestAScriptWhoseAnswerWasLostIsSentWithItsTextAgain(t *testing.T) {
	b, c := newBench(), config()
	c.Servers = []int{7}
	l := NewRedlock(c)
	g := l.Acquire(b)
	b.silence(7)
	if l.Release(b, g) {
		t.Error("acknowledged by a silent server")
	}
	clear(b.down)
	l.Release(b, g)
	if want := []string{"7 SET", "7 EVAL", "7 EVAL"}; !slices.Equal(b.calls, want) {
		t.Errorf("calls %v, want %v", b.calls, want)
	}
	b.sick[7] = true // which is no reason to doubt that it knows the script
	l.Release(b, g)
	clear(b.sick)
	l.Release(b, g)
	if want := []string{"7 EVALSHA", "7 EVALSHA"}; !slices.Equal(b.calls[3:], want) {
		t.Errorf("calls %v, want %v", b.calls[3:], want)
	}
}

func TestServersAreAskedInTurnOrInParallel(t *testing.T) {
	for _, contact := range []Contact{Sequential, Parallel} {
		c := config()
		c.Contact = contact
		b, l := newBench(), NewRedlock(c)
		g := l.Acquire(b)
		l.Extend(b, &g)
		l.Release(b, g)
		rounds := 0
		for _, m := range b.marks {
			if m == "together" {
				rounds++
			}
		}
		if want := map[Contact]int{Sequential: 0, Parallel: 3}[contact]; rounds != want {
			t.Errorf("contact %d: %d of three rounds all at once", contact, rounds)
		}
	}
}

func TestALockWithoutItsFencingTokenIsNotHeld(t *testing.T) {
	b, c := newBench(), config()
	c.Fence = func(Client) (uint64, bool) { return 0, false }
	if g := NewRedlock(c).Acquire(b); g.Outcome != NoFence || len(b.keys) != 0 {
		t.Errorf("grant %+v, keys %v", g, b.keys)
	}
	asked := false
	c.Fence = func(Client) (uint64, bool) { asked = true; return 34, true }
	if g := NewRedlock(c).Acquire(b); g.Fence != 34 || !asked {
		t.Errorf("grant %+v", g)
	}
}

func TestRetryWaitsAndStops(t *testing.T) {
	b, c := newBench(), config()
	for server := range 5 {
		b.keys[server] = "another's"
	}
	g := Retry{Attempts: 3, Min: time.Second, Max: 2 * time.Second}.Acquire(b, NewRedlock(c), 0)
	tries := b.tokens
	if g.Won() || tries != 3 || b.now < 4*time.Second {
		t.Errorf("grant %+v after %d tries and %s", g, tries, b.now)
	}
}

func TestTheScriptsHaveTheNamesTheyAreCalledBy(t *testing.T) {
	for _, s := range []script{compareAndDelete, compareAndExtend} {
		sum := sha1.Sum([]byte(s.text))
		if name := hex.EncodeToString(sum[:]); name != s.sha {
			t.Errorf("the SHA-1 of %q is %s", s.text, name)
		}
	}
}
