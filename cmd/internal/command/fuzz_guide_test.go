package command

import (
	"regexp"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

// What a guided search finds is a file that run repeats, and the same with any number of workers.
func TestAGuidedSearchSaysInWhichRunAndKeepsAFile(t *testing.T) {
	search := []string{"fuzz", "redlock/any", "--guide", "--faults", "restart", "--runs", "60", "--property", "validity,quorum", "--workers"}
	t.Chdir(t.TempDir())
	out := mustRun(t, cli.NotAsExpected, append(search, "2")...)
	for _, want := range []string{
		"redlock/any, 60 guided runs from seed 1\n", "validity breaks under restart: in ", " runs, first in run ",
		"Repeat it: lockstorm fuzz redlock/any --runs 60 --guide --faults restart --property validity --property quorum\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "95 %") {
		t.Errorf("it gives an interval of what is no sample:\n%s", out)
	}
	commands := regexp.MustCompile(`See it: lockstorm (run \S+\.yaml --seed \d+)\n`).FindAllStringSubmatch(out, -1)
	if len(commands) < 2 {
		t.Fatalf("%d commands:\n%s", len(commands), out)
	}
	for _, c := range commands {
		mustRun(t, cli.AsExpected, append(strings.Fields(c[1]), "--no-store")...)
	}
	if again := mustRun(t, cli.NotAsExpected, append(search, "1")...); again != out {
		t.Errorf("one worker finds\n%s\nand two\n%s", again, out)
	}
	if text := mustRun(t, cli.NotAsExpected, append(search, "1", "--format", "json")...); !strings.Contains(text, `"guided": true`) {
		t.Errorf("its JSON does not say that it was guided:\n%s", text)
	}
}

func TestAGuidedSearchRefusesWhatDoesNotGoWithIt(t *testing.T) {
	for args, want := range map[string]string{
		"fuzz redlock/any --guide --store rows":                "--store does not go with --guide: what is run follows from all runs before",
		"fuzz redlock/any --guide --shard 0/2":                 "--shard does not go with --guide",
		"fuzz redlock/any --guide --resume":                    "--resume does not go with --guide",
		"fuzz --mutants --guide":                               "--guide does not go with --mutants; scenarios/campaign/guide/README.md compares",
		"fuzz baseline/single-instance --guide --faults none":  "--guide: nothing is drawn, so there is nothing to change; allow faults with --faults",
		"fuzz redlock/any --guide --runs 0":                    "--runs: 0 is not positive",
		"fuzz redlock/any --guide --workers -1":                "--workers: -1",
		"fuzz redlock/any --guide --seed 9007199254740000":     "seeds go up to 9007199254740991",
		"fuzz redlock/any --guide --property belief,nothing":   "nothing",
		"fuzz redlock/any --guide --faults restart,earthquake": "earthquake",
	} {
		out, errs, code := lockstorm(strings.Fields(args)...)
		if code != cli.BadInput || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d\n%s%s\nwant %q", args, code, out, errs, want)
		}
	}
}
