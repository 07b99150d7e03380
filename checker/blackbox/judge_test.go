package blackbox_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/checkertest"
)

// TestAJudgeSaysOfEachRunWhatLinearizableSays checks random histories against all views, one by one, with one Judge.
func TestAJudgeSaysOfEachRunWhatLinearizableSays(t *testing.T) {
	var j blackbox.Judge
	histories, violated := 2000, 0
	if !long {
		histories = 200
	}
	for _, m := range blackbox.Views {
		for n := range histories {
			h, drawn := drawHistory(m, uint64(n)*0x632be59bd9b4e019, smallest+n%sizes)
			clients := drawn.Clients
			if clients == 0 {
				clients = 1000 // each process is a client
			}
			for i, got := range j.Judge(h, clients, blackbox.Views) {
				view := blackbox.Views[i]
				view.Clients = clients
				want := blackbox.Linearizable(h, view)
				if got.Verdict == checker.Unknown && slices.ContainsFunc(h, func(o checker.Op) bool { return o.Value.Shared }) {
					continue // as the next test has it
				}
				if got.Steps > 0 { // Linearizable also looks for the ops of a violation that a search found
					got.Ops, want.Ops, got.Reason, want.Reason = nil, nil, "", ""
				}
				if want.Verdict == checker.Violated {
					violated++
				}
				if got.Verdict != want.Verdict || got.Reason != want.Reason || got.Steps != want.Steps || !slices.Equal(got.Ops, want.Ops) {
					t.Fatalf("%s, history %d of %s: %+v, want %+v", view.Name, n, m.Name, got, want)
				}
			}
		}
	}
	if violated < histories {
		t.Errorf("only %d are violated", violated)
	}
}

func TestAViewOfLocksIsUnknownWhereAnAcquireIsShared(t *testing.T) {
	h := checkertest.Parse(t, "0 acquire shared, 0 ok, 1 acquire shared, 1 ok, 0 read, 0 ok, 0 release, 0 ok, 1 release, 1 ok")
	for i, r := range new(blackbox.Judge).Judge(h, 2, blackbox.Views) {
		knows := strings.HasSuffix(r.Model, "register") || r.Model == "rwlock"
		if want := map[bool]checker.Verdict{true: checker.Holds, false: checker.Unknown}[knows]; r.Verdict != want {
			t.Errorf("%s is %+v, want %v", blackbox.Views[i].Name, r, want)
		}
	}
}
