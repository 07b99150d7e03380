package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// asCommand makes this test, started again, the program itself.
const asCommand = "LOCKSTORM_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// Each command of the record of findings that runs in the simulator shows a promise that breaks.
func TestCommandsOfTheRecordBreakAPromise(t *testing.T) {
	page, err := os.ReadFile(folder + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile("`(run [^`]+)`").FindAllStringSubmatch(string(page), -1)
	if len(commands) < 8 {
		t.Errorf("only %d commands", len(commands))
	}
	for _, c := range commands {
		if out, code := record(t, strings.Fields(c[1])...); !broken.MatchString(out) || code > 1 {
			t.Errorf("lockstorm-full %s: exit %d\n%s", c[1], code, out)
		}
	}
}

// folder is where the record is, in which its commands run.
const folder = "../../scenarios/guests/findings/"

// broken is how a report begins the story of a promise that broke.
var broken = regexp.MustCompile(`\((belief|validity|quorum|storage|continuity|once)\)\.`)

// record runs a command of the record, and returns what it prints and its exit code.
func record(t *testing.T, args ...string) (out string, code int) {
	t.Helper()
	program := exec.Command(os.Args[0], append(args, "--no-store")...)
	program.Dir, program.Env = folder, append(os.Environ(), asCommand+"=1")
	said, err := program.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(said), program.ProcessState.ExitCode()
}

// Each command of the record that runs on real servers shows a promise that breaks or a grant of a lock that has ended, unless
// the machine is too busy.
func TestLiveCommandsOfTheRecordShowTheirFlaw(t *testing.T) {
	need.Long(t) // one downloads npm's redlock, and each takes a minute
	page, err := os.ReadFile(folder + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	adapters := map[string]func(t *testing.T) string{"29": curatorAdapter, "30": redlockAdapter}
	commands := regexp.MustCompile("(?m)^\\| \\[(\\d+)\\].*`(live [^`]+) --adapter \"([^`]+)\"`").FindAllStringSubmatch(string(page), -1)
	if len(commands) != len(adapters) {
		t.Errorf("%d commands, and %d adapters", len(commands), len(adapters))
	}
	for _, c := range commands {
		t.Run(c[1], func(t *testing.T) {
			adapter := strings.ReplaceAll(c[3], "$A", adapters[c[1]](t))
			out, code := record(t, append(strings.Fields(c[2]), "--attempts", "1", "--adapter", adapter)...)
			ended := strings.Contains(strings.Join(strings.Fields(out), " "), "was granted the lock with no validity left")
			if code == 2 && !ended {
				need.Possible(t, "it has no verdict", errors.New(out))
			}
			if code == 0 || code > 2 || !ended && !broken.MatchString(out) {
				t.Errorf("lockstorm-full %s: exit %d\n%s", c[2], code, out)
			}
		})
	}
}

// adapterFolder is where the adapters are, seen from here.
const adapterFolder = "../../scenarios/live/adapters"

// curatorAdapter compiles Curator's adapter, and returns its command.
func curatorAdapter(t *testing.T) string {
	compiler, classes := need.Program(t, "Curator is not run", "javac"), t.TempDir()
	const recipes, server = "/usr/share/java/curator-recipes.jar", "/usr/share/java/zookeeper.jar"
	for _, jar := range []string{recipes, server} {
		if _, err := os.Stat(jar); err != nil {
			need.Possible(t, "Curator is not run", fmt.Errorf("%w (Debian: libcurator-recipes-java, zookeeper)", err))
		}
	}
	out, err := exec.Command(compiler, "-cp", recipes, "-sourcepath", adapterFolder, "-d", classes, adapterFolder+"/CuratorAdapter.java").CombinedOutput()
	if err != nil {
		t.Fatalf("javac: %v\n%s", err, out)
	}
	return "java -Xmx64m -XX:+UseSerialGC -cp " + classes + ":" + recipes + ":" + server + " CuratorAdapter"
}

// redlockAdapter downloads npm's redlock, and returns its adapter's command.
func redlockAdapter(t *testing.T) string {
	need.Program(t, "npm's redlock is not run", "redis-server")
	npm, modules := need.Program(t, "npm's redlock is not run", "npm"), t.TempDir()
	install := exec.Command(npm, "install", "--no-audit", "--no-fund", "redlock@5.0.0-beta.2", "ioredis@5.11.1")
	install.Dir = modules
	if out, err := install.CombinedOutput(); err != nil {
		need.Possible(t, "npm's redlock is not run", errors.New("npm does not bring it here: "+string(out)))
	}
	adapter, err := filepath.Abs(adapterFolder + "/redlock.js")
	if err != nil {
		t.Fatal(err)
	}
	return "env NODE_PATH=" + modules + "/node_modules node " + adapter
}
