package forecast

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
)

// With 5 nodes a use is 16 messages and the work. With clocks that may be wrong by a tenth, the lock is kept for four
// fifths of its time: a row lock for as long as its connection may idle, any other for its TTL.
func TestCalmArithmeticOfUseAndLife(t *testing.T) {
	m := &Model{Environment: &environment.Environment{}}
	m.Environment.Clocks.Rate = 100_000_000
	rows := 0
	for _, name := range Locks() {
		s, _, _ := Lock(name)
		s.Nodes, s.Work.Work.Max, s.Network.Latency.Max = 5, time.Second, 10*time.Millisecond
		s.Lock.TTL, s.Storage.Idle = 10*time.Second, 20*time.Second
		want := 8 * time.Second
		if s.Lock.Kind.String() == "sql-row-lock" {
			want, rows = 16*time.Second, rows+1
		}
		if got := use(s); got != 1160*time.Millisecond {
			t.Errorf("%s: a use takes %s", name, got)
		}
		if got := m.lasts(s); got != want {
			t.Errorf("%s: it is kept for %s, want %s", name, got, want)
		}
	}
	if rows == 0 {
		t.Error("no lock of the table is a row lock")
	}
}
