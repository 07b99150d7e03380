package command

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

// A list can be narrowed to a source, to a promise that should break and to a kind of lock.
func TestListIsFiltered(t *testing.T) {
	for line, want := range map[string]int{
		"list kleppmann --breaks storage --lock redlock": 6, "list --lock redisson --breaks continuity": 1,
	} {
		all := mustRun(t, 0, append(strings.Fields(line), "--format", "csv")...)
		if n := strings.Count(all, "\n") - 1; n < want || n > 30 {
			t.Errorf("%s lists %d: %s", line, n, all)
		}
	}
	if all := mustRun(t, 0, "list", "--lock", "redisson", "--format", "csv"); !strings.Contains(all, "redisson-rw") ||
		strings.Contains(all, "kleppmann/") {
		t.Errorf("of Redisson are listed %s", all)
	}
	for line, want := range map[string]string{
		"list --breaks storrage":     `--breaks: there is no promise "storrage"; did you mean storage?`,
		"list --lock redison":        "no scenario is left; kinds of lock without --lock: consul, etcd, failover",
		"list kleppmann --lock etcd": "no scenario is left; kinds of lock without --lock: redlock, sql-row-lock",
	} {
		if _, errs, code := lockstorm(strings.Fields(line)...); code != cli.BadInput || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d: %s; want %s", line, code, errs, want)
		}
	}
}

// An exploration prints each complaint on a line.
func TestExplorationComplainsLineByLine(t *testing.T) {
	_, errs, code := lockstorm("explore", "kleppmann/gc-pause")
	if code != cli.BadInput || strings.Count(errs, "\n") < 6 || strings.Contains(errs, "; and ") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
