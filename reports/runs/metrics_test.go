package runs_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports/internal/samples"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

func TestMetricsTellWhatAlertsAreAbout(t *testing.T) {
	const labels = `{lock="redlock",scenario="kleppmann/gc-pause"}`
	text := samples.OpenMetrics(t, "kleppmann/gc-pause", 3)
	for _, want := range []string{
		"# TYPE distributed_lock_wait_seconds histogram\n# UNIT distributed_lock_wait_seconds seconds\n# HELP distributed_lock_wait_seconds ",
		`distributed_lock_wait_seconds_bucket{lock="redlock",scenario="kleppmann/gc-pause",le="+Inf"} 6` + "\n",
		"distributed_lock_wait_seconds_count" + labels + " 6\n",
		"distributed_lock_holds_lost_total" + labels + " 3\n", "distributed_lock_overlaps_total" + labels + " 3\n",
		"distributed_lock_writes_refused_total" + labels + " 3\n",
		"distributed_lock_keys_without_ttl" + labels + " 0\n", "lockstorm_runs_total" + labels + " 3\n",
		`distributed_lock_failures_total{lock="redlock",scenario="kleppmann/gc-pause",reason="no_quorum"} `,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	if !strings.HasSuffix(text, "\n# EOF\n") {
		t.Error("it does not end as OpenMetrics does")
	}
}

func TestTheScanFindsTheKeyThatNeverEnds(t *testing.T) {
	endless := func(text string) bool {
		return strings.Contains(text, `distributed_lock_keys_without_ttl{lock="single",scenario="distlock/setnx-then-expire"} 1`+"\n")
	}
	if endless(samples.OpenMetrics(t, "distlock/setnx-then-expire", 1)) || !endless(samples.OpenMetrics(t, "distlock/setnx-then-expire", 1, "lock.take=setnx-then-expire")) {
		t.Error("a key without a TTL is left by the mutant alone, and SCAN should find it")
	}
}

// On a raft service or in a database there is no node to look at; 0 would say that nothing was found there.
func TestKeysAreToldOfWhereSomebodyHasLooked(t *testing.T) {
	for kind, want := range map[string]int{"single": 2, "failover": 2, "etcd": 0, "sql-row-lock": 0} {
		s, _ := scenarios.Find("redlock/any")
		if err := s.Set("lock.kind=" + kind); err != nil {
			t.Fatal(err)
		}
		var m runs.Metrics
		m.Add(scenarios.Run(s, 1))
		if got := strings.Count(string(m.OpenMetrics()), "\ndistributed_lock_keys_"); got != want {
			t.Errorf("%s: %d gauges of keys, want %d", kind, got, want)
		}
	}
}

func TestTheScanOfAGroupAsksItsMaster(t *testing.T) {
	s, _ := scenarios.Find("distlock/setnx-then-expire")
	for _, set := range []string{"lock.kind=failover", "lock.take=setnx-then-expire"} {
		if err := s.Set(set); err != nil {
			t.Fatal(err)
		}
	}
	if got := scenarios.Run(s, 1).Leftovers; len(got) != 1 || !got[0].Endless() {
		t.Errorf("left: %v; want one key without an end", got)
	}
}

func TestNoMetricStandsInTwoPlaces(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(samples.OpenMetrics(t, "baseline/fault-free", 1)) {
		name, _, _ := strings.Cut(line, "}")
		if !strings.HasPrefix(line, "#") && seen[name] {
			t.Errorf("%s stands there twice", name)
		}
		seen[name] = true
	}
}
