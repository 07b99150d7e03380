package locktest_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/internal/stuck"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/locktest"
	"github.com/lockstorm/lockstorm/scenarios/scenariostest"
	"github.com/lockstorm/lockstorm/sim/simtest"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

func newReference(c locks.Config) locks.Lock { return locks.NewRedlock(c) }

// A case is a test of a lock that another process runs, as its outcome is looked at.
var cases = map[string]func(*testing.T){
	"unsafe": func(t *testing.T) {
		locktest.Run(t, "distlock/blind-delete", newUnsafe, locktest.On("single"), locktest.Seeds(3), locktest.Report())
	},
	"majority": func(t *testing.T) { locktest.Run(t, "kleppmann/gc-pause", newUnsafe, locktest.Seeds(1)) },
	"fuzz":     func(t *testing.T) { fuzz(t, newUnsafe) },
	"fixed":    func(t *testing.T) { fuzz(t, newReference) }, // the same test, once the lock is mended
	"expected": func(t *testing.T) {
		locktest.Run(t, "kleppmann/gc-pause", newReference, locktest.Expect("belief", checker.Holds), locktest.Seeds(1))
	},
	"better": func(t *testing.T) {
		locktest.Run(t, "kleppmann/gc-pause", newReference, locktest.Expect("belief", checker.Violated),
			locktest.Expect("quorum", checker.Violated), locktest.Seeds(1))
	},
	"key": func(t *testing.T) {
		locktest.Run(t, "baseline/single-instance", newPrefixed, locktest.On("single"), locktest.Seeds(1))
	},
	"key unseen":    func(t *testing.T) { locktest.Fuzz(t, "redlock/any", newHashed, locktest.Seeds(50)) },
	"key elsewhere": func(t *testing.T) { locktest.Fuzz(t, "single/any", newPrefixed, locktest.Seeds(50)) },
	"key empty":     func(t *testing.T) { locktest.Run(t, "baseline/single-instance", newPrefixed, locktest.Key("")) },
	"short TTL":     func(t *testing.T) { locktest.Run(t, "redlock/small", newReference, locktest.Shortest(time.Second)) },
	"short TTLs": func(t *testing.T) {
		locktest.Run(t, "redlock/*renewed*", newReference, locktest.Shortest(time.Second), locktest.Seeds(1))
	},
	"idle":    func(t *testing.T) { locktest.Run(t, "kleppmann/gc-pause", newIdle, locktest.Seeds(1)) },
	"panics":  func(t *testing.T) { locktest.Run(t, "kleppmann/gc-pause", newPanicking, locktest.Seeds(1)) },
	"pattern": func(t *testing.T) { locktest.Run(t, "kleppman/gc-pause", newReference) },
	"file":    func(t *testing.T) { locktest.Run(t, "none.yaml", newReference) },
	"property": func(t *testing.T) {
		locktest.Run(t, "kleppmann/gc-pause", newReference, locktest.Expect("belif", checker.Holds))
	},
	"kind":    func(t *testing.T) { locktest.Run(t, "kleppmann/gc-pause", newReference, locktest.On("two")) },
	"setting": func(t *testing.T) { locktest.Run(t, "kleppmann/gc-pause", newReference, locktest.Set("lock.tll=2s")) },
	"seeds":   func(t *testing.T) { locktest.Run(t, "kleppmann/gc-pause", newReference, locktest.Seeds(0)) },
	"faults":  func(t *testing.T) { locktest.Fuzz(t, "redlock/any", newReference, locktest.Faults("dely")) },
	"nil": func(t *testing.T) {
		locktest.Run(t, "kleppmann/gc-pause", func(locks.Config) locks.Lock { return nil })
	},
	"verdict": func(t *testing.T) { locktest.Run(t, "kleppmann/gc-pause", newReference, locktest.Expect("belief", 7)) },
	"nodes":   func(t *testing.T) { locktest.Run(t, "kleppmann/clock-jump", newUnsafe, locktest.On("single")) },
	"several": func(t *testing.T) {
		locktest.Run(t, "kleppmann/[cg]*-[jp]*", newUnsafe, locktest.On("single"), locktest.Seeds(1))
	},
	"any right": func(t *testing.T) { locktest.Fuzz(t, "redlock/any", newReference, locktest.Seeds(100)) },
	"any wrong": func(t *testing.T) { locktest.Fuzz(t, "single/any", newUnsafe, locktest.Seeds(100)) },
	"single right": func(t *testing.T) {
		locktest.Fuzz(t, "single/any", func(c locks.Config) locks.Lock { return locks.NewSingle(c) },
			locktest.Seeds(simtest.Times(20, 100)))
	},
	"everything": func(t *testing.T) {
		locktest.Fuzz(t, "single/any", newReference, locktest.Seeds(50), locktest.Faults("pause"), locktest.Everything())
	},
	"owed": func(t *testing.T) {
		locktest.Fuzz(t, "single/any", newReference, locktest.Seeds(50), locktest.Faults("pause"))
	},
	"everywhere":          func(t *testing.T) { locktest.Run(t, everywhere(), ways{}.made(), locktest.Seeds(1)) },
	"on one":              func(t *testing.T) { locktest.Run(t, "*/*", ways{}.made(), locktest.On("single"), locktest.Seeds(1)) },
	"on several":          func(t *testing.T) { locktest.Run(t, "*/*", ways{}.made(), locktest.On("redlock"), locktest.Seeds(1)) },
	"unchecked":           func(t *testing.T) { locktest.Run(t, "kleppmann/delayed-reply", unchecked.made(), locktest.Seeds(3)) },
	"extends in a search": func(t *testing.T) { locktest.Fuzz(t, "redlock/renewed", newUnsafe, locktest.Seeds(5)) },
	"unchecked search":    func(t *testing.T) { locktest.Fuzz(t, "redlock/any", unchecked.made(), locktest.Seeds(500)) },
	"unlooked":            func(t *testing.T) { locktest.Fuzz(t, "redlock/any", ways{unlooked: true}.made(), locktest.Seeds(500)) },
	"errors vote": func(t *testing.T) {
		i := slices.IndexFunc(novices, func(s sample) bool { return s.name == "error-is-a-yes" })
		locktest.Fuzz(t, novices[i].on, novices[i].new, locktest.Seeds(100))
	},
	"whole":             func(t *testing.T) { locktest.Test(t, newUnsafe, locktest.Seeds(50)) },
	"watchdog searched": func(t *testing.T) { locktest.Fuzz(t, "single/any", newRenewing, locktest.Seeds(20)) },
	"watchdog": func(t *testing.T) {
		endless := watchdogs[slices.IndexFunc(watchdogs, func(s sample) bool { return s.kind == "redisson" })]
		locktest.Run(t, "redisson/*", endless.new, locktest.On("redisson"), locktest.Seeds(2))
	},
	"extends":          func(t *testing.T) { locktest.Run(t, "distlock/extend", newUnsafe, locktest.Seeds(1)) },
	"stalls":           func(t *testing.T) { locktest.Run(t, "kleppmann/disk-stall", unchecked.made(), locktest.Seeds(1)) },
	"any TTL right":    func(t *testing.T) { anyTTL(t, ways{}.made()) },
	"any TTL rounded":  func(t *testing.T) { anyTTL(t, rounded) },
	"any TTL cut":      func(t *testing.T) { anyTTL(t, cut) },
	"any TTL endless":  func(t *testing.T) { anyTTL(t, newEndless) },
	"any TTL unasked":  func(t *testing.T) { anyTTL(t, unasked) },
	"any TTL in Run":   func(t *testing.T) { locktest.Run(t, "baseline/*", ways{}.made(), locktest.AnyTTL()) },
	"any TTL watchdog": func(t *testing.T) { anyTTL(t, newRenewing) },
	"no lock":          func(t *testing.T) { locktest.Run(t, "kleppmann/gc-pause", nil) },
	"chancy": func(t *testing.T) {
		made := 0
		locktest.Run(t, "kleppmann/gc-pause", func(c locks.Config) locks.Lock {
			made++
			return ways{prepare: func(c locks.Client) { c.Sleep(time.Duration(made) * time.Millisecond) }}.made()(c)
		}, locktest.Seeds(1))
	},
	"fuzz panics": func(t *testing.T) { locktest.Fuzz(t, "redlock/any", newPanicking, locktest.Seeds(20)) },
	"blocks": func(t *testing.T) {
		locktest.Run(t, "kleppmann/gc-pause", newWaiting(func() { select {} }), locktest.Seeds(3))
	},
	"fuzz blocks": func(t *testing.T) {
		locktest.Fuzz(t, "redlock/any", newWaiting(func() { select {} }), locktest.Seeds(3))
	},
	"spins": func(t *testing.T) {
		stuck.Patience = 100 * time.Millisecond
		locktest.Run(t, "kleppmann/gc-pause", newWaiting(func() {
			for { //nolint:staticcheck // it is to spin
			}
		}), locktest.Seeds(3))
	},
	"fuzz sleeps": func(t *testing.T) {
		locktest.Fuzz(t, "redlock/any", func(c locks.Config) locks.Lock { return sleeping{} }, locktest.Seeds(20))
	},
	"fuzz unknown": func(t *testing.T) {
		host := locktest.Hosted{Run: inVain, Check: func(*scenarios.Scenario) error { return nil }, Extends: func() bool { return false }}
		locktest.FuzzHosted(t, "redlock/any", host, locktest.Seeds(20))
	},
	"check": func(t *testing.T) {
		i := slices.IndexFunc(bugs, func(s sample) bool { return s.name == "half-the-life" })
		checkIn(t, bugs[i].on, bugs[i].new)
	},
	"check panics":  func(t *testing.T) { checkIn(t, "redlock/any", newPanicking) },
	"check option":  func(t *testing.T) { checkIn(t, "redlock/any", newReference, locktest.Seeds(3)) },
	"check nil":     func(t *testing.T) { checkIn(t, "redlock/any", nil) },
	"check extends": func(t *testing.T) { checkIn(t, "redlock/renewed", newUnsafe) },
	"no promise": func(t *testing.T) {
		locktest.Run(t, "kleppmann/gc-pause", newReference, locktest.Expect("contended", checker.Holds))
	},
}

// checkIn puts a lock into a property that draws universes of a scenario.
func checkIn(t *testing.T, scenario string, lock locktest.Constructor, options ...locktest.Option) {
	t.Helper()
	s, err := scenarios.Open(scenario)
	if err != nil {
		t.Fatal(err)
	}
	universes := scenariostest.Universes(&s)
	rapid.Check(t, func(rt *rapid.T) { locktest.Check(rt, universes.Draw(rt, "universe"), lock, options...) })
}

func fuzz(t *testing.T, lock locktest.Constructor) {
	locktest.Fuzz(t, "single/any", lock, locktest.Faults("hold"), locktest.Seeds(300), locktest.Promises("belief", "validity", "quorum"))
}

// An idle lock is never to be had.
type idle struct{}

func newIdle(locks.Config) locks.Lock { return idle{} }

func (idle) Acquire(locks.Client) locks.Grant       { return locks.Grant{Outcome: locks.NoQuorum} }
func (idle) Release(locks.Client, locks.Grant) bool { return true }

type panicking struct{ idle }

func newPanicking(locks.Config) locks.Lock { return panicking{} }

func (panicking) Acquire(locks.Client) locks.Grant { panic("no such thing") }

// A sleeping lock waits for its Client for ever.
type sleeping struct{ idle }

func (sleeping) Acquire(c locks.Client) locks.Grant {
	for {
		c.Sleep(time.Hour)
	}
}

// inVain makes a run that was cut short, because a library fails in each.
func inVain(_ *scenarios.Runner, s *scenarios.Scenario, seed uint64) *scenarios.Result {
	ours := *s
	ours.Lock.Run = nil
	res := scenarios.Run(ours, seed)
	res.CutShort("the library fails", "in its first line")
	res.Scenario = s
	return res
}

// A waiting lock waits for something that its Client knows nothing of.
type waiting struct {
	idle
	wait func()
}

func newWaiting(wait func()) locktest.Constructor {
	return func(locks.Config) locks.Lock { return waiting{wait: wait} }
}

func (w waiting) Acquire(c locks.Client) locks.Grant { w.wait(); return w.idle.Acquire(c) }

// newHashed makes a right lock that keeps its token in the field of a hash, where the judges don't look for it.
func newHashed(c locks.Config) locks.Lock {
	return ways{
		take: eval(`if redis.call('HSETNX', KEYS[1], 'owner', ARGV[1]) == 0 then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2]) return 1`),
		free: answered(`if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then redis.call('DEL', KEYS[1]) end return 0`),
	}.made()(c)
}

// newPrefixed makes a right lock that derives its own key.
func newPrefixed(c locks.Config) locks.Lock { c.Key = "mine:" + c.Key; return locks.NewSingle(c) }

// A right lock under its own key passes once the test names the key. Its reference keeps the usual key.
func TestALockMayKeepItsOwnKey(t *testing.T) {
	red(t, t.TempDir(), "key", "quorum should hold, and is violated", `never\s+held the\s+lock`)
	const unseen = `unknown: the lock was had \d+ times, and no server ever had the key "lock" with Grant.Token as its value`
	red(t, t.TempDir(), "key unseen", unseen, "locktest.Promises")
	red(t, t.TempDir(), "key elsewhere", unseen, "give locktest.Key")
	locktest.Fuzz(t, "redlock/any", newHashed, locktest.Seeds(20), locktest.Promises("belief", "validity"))
	red(t, t.TempDir(), "key empty", "give the key as the servers have it")
	key, single := locktest.Key("mine:lock"), locktest.On("single")
	locktest.Run(t, "baseline/single-instance", newPrefixed, single, key, locktest.Seeds(2))
	locktest.Run(t, "kleppmann/gc-pause", newPrefixed, single, key, locktest.Seeds(2))
	locktest.Fuzz(t, "single/any", newPrefixed, key, locktest.Seeds(50))
}

// A lock may reject a TTL that is shorter than it can keep: what it can't be in is skipped, with the reason.
func TestALockMayRefuseAShortTTL(t *testing.T) {
	why := "its TTL is 20ms, and the lock takes none below 1s"
	red(t, t.TempDir(), "short TTL", why)
	text, passes := output(t, t.TempDir(), "short TTLs", "-test.v")
	if !passes || !strings.Contains(text, why) || !strings.Contains(text, "--- SKIP: TestCase/redlock/small-renewed") {
		t.Errorf("passes: %t\n%s", passes, text)
	}
}

// TestCase is run by the other tests, in a separate process.
func TestCase(t *testing.T) {
	cases[need.Caller(t, "LOCKTEST_CASE", "each of the others")](t)
}

// output runs a case in a directory, and returns what it prints and whether it passes.
func output(t *testing.T, dir, name string, args ...string) (text string, passes bool) {
	t.Helper()
	c := exec.Command(os.Args[0], append([]string{"-test.run=^TestCase$", "-test.timeout=2m"}, args...)...)
	c.Dir, c.Env = dir, append(os.Environ(), "LOCKTEST_CASE="+name)
	out, err := c.CombinedOutput()
	return string(out), err == nil
}

// red runs a case that must fail and print what matches.
func red(t *testing.T, dir, name string, wants ...string) string {
	t.Helper()
	text, passes := output(t, dir, name)
	if passes {
		t.Errorf("%s passes", name)
	}
	for _, want := range wants {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("%s does not say %q:\n%s", name, want, text)
		}
	}
	return text
}

// Whatever rapid shrinks it to is a violation by itself, which the reference never shows there.
func TestUserPropertyFindsAPlantedBug(t *testing.T) {
	// How far rapid comes within a time depends on the machine: only the long proof waits until no fault is left.
	shrink, smallest := "1ns", ""
	if long {
		shrink, smallest = "1m", " without any fault"
	}
	text, passes := output(t, t.TempDir(), "check", "-rapid.nofailfile", "-rapid.checks=100", "-rapid.shrinktime="+shrink)
	for _, want := range []string{`\[rapid\] failed after \d+ tests: .*quorum.*` + smallest,
		`quorum: broken with \d+ of 200 other seeds, and by the reference \(redlock\) with 0 of 2000; by chance that happens less than`,
		`FAIL: unexpectedly, `, `draw universe: a scenario from redlock/any\n`, `-rapid.seed=`} {
		if passes || !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("passes: %t, and it does not say %q:\n%s", passes, want, text)
		}
	}
}

// A right lock passes, however it is made and extended, and whatever hits it.
func TestUserPropertyPassesRightLocks(t *testing.T) {
	draws := "5"
	if long {
		draws = "20000"
	}
	before := flag.Lookup("rapid.checks").Value.String()
	if err := flag.Set("rapid.checks", draws); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = flag.Set("rapid.checks", before) }()
	for _, s := range variants {
		t.Run(s.name, func(t *testing.T) { checkIn(t, s.on, s.new) })
	}
}

func TestInvalidChecksAreNamed(t *testing.T) {
	for name, want := range map[string]string{
		"check panics":  "the run panics: no such thing",
		"check option":  "Check takes the options Expect, Promises and Everything",
		"check nil":     "there is no constructor of a lock",
		"check extends": "the lock can't be tried in redlock/renewed: its lock is extended, and yours can't be",
	} {
		text, passes := output(t, t.TempDir(), name, "-rapid.nofailfile", "-rapid.shrinktime=1s")
		if passes || !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("%s: passes: %t, and it does not say %q:\n%s", name, passes, want, text)
		}
	}
}

// The reference, passed as a user's lock, passes every scenario that the catalogue has for Redlock.
func TestReferenceAsAUsersLockPasses(t *testing.T) {
	seeds := 2
	if !long {
		seeds = 1
	}
	for i, s := range scenarios.Catalogue() {
		if s.Lock.Kind == scenarios.Redlock && !strings.HasSuffix(s.ID, "/any") && (long || i%3 == 0) {
			locktest.Run(t, s.ID, newReference, locktest.Seeds(seeds))
		}
	}
}

func TestAnUnsafeReleaseIsRedWithItsReportAndTheCommand(t *testing.T) {
	dir := t.TempDir()
	text := red(t, dir, "unsafe", "belief should hold, and is violated", `An update was lost \(storage\)`, `c1\s+deleted\s+the\s+key`,
		`go test -run '\^TestCase\$/\^distlock\$/\^blind-delete\$/\^seed=1\$'`)
	if n := strings.Count(text, "true time  |"); n != 1 {
		t.Errorf("%d of 3 runs that fail have a whole report, and 1 should", n)
	}
	if alone, passes := output(t, dir, "unsafe", "-test.run=^TestCase$/^distlock$/^blind-delete$/^seed=2$"); passes || !strings.Contains(alone, "seed 2") {
		t.Errorf("one seed alone: %s", alone)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, quote, _ := strings.Cut(string(readme), "the test fails and says why:\n")
	quote, _, _ = strings.Cut(strings.TrimSpace(quote), "\n\n")
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	if quote == "" || !strings.Contains(words(text), words(quote)) {
		t.Errorf("README quotes %q, and the test says\n%s", quote, text)
	}
}

// The lock draws no token, so its client does. Otherwise storage could reject nothing, and the late write would
// succeed.
func TestALockThatDrawsNoFencingTokenIsFencedAllTheSame(t *testing.T) {
	locktest.Run(t, "kleppmann/gc-pause", newUnsafe, locktest.On("single"), locktest.Seeds(3))
}

func TestAReportIsKeptAmongTheArtifacts(t *testing.T) {
	dir := t.TempDir()
	if text, _ := output(t, dir, "unsafe", "-test.artifacts", "-test.outputdir="+dir); !strings.Contains(text, "report.html") {
		t.Errorf("it does not say where the report is: %s", text)
	}
	pages := 0
	_ = filepath.WalkDir(dir, func(name string, _ os.DirEntry, _ error) error {
		if filepath.Base(name) == "report.html" {
			pages++
		}
		return nil
	})
	if pages != 3 {
		t.Errorf("%d pages are kept, and 3 runs failed", pages)
	}
}

func TestFindingsAreShrunkKeptAndTriedFirst(t *testing.T) {
	dir := t.TempDir()
	text := red(t, dir, "fuzz", `belief breaks in \d+ of 300 universes`, `kept in testdata/lockstorm/TestCase\.`)
	kept, _ := filepath.Glob(filepath.Join(dir, "testdata/lockstorm/TestCase.*.find"))
	if len(kept) == 0 {
		t.Fatalf("no find is kept: %s", text)
	}
	again := red(t, dir, "fuzz", "it still breaks as when it was found")
	if strings.Contains(again, "of 300 universes") {
		t.Error("it searches though what is known still breaks")
	}
	if text, passes := output(t, dir, "fixed", "-test.v"); !passes || !strings.Contains(text, filepath.Base(kept[0])) {
		t.Errorf("the mended lock: %s", text)
	}
}

func TestFailuresAreNamed(t *testing.T) {
	for name, want := range map[string]string{
		"majority":       `one node alone, and is judged by a majority of 5.*On\("single"\)`,
		"expected":       "belief should hold, and is violated",
		"better":         "quorum should be violated, and holds",
		"idle":           "acquired-by-two.* never happened, so the run proves nothing",
		"panics":         `seed 1: the run panics: no such thing\s+.*panicking\.Acquire`,
		"blocks":         `gc-pause, seed 1: unknown: the lock never continues(?s).*\[select \(no cases\)\].*waiting\.Acquire`,
		"spins":          `gc-pause, seed 1: unknown: the lock never continues(?s).*waiting\.Acquire`,
		"fuzz blocks":    `redlock/any: unknown: in one of the runs the lock never continues(?s).*waiting\.Acquire`,
		"nil":            "seed 1: the run panics: the constructor returned nil",
		"verdict":        `Expect\("belief", 7\): there is no such verdict; give checker.Holds`,
		"nodes":          "kleppmann/clock-jump: it is about several nodes",
		"pattern":        `no scenario matches "kleppman/gc-pause".*kleppmann/gc-pause`,
		"file":           `no file matches "none.yaml"`,
		"property":       `there is no promise "belif"; did you mean belief.*there are belief, validity`,
		"no promise":     `there is no promise "contended"`,
		"kind":           `there is no kind "two"; there are redlock`,
		"setting":        `lock\.tll.*lock\.ttl`,
		"seeds":          `Seeds\(0\): give 1 or more`,
		"faults":         `"dely".*delay`,
		"chancy":         "seed 1: made twice, the run is not the same: the lock, or a server of yours",
		"any TTL in Run": "only Fuzz and Test take the option AnyTTL",
		"no lock":        "there is no constructor of a lock",
	} {
		if name == "spins" && !simtest.Long { // it burns a core until it is found to be stuck, as "blocks" is
			continue
		}
		red(t, t.TempDir(), name, want)
	}
}

func TestALockOnOneNodeSkipsScenariosAboutSeveral(t *testing.T) {
	text, passes := output(t, t.TempDir(), "several", "-test.v")
	if want := "it is about several nodes"; !passes || strings.Count(text, want) != 2 || !strings.Contains(text, "PASS: TestCase/kleppmann/gc-pause") {
		t.Errorf("it passes: %v, and should skip two scenarios with %q:\n%s", passes, want, text)
	}
}

// everywhere names all scenarios, or for the short run the scenarios of some sources.
func everywhere() string {
	if long {
		return "*/*"
	}
	return "[efk]*/[a-f]*"
}

// unchecked is a Redlock without its third step: it never looks how much validity is left.
var unchecked = ways{anyTime: true}

// A lock without a bug is red nowhere in the catalogue: what a scenario asks beyond it is a skip, with its reason.
func TestARightLockIsRedInNoScenarioOfTheCatalogue(t *testing.T) {
	for name, wants := range map[string][]string{
		"everywhere": {"its lock is of the kind etcd, and on those servers yours can't be had, even without a fault",
			"its lock counts fencing tokens itself, and yours gives none", "a lock that refuses a grant because no validity is left says so"},
		"on one":     {`it is not for a lock of the kind single: fault.1: .* no host is named "o"`, "it is about several nodes"},
		"on several": {`it is not for a lock of the kind redlock: fault.1: .* no host is named "o"`},
	} {
		t.Run(name, func(t *testing.T) {
			if !long && strings.HasPrefix(name, "on ") {
				need.Long(t)
			}
			text, passes := output(t, t.TempDir(), name, "-test.v")
			if !passes {
				t.Error(text)
			}
			for _, want := range wants {
				if !regexp.MustCompile(want).MatchString(text) {
					t.Errorf("no skip says %q", want)
				}
			}
		})
	}
}

// A test in which each scenario is skipped would be green whatever the lock is.
func TestATestThatTriesNothingIsRed(t *testing.T) {
	const nothing = "nothing was tried, for each scenario was skipped"
	red(t, t.TempDir(), "extends", "its lock is extended, and yours can't be: it is no locks.Extender", nothing)
	red(t, t.TempDir(), "extends in a search", "its lock is extended, and yours can't be", nothing)
}

// The scenario is about the third step, and the lock has none: it is not enough to say that nothing was rejected.
func TestLockWithTheScenariosBugFails(t *testing.T) {
	red(t, t.TempDir(), "unchecked", "c1 got the lock when no validity was left of it, by the lock's own deadline", "as with seed 1")
	red(t, t.TempDir(), "stalls", "belief should hold, and is violated",
		"so does a lock with the bug no-validity-check-on-stalled-disks", `\^seed=2\$`)
}

// The best-known flaw of Redlock breaks only promises that no lock keeps under pauses. The grant itself shows it.
func TestASearchFindsAMissingThirdStep(t *testing.T) {
	dir := t.TempDir()
	const late = "c[1-3] got the lock when no validity was left of it, by the lock's own deadline: it "
	red(t, dir, "unlooked", late+"did not look at its clock after the replies",
		"grants are late in .* universes", `kept in testdata/lockstorm/TestCase\.late-grant\.seed-`)
	red(t, dir, "unlooked", "it still breaks as when it was found: "+late)
	if text, passes := output(t, dir, "any right", "-test.v"); !passes || !strings.Contains(text, "late-grant") {
		t.Errorf("the mended lock: %s", text)
	}
	red(t, t.TempDir(), "unchecked search", late+"looked at its clock after the replies, and took the lock")
}

// A server that answers with an error has not voted. No lock of the kind breaks anything under such answers.
func TestASearchFindsAnErrorThatCountsAsAVote(t *testing.T) {
	red(t, t.TempDir(), "errors vote", `belief.* under refuse: seed \d+`, "the catalogue's never broke it under refuse",
		`broken with \d+ of 200 other seeds, and by the reference \(redlock\) with 0 of 2000`)
	locktest.Fuzz(t, "redlock/errors", ways{}.made(), locktest.Seeds(100))
	locktest.Fuzz(t, "single/errors", ways{}.made(), locktest.Seeds(100))
}

// Test needs no scenario, no pattern, and no word about where the lock runs.
func TestOneCallRunsScenariosAndSearches(t *testing.T) {
	text, passes := output(t, t.TempDir(), "whole", "-test.v", "-test.run=^TestCase$/^(distlock|search)$")
	for _, want := range []string{`FAIL: TestCase/distlock/blind-delete/seed=3`, `it is about several nodes`,
		`FAIL: TestCase/search/single/any`, `LOCKSTORM_FIND='single/any .*' go test -run '\^TestCase\$/\^search\$'`} {
		if passes || !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("passes: %t, and it does not say %q:\n%s", passes, want, text)
		}
	}
	if strings.Contains(text, "search/redlock") {
		t.Error("it searches for what breaks a lock on several servers")
	}
}

// A panic in a search is its result: with the lock's frames, and a file that repeats it.
func TestALockThatPanicsInASearchIsKeptAndTriedFirst(t *testing.T) {
	dir := t.TempDir()
	red(t, dir, "fuzz panics", `redlock/any, seed 1: the run panics: no such thing(?s).*kept in testdata/lockstorm/TestCase\.panic\.seed-1\.find.*panicking\.Acquire`)
	red(t, dir, "fuzz panics", `redlock/any, seed 1: the run panics: no such thing(?s).*panicking\.Acquire`)
}

// A search in which nothing is known, or in which no client ever has the lock, proves nothing.
func TestASearchThatShowsNothingIsRed(t *testing.T) {
	red(t, t.TempDir(), "fuzz unknown", `redlock/any, seed 1: unknown: the library fails:\s+in its first line`,
		"redlock/any: unknown: in no universe is it known whether a promise holds")
	red(t, t.TempDir(), "fuzz sleeps", "deadlock-free breaks in")
}

// A search also draws faults that no lock survives. What the reference breaks there does not count against a lock.
func TestASearchOfARightLockIsGreen(t *testing.T) {
	if text, passes := output(t, t.TempDir(), "any right"); !passes {
		t.Error(text)
	}
}

// The command of a finding contains all of it, so it works on a machine that has only the test. A missing file must not
// let the test pass.
func TestFindingsCommandNeedsNoFile(t *testing.T) {
	text := red(t, t.TempDir(), "any wrong", "Repeat it anywhere: LOCKSTORM_FIND='single/any seed=",
		`breaks in .* universes in which it must hold(?s).*and by the reference \(single\) with 0 of 2000`)
	_, find, _ := strings.Cut(text, "LOCKSTORM_FIND='")
	find, _, _ = strings.Cut(find, "'")
	t.Setenv("LOCKSTORM_FIND", find)
	red(t, t.TempDir(), "any wrong", "it still breaks as when it was found")
	if text, passes := output(t, t.TempDir(), "single right"); !passes {
		t.Errorf("a right lock under a find of a wrong one: %s", text)
	}
	t.Setenv("LOCKSTORM_FIND", "testdata/lockstorm/gone.find")
	red(t, t.TempDir(), "any wrong", "LOCKSTORM_FIND: open testdata/lockstorm/gone.find: no such file")
	t.Setenv("LOCKSTORM_FIND", "redlock/any seed=1")
	red(t, t.TempDir(), "any wrong", "is from redlock/any, and this test has no such scenario")
}

// A test asks by name for a promise that no lock of the kind keeps, and the failure says so.
func TestNamedPromisesAreJudgedEvenIfNoLockKeepsThem(t *testing.T) {
	red(t, t.TempDir(), "everything", "No lock of this kind is known to keep it under pause of clients", `by the reference \(single\) with [1-9]`)
	if text, passes := output(t, t.TempDir(), "owed", "-test.v"); !passes {
		t.Error(text)
	}
}
