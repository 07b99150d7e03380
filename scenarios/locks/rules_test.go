package locks

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestEachWayToTakeTheKeySendsItsCommands(t *testing.T) {
	for take, want := range map[Take]struct {
		calls []string
		life  string
	}{
		SetNXPX:         {[]string{"0 SET"}, "PX 10000"},
		SetNXThenExpire: {[]string{"0 SETNX", "0 PEXPIRE"}, "PX 10000"},
		GetThenSet:      {[]string{"0 GET", "0 SET"}, "PX 10000"},
		SetNXPXAT:       {[]string{"0 SET"}, "PXAT 71500"}, // its wall clock shows a minute more than the 1.5 s that are true
	} {
		b, c := newBench(), config()
		b.now, b.wallOff = 1500*time.Millisecond, time.Minute
		c.Servers, c.Take = []int{0}, take
		g := NewRedlock(c).Acquire(b)
		if !g.Won() || !slices.Equal(b.calls, want.calls) || b.lives[0] != want.life || b.keys[0] != g.Token {
			t.Errorf("take %d: grant %+v after %v, keys %v with lives %v", take, g, b.calls, b.keys, b.lives)
		}
		if two := len(want.calls) == 2; slices.Contains(b.marks, "between") != two {
			t.Errorf("take %d passes %v", take, b.marks)
		}
	}
}

func TestAKeyThatIsHeldIsNotTakenInAnyWay(t *testing.T) {
	for take := range Take(len(TakeNames)) {
		b, c := newBench(), config()
		c.Take = take
		b.taken(0, 1, 2)
		g := NewRedlock(c).Acquire(b)
		if g.Outcome != NoQuorum || g.Votes != 2 || b.ours("another's") != 3 || b.ours(g.Token) != 0 {
			t.Errorf("take %d: grant %+v, keys %v", take, g, b.keys)
		}
	}
}

// crash is what a test panics with where a client dies.
type crash struct{}

// dying makes the client die at a mark.
func dying(b *bench, mark string, do func()) {
	b.at = func(_ *bench, name string) {
		if name == mark {
			panic(crash{})
		}
	}
	defer func() { recover() }()
	do()
}

func TestAClientThatDiesBetweenSetnxAndExpireLeavesTheKeyForEver(t *testing.T) {
	b, c := newBench(), config()
	c.Take = SetNXThenExpire
	dying(b, "between", func() { NewRedlock(c).Acquire(b) })
	if held, ends := b.keys[0], b.lives[0]; held == "" || ends != "" {
		t.Errorf("the key is %q, and ends %q", held, ends)
	}
}

func TestAKeyThatIsGoneBeforeItsExpireIsNoVote(t *testing.T) {
	b, c := newBench(), config()
	c.Servers, c.Take = []int{0}, SetNXThenExpire
	b.at = func(b *bench, name string) {
		if name == "between" {
			delete(b.keys, 0)
		}
	}
	if g := NewRedlock(c).Acquire(b); g.Outcome != NoQuorum {
		t.Errorf("grant %+v", g)
	}
}

func TestTwoClientsSeeNoKeyAndBothSetIt(t *testing.T) {
	for take, both := range map[Take]bool{GetThenSet: true, SetNXPX: false} {
		b, c := newBench(), config()
		c.Servers, c.Take = []int{0}, take
		var other Grant
		b.after = func(b *bench, n int) {
			if n == 1 {
				other = NewRedlock(c).Acquire(b)
			}
		}
		if g := NewRedlock(c).Acquire(b); !g.Won() || other.Won() != both {
			t.Errorf("take %d: %+v and %+v", take, g, other)
		}
	}
}

func TestEachWayToFreeTheKeySendsItsCommands(t *testing.T) {
	for free, want := range map[Free][]string{
		CompareAndDelete: {"0 EVAL"},
		Delete:           {"0 DEL"},
		GetThenDelete:    {"0 GET", "0 DEL"},
	} {
		b, c := newBench(), config()
		c.Servers, c.Free = []int{0}, free
		l := NewRedlock(c)
		g := l.Acquire(b)
		b.calls = nil
		if !l.Release(b, g) || !slices.Equal(b.calls, want) || len(b.keys) != 0 {
			t.Errorf("free %d: %v, keys %v", free, b.calls, b.keys)
		}
		if slices.Contains(b.marks, "between") != (free == GetThenDelete) {
			t.Errorf("free %d passes %v", free, b.marks)
		}
	}
}

func TestAForeignKeyIsFreedByABlindDeleteOnly(t *testing.T) {
	for free := range Free(len(FreeNames)) {
		b, c := newBench(), config()
		c.Servers, c.Free = []int{0}, free
		l := NewRedlock(c)
		g := l.Acquire(b)
		b.taken(0)
		if !l.Release(b, g) || (len(b.keys) == 0) != (free == Delete) {
			t.Errorf("free %d: keys %v", free, b.keys)
		}
	}
}

func TestAKeyThatChangesHandsBetweenGetAndDeleteIsLostToItsNewOwner(t *testing.T) {
	for free, lost := range map[Free]bool{GetThenDelete: true, CompareAndDelete: false} {
		b, c := newBench(), config()
		c.Servers, c.Free = []int{0}, free
		l := NewRedlock(c)
		g := l.Acquire(b)
		first := len(b.calls) + 1
		b.after = func(b *bench, n int) {
			if n == first {
				b.taken(0)
			}
		}
		if l.Release(b, g); (len(b.keys) == 0) != lost {
			t.Errorf("free %d: keys %v", free, b.keys)
		}
	}
}

func TestAReleaseThatAServerRefusesIsNotAcknowledged(t *testing.T) {
	for free := range Free(len(FreeNames)) {
		b, c := newBench(), config()
		c.Free = free
		l := NewRedlock(c)
		g := l.Acquire(b)
		b.sick[4] = true
		if l.Release(b, g) || b.ours(g.Token) != 1 {
			t.Errorf("free %d: acknowledged, with keys %v", free, b.keys)
		}
	}
}

func TestASlowLastReplyComesAfterTheCheckThatCountedAtQuorum(t *testing.T) {
	for counted, won := range map[Counted]bool{AtTheEnd: false, AtQuorum: true} {
		b, c := newBench(), config()
		c.Counted = counted
		b.after = func(b *bench, n int) {
			if n == 5 {
				b.now += 11 * time.Second
			}
		}
		l := NewRedlock(c)
		g := l.Acquire(b)
		if g.Won() != won || slices.Contains(b.marks, "quorum") != won {
			t.Errorf("counted %d: %+v past %v", counted, g, b.marks)
		}
		if start := 10*time.Second - c.Drift(); won && (g.Deadline != start || l.Left(b, g) >= 0) {
			t.Errorf("counted %d: deadline %s, want %s, which has passed", counted, g.Deadline, start)
		}
	}
}

func TestAnAttemptWithoutAQuorumIsCountedAtTheEnd(t *testing.T) {
	b, c := newBench(), config()
	c.Counted, c.DeductElapsed = AtQuorum, false
	b.taken(0, 1, 2)
	b.after = func(b *bench, n int) { b.now += time.Second }
	if g := NewRedlock(c).Acquire(b); g.Outcome != NoQuorum || g.Deadline < 15*time.Second-c.Drift() {
		t.Errorf("grant %+v", g)
	}
}

func TestAnErrorCostsAVoteOrTheWholeAttempt(t *testing.T) {
	for name, ail := range map[string]func(b *bench){
		"no answer":      func(b *bench) { b.silence(4) },
		"an error reply": func(b *bench) { b.sick[4] = true },
	} {
		for take := range Take(len(TakeNames)) {
			for _, tolerant := range []bool{true, false} {
				b, c := newBench(), config()
				c.Take, c.TolerateErrors = take, tolerant
				ail(b)
				g := NewRedlock(c).Acquire(b)
				if tolerant && (!g.Won() || g.Votes != 4) {
					t.Errorf("%s, take %d: %+v", name, take, g)
				}
				if !tolerant && (g.Outcome != Broken || len(b.keys) != 0) {
					t.Errorf("%s, take %d: %+v, keys %v", name, take, g, b.keys)
				}
			}
		}
	}
}

// A server that fails between the two steps has not granted the key, and one that fails at the first is not asked the
// second.
func TestAFailureBetweenTwoStepsIsAFailure(t *testing.T) {
	for take, second := range map[Take]string{SetNXThenExpire: "0 PEXPIRE", GetThenSet: "0 SET"} {
		b, c := newBench(), config()
		c.Take, c.TolerateErrors = take, false
		b.at = func(b *bench, name string) {
			if name == "between" {
				b.at = nil
				b.silence(0)
			}
		}
		if g := NewRedlock(c).Acquire(b); g.Outcome != Broken || g.Votes != 4 || !slices.Contains(b.calls, second) {
			t.Errorf("take %d: %+v after %v", take, g, b.calls)
		}
		b.calls = nil
		NewRedlock(c).Acquire(b)
		if slices.Contains(b.calls, second) {
			t.Errorf("take %d: a silent server is asked more: %v", take, b.calls)
		}
	}
}

func TestAReleaseThatFailsBetweenTwoStepsIsNotAcknowledged(t *testing.T) {
	b, c := newBench(), config()
	c.Free = GetThenDelete
	l := NewRedlock(c)
	g := l.Acquire(b)
	b.at = func(b *bench, name string) { b.silence(0) }
	if l.Release(b, g) {
		t.Errorf("acknowledged, after %v", b.calls)
	}
}

func TestAnotherClientsKeyIsNoError(t *testing.T) {
	for take := range Take(len(TakeNames)) {
		b, c := newBench(), config()
		c.Take, c.TolerateErrors = take, false
		b.taken(3, 4)
		if g := NewRedlock(c).Acquire(b); !g.Won() {
			t.Errorf("take %d: %+v", take, g)
		}
	}
}

func TestTheAwakeClockMissesASuspension(t *testing.T) {
	for clock, left := range map[Clock]time.Duration{Monotonic: -107 * time.Millisecond, Awake: 9893 * time.Millisecond} {
		b, c := newBench(), config()
		c.Clock = clock
		l := NewRedlock(c)
		g := l.Acquire(b)
		b.now, b.awakeOff = b.now+10*time.Second, -10*time.Second
		if got := l.Left(b, g); got != left {
			t.Errorf("clock %d: %s left, want %s", clock, got, left)
		}
	}
}

// Each list of names must follow the constants that it names, for a scenario's word is its place in the list.
func TestEachListOfNamesFollowsItsConstants(t *testing.T) {
	lists := map[string][]string{
		"Contact": ContactNames, "Clock": ClockNames, "Take": TakeNames, "Counted": CountedNames, "Free": FreeNames,
		"Cleanup": CleanupNames,
		"Value":   ValueNames,
	}
	file, err := parser.ParseFile(token.NewFileSet(), "config.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for _, d := range file.Decls {
		if group, ok := d.(*ast.GenDecl); ok && group.Tok == token.CONST {
			kind := group.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident).Name
			for _, s := range group.Specs {
				found[kind] = append(found[kind], s.(*ast.ValueSpec).Names[0].Name)
			}
		}
	}
	if len(found) != len(lists) {
		t.Errorf("there are constants of the kinds %v", slices.Sorted(maps.Keys(found)))
	}
	// “CleanAll” is “all”: a constant may begin with a word that its list can do without.
	for kind, names := range lists {
		if len(names) != len(found[kind]) {
			t.Errorf("%s: %v are the names of %v", kind, names, found[kind])
			continue
		}
		for i, constant := range found[kind] {
			if !strings.HasSuffix(strings.ToLower(constant), strings.ReplaceAll(names[i], "-", "")) {
				t.Errorf("%s: %s is named %s", kind, constant, names[i])
			}
		}
	}
}
