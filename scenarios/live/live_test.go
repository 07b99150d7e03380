package live

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
)

// TestMain lets the test binary be the clients and the watchdog of its runs.
func TestMain(m *testing.M) {
	if Main(os.Args[1:]) {
		return
	}
	os.Exit(m.Run())
}

// needServer skips a test where no live run can be made.
func needServer(t *testing.T) {
	t.Helper()
	if err := supported(); err != nil {
		t.Skip(err)
	}
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("no redis-server on the PATH: nothing is run live")
	}
}

// find returns a scenario of the catalogue.
func find(t *testing.T, id string) *scenarios.Scenario {
	t.Helper()
	s, ok := scenarios.Find(id)
	if !ok {
		t.Fatalf("no scenario %s", id)
	}
	return &s
}

func TestAPausedClientLosesAnUpdateOnRealServersToo(t *testing.T) {
	needServer(t)
	res, err := Run(context.Background(), find(t, "kleppmann/gc-pause"), 1, Options{Attempts: 5})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("redis %s, %d attempts, worst %s, margin %s, end %s at %s", res.Server, res.Attempts, res.Worst, res.Margin, res.End, res.Evidence.End)
	for _, d := range res.Doubts {
		t.Log(d)
	}
	if err := res.Evidence.Check(); err != nil {
		t.Error(err)
	}
	for _, f := range res.Findings {
		t.Log(f.Property, f.Verdict)
	}
	if res.Verdict == scenarios.Fail {
		t.Error("it does not come out as in the simulator")
	}
}
