package scenarios_test

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
)

func ran(t *testing.T, id string, seed uint64) *scenarios.Result {
	t.Helper()
	s, found := scenarios.Find(id)
	if !found {
		t.Fatalf("there is no scenario %q", id)
	}
	return scenarios.Run(s, seed)
}

// Each message of a run was sent once, and arrived once at most, no earlier; a reply was sent when its request arrived, or
// later where a server let it wait.
func TestMessagesAreWhatTheTraceTells(t *testing.T) {
	fates := map[scenarios.Fate]int{}
	for _, s := range scenarios.Catalogue() {
		r := scenarios.Run(s, 2)
		told := map[string]int{}
		for _, e := range r.Trace {
			told[e.Kind.String()]++
		}
		requests := map[uint32]scenarios.Message{}
		counts := map[scenarios.Fate]int{}
		replies := 0
		for _, m := range r.Messages() {
			fates[m.Fate]++
			counts[m.Fate]++
			if m.Arrived < m.Sent || (m.Fate == scenarios.Underway) != (m.Arrived == clock.Forever) || m.Text == "" {
				t.Errorf("%s: %+v", s.ID, m)
			}
			if m.Reply {
				replies++
				if q := requests[m.Call]; q.Arrived > m.Sent || told["defer"] == 0 && q.Arrived != m.Sent || q.From != m.To || q.To != m.From {
					t.Errorf("%s: %+v answers %+v", s.ID, m, q)
				}
				continue
			}
			if _, twice := requests[m.Call]; twice {
				t.Errorf("%s: call %d was sent twice", s.ID, m.Call)
			}
			requests[m.Call] = m
		}
		if len(requests) != told["sent"]+told["post"] || replies != told["served"]+told["refused"] || counts[scenarios.Dropped] != told["lost"] ||
			counts[scenarios.Repelled] != told["refused"] || counts[scenarios.Overdue] != told["late"] ||
			counts[scenarios.Delivered] != told["served"]+told["received"]+told["told"] {
			t.Errorf("%s: %d requests, %d replies, fates %v; the trace has %v", s.ID, len(requests), replies, counts, told)
		}
	}
	for f := scenarios.Delivered; f <= scenarios.Overdue; f++ {
		if fates[f] == 0 {
			t.Errorf("no message had fate %d", f)
		}
	}
}

func TestAMessageThatWasHeldSaysSo(t *testing.T) {
	held := 0
	for _, m := range ran(t, "kleppmann/delayed-write", 1).Messages() {
		if m.Caught == clock.Forever {
			continue
		}
		held++
		if m.Text != "write on v0" || m.Reply || m.Freed.Sub(m.Caught) < 14*time.Second || m.Arrived < m.Freed {
			t.Errorf("%+v", m)
		}
	}
	if held != 1 {
		t.Errorf("%d messages were held", held)
	}
}

func TestEpisodesBeginAndEnd(t *testing.T) {
	r := ran(t, "kleppmann/gc-pause", 1)
	all := r.Episodes()
	if len(all) != 1 || all[0].What != "pause" || r.Hosts[all[0].Host] != "c1" || all[0].To.Sub(all[0].From) != 15*time.Second {
		t.Errorf("%+v", all)
	}
	kinds := map[string]int{}
	for _, e := range ran(t, "kleppmann/clock-jump", 1).Episodes() {
		kinds[e.What]++
		if e.What == "cut" && (e.Peer < 0 || e.To == clock.Forever) || e.What == "step" && (e.From != e.To || e.By != "11s" && e.By != "-11s") {
			t.Errorf("%+v", e)
		}
	}
	if kinds["cut"] != 8 || kinds["step"] != 2 || len(kinds) != 2 {
		t.Errorf("%v", kinds)
	}
	for _, s := range scenarios.Catalogue() {
		for _, e := range scenarios.Run(s, 1).Episodes() {
			if kinds[e.What]++; e.To < e.From {
				t.Errorf("%s: %+v", s.ID, e)
			}
		}
	}
	for _, what := range []string{"pause", "suspend", "crash", "cut", "loss", "delay", "step", "drift", "slew"} {
		if kinds[what] == 0 {
			t.Errorf("the catalogue has no %s", what)
		}
	}
}

func TestTheClocksOfAResultAreThoseOfItsHosts(t *testing.T) {
	r := ran(t, "kleppmann/clock-jump", 1)
	for host, name := range r.Hosts {
		_, ahead, known := r.Shown(host, clock.Instant(time.Second))
		if want := map[string]time.Duration{"n3": 11 * time.Second}[name]; !known || ahead != want {
			t.Errorf("%s is %s ahead, %t", name, ahead, known)
		}
	}
	if _, _, known := r.Shown(len(r.Hosts), 0); known {
		t.Error("a host that is not there has a clock")
	}
	if marks := r.Marks(len(r.Hosts) - 3); len(marks) < 8 || marks[0].Name != "asking" || marks[0].At > marks[1].At {
		t.Errorf("c1 passed %v", marks)
	}
}
