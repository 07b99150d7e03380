package need

import (
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// packages are the Debian packages of programs that are not in one of the same name.
var packages = map[string]string{
	"cc": "gcc libc6-dev", "etcd": "etcd-server", "initdb": "postgresql",
	"java": "default-jre-headless", "javac": "default-jdk-headless",
	"pdftoppm": "poppler-utils", "postgres": "postgresql", "script": "bsdutils", "setsid": "util-linux",
}

// Program returns the path of a program, the first of these that is on the PATH. Without one the test is skipped.
func Program(t testing.TB, untried string, names ...string) (path string) {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	from := "Debian: " + names[0]
	if p, other := packages[names[0]]; other {
		from = "Debian: " + p
	} else if names[0] == "duckdb" {
		from = "bash .ci/run gets one"
	}
	skip(t, untried, "there is no "+strings.Join(names, ", ")+" on the PATH ("+from+")")
	return ""
}

// System skips a test on systems other than these, which are named as in GOOS.
func System(t testing.TB, untried string, systems ...string) {
	t.Helper()
	if !slices.Contains(systems, runtime.GOOS) {
		skip(t, untried, "this is "+runtime.GOOS+", not "+strings.Join(systems, " or "))
	}
}

// Possible skips a test where the machine can't do something. The error says what, and is nil where it can.
func Possible(t testing.TB, untried string, err error) {
	t.Helper()
	if err != nil {
		skip(t, untried, err.Error())
	}
}

// Loopback skips a test where nothing can listen on 127.0.0.1, as on a machine that has IPv6 only.
func Loopback(t testing.TB, untried string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		err = l.Close()
	}
	Possible(t, untried, err)
}

// Long skips a test that takes long unless the long proofs are asked for.
func Long(t testing.TB) {
	t.Helper()
	if os.Getenv("LOCKSTORM_LONG") != "1" {
		skip(t, "a long proof", "LOCKSTORM_LONG=1 runs it")
	}
}

// Caller returns a variable of the environment by which another test runs this one in a separate process. Without it
// the test is skipped.
func Caller(t testing.TB, variable, test string) string {
	t.Helper()
	value := os.Getenv(variable)
	if value == "" {
		skip(t, "it does nothing alone", test+" runs it")
	}
	return value
}

func skip(t testing.TB, untried, why string) {
	t.Helper()
	t.Skipf("NOT TRIED: %s: %s", untried, why)
}
