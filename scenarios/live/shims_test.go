package live

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// A sourceFile is a file that a test writes into its folder.
type sourceFile struct{ name, text string }

// runIn writes files into a new folder and runs a program there, which prints what is returned.
func runIn(t *testing.T, input string, env []string, files []sourceFile, program string, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.name), []byte(f.text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command(program, args...)
	c.Dir, c.Env, c.Stdin = dir, append(os.Environ(), env...), strings.NewReader(input)
	out, err := c.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit != nil {
		out = append(out, exit.Stderr...)
	}
	return string(out)
}

// adapters is the folder of the adapters.
func adapters(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("adapters")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// A lock of three functions is an adapter: it is acquired, is taken the second time, is lost, and can be released.
func TestShimsSpeakTheProtocol(t *testing.T) {
	from := adapters(t)
	const questions = "0 start name=c1 key=lock ttl=2000 timeout=50 servers=127.0.0.1:1,127.0.0.1:2\n" +
		"1 acquire\n2 acquire\n3 extend token=a\n4 release token=a\n"
	const times = ` begin=\d+ end=\d+`
	answers := regexp.MustCompile(`^0 ready\S*( key=lock)?\n1 yes` + times + ` token=a left=\d+\n2 no` + times + `\n3 no` + times +
		`\n4 yes` + times + `\n$`)
	check := func(t *testing.T, out string) {
		t.Helper()
		if !answers.MatchString(out) {
			t.Errorf("it answers\n%s", out)
		}
	}
	t.Run("Python", func(t *testing.T) {
		python := need.Program(t, "the shim for Python is not run", "python3")
		check(t, runIn(t, questions, []string{"PYTHONPATH=" + from}, []sourceFile{{"mine.py", `import lockstorm
class Lock:
    def __init__(self, servers, key, ttl, timeout):
        assert (servers, key, ttl, timeout) == ([("127.0.0.1", 1), ("127.0.0.1", 2)], "lock", 2, 0.05)
        self.tokens = ["a", None]
    def acquire(self): return self.tokens.pop(0)
    def extend(self): raise Exception("lost")
    def release(self): pass
lockstorm.serve(Lock)
`}}, python, "mine.py"))
	})
	t.Run("Node", func(t *testing.T) {
		node := need.Program(t, "the shim for Node is not run", "node")
		check(t, runIn(t, questions, nil, []sourceFile{{"mine.js", `const tokens = ["a", null];
require(process.argv[2] + "/lockstorm.js").serve(({ servers, key, ttl, timeout }) => {
  if (servers[1].port !== 2 || key !== "lock" || ttl !== 2000 || timeout !== 50) throw new Error(key);
  return { acquire: async () => tokens.shift(), extend: () => { throw new Error("lost"); }, release: () => {} };
});
`}}, node, "mine.js", from))
	})
	t.Run("Java", func(t *testing.T) {
		need.Program(t, "the shim for Java is not run", "javac")
		check(t, runIn(t, questions, nil, []sourceFile{{"Mine.java", `public class Mine implements Lockstorm.Lock {
    static int n;
    public String acquire() { return n++ == 0 ? "a" : null; }
    public void extend() { throw new IllegalStateException("lost"); }
    public void release() {}
    public static void main(String[] a) throws Exception {
        Lockstorm.serve(s -> { if (s.ttl() != 2000 || s.timeout() != 50) throw new Error(s.key()); return new Mine(); });
    }
}
`}}, "sh", "-c", `javac -sourcepath "$0:." -d . Mine.java && java -cp . Mine`, from))
	})
}

// pretended is a program that prints what lockstorm-full would: first the table of verdicts of a lock, then the story
// of a run.
func pretended(broken, unknown string) sourceFile {
	return sourceFile{"lockstorm-full", `#!/bin/sh
case "$*" in
*--verdicts*) echo '{"rows": [{"scenario": "a/b", "lock": "our own lock", "runs": 1, "broken": {"belief": 1}, "unknown": {},
 "missing": {}, "simulated": ["belief", "storage"]}, {"scenario": "a/b", "lock": "lock", "runs": 1, "broken": {` + broken + `},
 "unknown": {` + unknown + `}, "missing": {}, "simulated": null}]}' ;;
*) echo "c1 deleted the key" ;;
esac
`}
}

// In each runner a lock that breaks only what our own breaks is green, one that breaks more is red with its story, and
// what is not known is skipped.
func TestWrappersShowGreenRedAndUnknown(t *testing.T) {
	need.System(t, "no script takes the place of lockstorm-full", "linux", "darwin")
	from := adapters(t)
	runners := map[string]func(t *testing.T, program sourceFile) string{
		"pytest": func(t *testing.T, program sourceFile) string {
			python := ""
			for _, p := range []string{"python3", "/usr/bin/python3"} {
				if exec.Command(p, "-c", "import pytest").Run() == nil {
					python = p
				}
			}
			if python == "" {
				need.Possible(t, "the plug-in for pytest is not run", errors.New("python3 has no pytest (Debian: python3-pytest)"))
			}
			return runIn(t, "", []string{"PYTHONPATH=" + from}, []sourceFile{program,
				{"pytest.ini", "[pytest]\naddopts = -p pytest_lockstorm -rs\nlockstorm = ./lockstorm-full\nlockstorm_scenarios = a/b\n"},
				{"test_lock.py", "def test_lock(lockstorm):\n    lockstorm('mine')\n"}}, python, "-m", "pytest")
		},
		"node": func(t *testing.T, program sourceFile) string {
			node := need.Program(t, "the helper for node:test is not run", "node")
			return runIn(t, "", []string{"LOCKSTORM=./lockstorm-full"}, []sourceFile{program, {"lock.test.js",
				`require("` + from + `/lockstorm-test.js").testLock("mine", ["a/b"]);`}}, node, "--test", "lock.test.js")
		},
		"JUnit": func(t *testing.T, program sourceFile) string {
			need.Program(t, "the tests for JUnit are not run", "javac")
			jars, err := filepath.Glob("/usr/share/java/junit-platform-console.jar")
			if err != nil || jars == nil {
				need.Possible(t, "the tests for JUnit are not run", errors.New("there is no JUnit 5 (Debian: junit5)"))
			}
			return runIn(t, "", nil, []sourceFile{program, {"LockTest.java", `class LockTest {
    @org.junit.jupiter.api.TestFactory java.util.stream.Stream<org.junit.jupiter.api.DynamicTest> lock() {
        return LockstormTests.of("mine", java.util.List.of("a/b"));
    }
}
`}}, "sh", "-c", `J=/usr/share/java; C=.:$J/junit-jupiter-api.jar:$J/junit-jupiter-engine.jar
for j in commons engine launcher console reporting; do C=$C:$J/junit-platform-$j.jar; done
for j in opentest4j opentest4j-reporting-events opentest4j-reporting-schema apiguardian-api picocli univocity-parsers; do C=$C:$J/$j.jar; done
javac -cp $C -sourcepath "$0:." -d . LockTest.java &&
java -Dlockstorm=./lockstorm-full -cp $C org.junit.platform.console.ConsoleLauncher -c LockTest --disable-ansi-colors`, from)
		},
	}
	for name, run := range runners {
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct{ broken, unknown, want string }{
				{`"belief": 1, "storage": 1`, "", `1 passed|# pass 1|1 tests successful`},
				{`"belief": 1, "quorum": 1`, "", `(?s)own lock: quorum.*c1 deleted the key.*(1 failed|# fail 1|1 tests failed)|1 tests failed.*`},
				{"", `"quorum": 1`, `1 skipped|# skipped 1|1 tests aborted`},
			} {
				out := run(t, pretended(c.broken, c.unknown))
				if !regexp.MustCompile(c.want).MatchString(out) || strings.Contains(c.broken, "quorum") &&
					!strings.Contains(out, "c1 deleted the key") {
					t.Errorf("broken %s, unknown %s:\n%s", c.broken, c.unknown, out)
				}
			}
		})
	}
}

// An adapter that sets a timeout, or turns off a library's own loop, can also run as the library's README begins: the
// table names the argument for that.
func TestEachAdapterCanRunAsItsLibrarysREADME(t *testing.T) {
	page, err := os.ReadFile("adapters/README.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("adapters/*")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^\| \[([^]]+)\]\([^|]+\| [^|]+ \| ([^|]+) \|`)
	asREADME := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(string(page), -1) {
		asREADME[m[1]] = m[2]
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		off := regexp.MustCompile(`(?i)retryCount: 0|retryAttempts\(0\)|socket_timeout|commandTimeout|\.setTimeout\(`).Match(text)
		name := filepath.Base(file)
		if name == "README.md" || !off {
			continue
		}
		flag := strings.Trim(asREADME[name], "`")
		if flag != "untried" && (flag == "" || !strings.Contains(string(text), `"`+flag+`"`)) {
			t.Errorf("%s turns a default off, and its row says that it runs as its README begins with %q", name, flag)
		}
	}
}
