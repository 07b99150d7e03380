package findings_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// redlock returns the folder of node modules with a version of redlock and with ioredis.
func redlock(t *testing.T, version string) string {
	t.Helper()
	need.Long(t) // it downloads them
	npm, folder := need.Program(t, "no lock of Node is tried", "npm"), t.TempDir()
	install := exec.Command(npm, "install", "--no-audit", "--no-fund", "redlock@"+version, "ioredis@5.11.1")
	install.Dir = folder
	if out, err := install.CombinedOutput(); err != nil {
		need.Possible(t, "no lock of Node is tried", errors.New("npm does not bring redlock here: "+string(out)))
	}
	return filepath.Join(folder, "node_modules")
}

// output runs a program of this folder on a redis-server, whose port is its last argument.
func output(t *testing.T, env string, args ...string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(realServer(t).addr)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(args[0], append(args[1:], port)...)
	c.Env = append(os.Environ(), env)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// Findings 30 and 31: redlock 5 does what redlock 4 does not.
func TestRedlock5ReturnsALockThatHasEnded(t *testing.T) {
	for version, want := range map[string][]string{
		"5.0.0-beta.2": {"its key is null", "Cannot extend an already-expired lock."}, "4.2.0": {"no lock", "extended\n"},
	} {
		modules := "NODE_PATH=" + redlock(t, version)
		for i, file := range []string{"redlock-pause.js", "redlock-retries.js"} {
			if out := output(t, modules, "node", file); !strings.Contains(out, want[i]) {
				t.Errorf("redlock %s, %s: it says no %q\n%s", version, file, want[i], out)
			}
		}
	}
}

// Finding 32: redis-py deletes a lock without an end that is acquired again, and says that it was acquired.
func TestRedisPyDeletesALockWithoutAnEnd(t *testing.T) {
	python := need.Program(t, "no lock of Python is tried", "python3")
	if exec.Command(python, "-c", "import redis").Run() != nil {
		if python = "/usr/bin/python3"; exec.Command(python, "-c", "import redis").Run() != nil {
			need.Possible(t, "no lock of Python is tried", errors.New("python3 has no redis (Debian: python3-redis)"))
		}
	}
	if out := output(t, "", python, "redis-py-forever.py"); !strings.Contains(out, "acquired again: True - keys: 0") {
		t.Errorf("the library has changed:\n%s", out)
	}
}

// Finding 29, without Lockstorm: Curator takes the node of its old session for its own.
func TestCuratorTakesTheNodeOfItsOldSession(t *testing.T) {
	need.Long(t)
	java := need.Program(t, "no lock of Java is tried", "java")
	compiler := need.Program(t, "no lock of Java is tried", "javac")
	const curator, server = "/usr/share/java/curator-recipes.jar", "/usr/share/java/zookeeper.jar"
	for _, jar := range []string{curator, server} {
		if _, err := os.Stat(jar); err != nil {
			need.Possible(t, "Curator is not run", fmt.Errorf("%w (Debian: libcurator-recipes-java, zookeeper)", err))
		}
	}
	classes, path := t.TempDir(), curator+string(filepath.ListSeparator)+server
	if out, err := exec.Command(compiler, "-cp", path, "-d", classes, "CuratorOldNode.java").CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, out)
	}
	c := exec.Command(java, "-Xmx64m", "-cp", path+string(filepath.ListSeparator)+classes, "CuratorOldNode")
	out, err := c.CombinedOutput()
	for _, want := range []string{"its session owns the node: false", "c2 has not released: true", "holds the lock: true"} {
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("it says no %q: %v\n%s", want, err, out)
		}
	}
}
