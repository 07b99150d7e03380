package locktest

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// A finding has only its differences from its scenario. With them it is the same universe again, on several lines or on
// one.
func TestFindingRoundTrips(t *testing.T) {
	for _, id := range []string{"redlock/any", "redlock/renewed", "single/any", "failover/any", "kleppmann/gc-pause"} {
		s, _ := scenarios.Find(id)
		s.Mutants, s.Bounds = nil, nil
		if !s.Search.Drawn() {
			s.Search = s.DefaultSearch()
		}
		universes := s.Universes()
		seeds := uint64(100)
		if !simtest.Long {
			seeds = 25
		}
		for seed := range seeds {
			u := universes.At(seed)
			if seed == 0 {
				u.Faults = faults.Schedule{} // as shrinking leaves it that dropped every fault
			}
			lines, err := written(&u, &s, seed)
			if err != nil {
				t.Fatalf("%s, seed %d: %v", id, seed, err)
			}
			for _, text := range []string{strings.Join(lines, "\n"), strings.Join(lines, "; "), "# a; remark\n" + strings.Join(lines, "\n") + "\n"} {
				again, its, err := readFind(text, []scenarios.Scenario{s})
				if plain := bare(u); err != nil || its != seed || !bytes.Equal(again.YAML(), plain.YAML()) {
					t.Errorf("%s, seed %d: %v, seed %d:\n%s\nfrom\n%s", id, seed, err, its, again.YAML(), text)
				}
			}
		}
	}
}

// A universe that differs in more than settings and faults is in no file, and the failure names none.
func TestFindingThatCannotBeKeptNamesNoFile(t *testing.T) {
	t.Chdir(t.TempDir())
	s, _ := scenarios.Find("redlock/any")
	u := s
	u.Title = "another"
	broken := false
	tr := trial{test: "TestLock"}
	_, said := tr.write(&failing{broken: &broken}, &search{scenario: &s}, &u, 7, "belief", nil)
	if files := keptFinds("TestLock"); !broken || files != nil || strings.Contains(said, "It is kept in") {
		t.Errorf("failed %t, %q, and it says\n%s", broken, files, said)
	}
}

// A failing notes that it failed.
type failing struct {
	rapid.TB
	broken *bool
}

func (f *failing) Helper()               {}
func (f *failing) Errorf(string, ...any) { *f.broken = true }

func TestInvalidFindingSaysWhy(t *testing.T) {
	s, _ := scenarios.Find("redlock/any")
	for text, want := range map[string]string{
		"":                                  "the find says nothing",
		"single/any seed=1":                 "this test has no such scenario",
		"redlock/any seed=x":                "not a number",
		"redlock/any seed=1 nods=3":         `"nods"; did you mean nodes`,
		"redlock/any seed=1; pause c1":      "the find: ",
		"redlock/any seed=1; at 1s hold c9": "the find: ",
	} {
		if _, _, err := readFind(text, []scenarios.Scenario{s}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// A search draws nothing that the test sets, and no TTL that the lock rejects.
func TestASearchKeepsToTheOptions(t *testing.T) {
	for _, id := range []string{"redlock/any", "redlock/renewed"} {
		options := []Option{Set("nodes=4"), Set("lock.contact=sequential"), Shortest(time.Second)}
		tr := newTrial(t, id, own(func(locks.Config) locks.Lock { return nil }), options)
		universes := tr.scenarios[0].Universes()
		ttls := map[time.Duration]bool{}
		for seed := range uint64(200) {
			u := universes.At(seed)
			ttls[u.Lock.TTL] = true
			if u.Nodes != 4 || u.Lock.Contact != locks.Sequential || u.Lock.TTL < time.Second {
				t.Fatalf("%s, seed %d: nodes %d, contact %v, TTL %v", id, seed, u.Nodes, u.Lock.Contact, u.Lock.TTL)
			}
		}
		if id == "redlock/any" && len(ttls) != 2 {
			t.Errorf("%s: of the TTLs 1 s and 2 s it draws %v", id, ttls)
		}
	}
	s, _ := scenarios.Find("redlock/any")
	s.Search.Vary = []scenarios.Choice{{Setting: "lock.ttl", From: "300ms", To: "2s"}}
	tr := beginTrial(t, own(func(locks.Config) locks.Lock { return nil }), []Option{Shortest(time.Second)})
	if err := tr.prepare(&s); err != nil {
		t.Fatal(err)
	}
	universes := s.Universes()
	for seed := range uint64(200) {
		if u := universes.At(seed); u.Lock.TTL < time.Second {
			t.Fatalf("seed %d of a range: TTL %v", seed, u.Lock.TTL)
		}
	}
}

// The name of a test may have signs that mean something in a pattern.
func TestKeptFilesAreFoundByTheTestsName(t *testing.T) {
	t.Chdir(t.TempDir())
	if files := keptFinds("TestLock"); files != nil {
		t.Errorf("where nothing was kept there is %q", files)
	}
	want := fileNamed("TestLock/[redis]", "belief-pause", 7) + suffix
	for _, file := range []string{want, fileNamed("TestLock", "belief", 7) + suffix, fileNamed("TestLock/[redis]", "notes", 7) + ".txt"} {
		if err := keepFind(file, nil, []string{"redlock/any seed=7"}); err != nil {
			t.Fatal(err)
		}
	}
	if files := keptFinds("TestLock/[redis]"); !slices.Equal(files, []string{want}) {
		t.Errorf("it finds %q, want %s", files, want)
	}
}

func TestAdversityIsAClassAndItsTarget(t *testing.T) {
	s, _ := scenarios.Find("redlock/any")
	for line, want := range map[string][]adversity{
		"at 1s for 1s pause c1":               {"pause of clients"},
		"at 1s for 1s pause holder":           {"pause of clients"},
		"at 1s for 1s suspend minority":       {"suspend of nodes"},
		"at 1s jump n1 +2s":                   {"jump of nodes"},
		"at 1s for 9s strobe c2 1s every 2s":  {"jump of clients"},
		"at 1s slew a-node -1ms at 500ppm":    {"drift of nodes"},
		"at 1s for 1s hold c1>n2":             {"delay"},
		"at 1s for 1s hold s>c1":              {"delay elsewhere"},
		"at 1s for 1s slow-node nodes by 5ms": {"delay"},
		"at 1s for 1s lossy c1>s 20000ppm":    {"loss elsewhere"},
		"at 1s for 1s partition c1 | n1 n2":   {"partition"},
		"at 1s for 1s crash c1":               {"crash"},
		"at 1s for 1s restart n1":             {"restart onto nothing"},
		"at 1s for 1s pause all":              {"pause elsewhere"},
	} {
		u := s
		var err error
		if u.Faults, err = faults.Parse(line); err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if got := adversities(&u); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	if err := s.Set("persistence=" + onDisk); err != nil {
		t.Fatal(err)
	}
	s.Faults, _ = faults.Parse("at 1s for 1s restart n1")
	if got := adversities(&s); !slices.Equal(got, []adversity{"restart onto disks"}) {
		t.Errorf("on disks: %q", got)
	}
}

// Shrinking may end before it drops a fault that hits nothing. A finding drops it, if it breaks as often without.
func TestFindingHasNoFaultThatHitsNothing(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	u := s
	u.Faults = append(slices.Clone(s.Faults), faults.Schedule{{Kind: faults.Pause, Host: "c1", At: clock.Instant(200 * time.Second), For: time.Second}}...)
	storage := slices.IndexFunc(checker.Properties, func(p checker.Property) bool { return p.Name == "storage" })
	h := &search{scenario: &s, watched: campaign.All()}
	if left := h.prune(trail{u, 1}, storage, 1).universe.Faults.String(); left != s.Faults.String() {
		t.Errorf("left is\n%s", left)
	}
	if left := h.prune(trail{u, 1}, storage, screenRuns+1).universe.Faults.String(); left != u.Faults.String() {
		t.Errorf("it does not break as often, and left is\n%s", left)
	}
}

// Test tries unusual TTLs in the first of its searches. That is a plain one, and none whose work comes by ticks.
func TestTheFirstSearchIsPlain(t *testing.T) {
	for kind, want := range map[scenarios.Kind]string{scenarios.Single: "single/any", scenarios.Redlock: "redlock/any"} {
		tr := newTrial(t, "*/*", own(func(locks.Config) locks.Lock { return nil }), nil)
		tr.only(kind)
		if got := tr.scenarios[0].ID; got != want {
			t.Errorf("%s: the first is %s, want %s", kind, got, want)
		}
	}
}
