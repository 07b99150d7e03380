package services

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/live"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// curator returns the command of Curator's adapter, newly compiled.
func curator(t *testing.T, args ...string) []string {
	t.Helper()
	needServer(t, &zooKeeperServers)
	const recipes = "/usr/share/java/curator-recipes.jar"
	if _, err := os.Stat(recipes); err != nil {
		need.Possible(t, "Curator is not run", fmt.Errorf("%w (Debian: libcurator-recipes-java)", err))
	}
	compiler := need.Program(t, "no adapter is compiled", "javac")
	adapters, classes := filepath.Join("..", "adapters"), t.TempDir()
	if out, err := exec.Command(compiler, "-cp", recipes, "-sourcepath", adapters, "-d", classes,
		filepath.Join(adapters, "CuratorAdapter.java")).CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, out)
	}
	path := strings.Join([]string{classes, recipes, zooKeeperJar}, string(filepath.ListSeparator))
	return append([]string{"java", "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", path, "CuratorAdapter"}, args...)
}

// runWith makes a live run with an adapter, and returns what it found.
func runWith(t *testing.T, id string, o live.Options) *live.Result {
	t.Helper()
	res, err := live.Run(context.Background(), find(t, id), 1, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Evidence.Check(); err != nil {
		t.Error(err)
	}
	if res.Verdict == scenarios.Unknown {
		need.Possible(t, "it has no verdict", errors.New(strings.Join(res.Live, "\n")))
	}
	return res
}

// A client that is cut off must stop when Curator says SUSPENDED, as its documentation asks. If it waits for LOST,
// which comes a whole session later, the next client already has the lock.
func TestCuratorMutexNeedsSuspendedHandling(t *testing.T) {
	need.Long(t)
	if res := runWith(t, "zookeeper/cut-off", live.Options{Adapter: curator(t)}); res.Verdict != scenarios.Pass {
		t.Errorf("who heeds SUSPENDED: %+v", res.Findings)
	}
	res := runWith(t, "zookeeper/cut-off", live.Options{Adapter: curator(t, "lost")})
	if res.Findings[0].Verdict != checker.Violated {
		t.Errorf("who waits for LOST: %+v", res.Findings)
	}
}

// A queued client whose session has ended finds the node of its old session, and takes it for its own: CURATOR-604. The
// lock ends with the old session, while the client relies on it.
func TestCuratorTakesAnOldNodeForItsOwn(t *testing.T) {
	need.Long(t)
	adapter := curator(t)
	text, err := os.ReadFile(filepath.Join("..", "adapters", "curator-old-node.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse("curator-old-node.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	res, err := live.Run(context.Background(), &s, 1, live.Options{Adapter: adapter})
	if err != nil {
		t.Fatal(err)
	}
	quorum := slices.IndexFunc(res.Findings, func(f checker.Finding) bool { return f.Property == "quorum" })
	switch verdict := res.Findings[quorum].Verdict; verdict {
	case checker.Violated:
	case checker.Unknown:
		need.Possible(t, "it has no verdict", errors.New(strings.Join(res.Live, "\n")))
	default:
		t.Errorf("the library has changed, or no client queued: quorum is %v\n%s", verdict, strings.Join(res.Live, "\n"))
	}
}

// The session of a paused client stays, and so does its lock: no other client gets it meanwhile.
func TestMariaDBsLockOutlivesAPause(t *testing.T) {
	needServer(t, &mariaServers)
	need.Long(t)
	adapter := filepath.Join(t.TempDir(), "services")
	build := exec.Command("go", "build", "-o", adapter, ".")
	build.Dir = filepath.Join("..", "..", "guests", "services")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	o := live.Options{Servers: "mariadb", Adapter: []string{adapter, "mariadb"}}
	e := runWith(t, "sql/paused-no-limit", o).Evidence
	if len(e.Holds) != 2 || len(e.Keys) != 2 || len(e.Strikes) != 1 {
		t.Fatalf("%d holds, %d lives of the lock and %d strikes", len(e.Holds), len(e.Keys), len(e.Strikes))
	}
	if k := e.Keys[0]; k.To < e.Strikes[0].To || k.Ended.Cause != checker.Deleted || k.Ended.Client != 0 {
		t.Errorf("c1 was paused until %s, and its lock ended at %s: %+v", e.Strikes[0].To, k.To, k.Ended)
	}
}

func TestTheFirstNodeIsTheOneWithTheLowestNumber(t *testing.T) {
	names := []string{"_c_b-lock-0000000010", "config", "_c_z-lock-0000000009", "_c_a-lock-0000000011"}
	if got := first(names); got != "_c_z-lock-0000000009" {
		t.Errorf("the first of %q is %q", names, got)
	}
	if got := first(nil); got != "" {
		t.Errorf("the first of none is %q", got)
	}
}

func TestServersThatAreMissingAreNamedWithTheirPackage(t *testing.T) {
	for _, k := range []*live.ServerKind{&zooKeeperServers, &mariaServers} {
		_, _, err := k.Find("/nowhere/server")
		if err == nil || !strings.Contains(err.Error(), "Debian: ") || !strings.Contains(err.Error(), "--"+k.Program.Flag) {
			t.Errorf("%s: %v", k.Name, err)
		}
	}
	if _, err := exec.LookPath("true"); err != nil {
		return
	}
	if _, _, err := mariaServers.Find("true"); err == nil || !strings.Contains(err.Error(), "as MariaDB does") {
		t.Errorf("a program that is no MariaDB: %v", err)
	}
}

// The simulator holds the resource while MariaDB holds the lock, so faults can't hit its host.
func TestResourceHostOfMariaDBRejectsFaults(t *testing.T) {
	o := live.Options{Servers: "mariadb", Adapter: []string{"true"}}
	if err := o.Check(find(t, "sql/restart")); err == nil || !strings.Contains(err.Error(), "keeps MariaDB as it is") {
		t.Errorf("a restart: %v", err)
	}
	if err := o.Check(find(t, "sql/cut-off")); err != nil {
		t.Errorf("a cut between client and server: %v", err)
	}
}
