package draw

import (
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Two clients continue for a hundred seconds while c1 is paused. Thousands of operations lie between the update that
// is lost and the write that overwrites it. The picture shows both ends.
func TestLongWindowShowsBothEnds(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	for _, set := range []string{"clients=3", "work.cycles=500", "horizon=100h", "steps=100000000", "fault.1.for=100s"} {
		if err := s.Set(set); err != nil {
			t.Fatal(err)
		}
	}
	r := scenarios.Run(s, 1)
	sc := NewScene(r)
	lost := Principal(sc).Finding.Witness
	first, last := opAt(r.Evidence.History, lost.From), opAt(r.Evidence.History, lost.To)
	if n := last - first; n <= cropMost || len(r.Evidence.History) <= wholeMost {
		t.Fatalf("the window has only %d operations", n)
	}
	seen := 0
	for _, op := range r.Evidence.History {
		if sc.Sees(op.Time, op.Time) {
			seen++
		}
	}
	if seen > cropMost || seen < 100 || len(sc.gaps) == 0 {
		t.Errorf("%d operations are drawn, with %d gaps", seen, len(sc.gaps))
	}
	for _, i := range []int{lost.First, lost.Second} {
		at := r.Evidence.Writes[i].At
		if !hasPoint(sc, at) {
			t.Errorf("the write at %s is not drawn", at)
		}
	}
	if middle := r.Evidence.History[(first+last)/2].Time; sc.Sees(middle, middle) || !sc.Sees(lost.From, lost.To) {
		t.Error("the middle is drawn, or the whole is not")
	}
	picture, text := string(TimelineSVG(r)), Timeline(reports.Screen{}, sc)
	if !strings.Contains(picture, `class="gap"`) || !strings.Contains(picture, "not all is drawn") {
		t.Error("the picture shows no gap")
	}
	if !strings.Contains(text, "  c2         ---.---.--") || !strings.Contains(text, "What lies in the gaps is left out.") {
		t.Errorf("the text shows no gap:\n%s", text)
	}
	if len(picture) > 200_000 {
		t.Errorf("the picture has %d bytes", len(picture))
	}
}

func hasPoint(s *Scene, at clock.Instant) bool {
	for _, l := range s.lanes {
		for _, p := range l.points {
			if p.at == at {
				return true
			}
		}
	}
	return false
}

func TestAShortRunHasNoGaps(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	r := scenarios.Run(s, 1)
	if sc := NewScene(r); sc.gaps != nil || sc.Left != "" || sc.From != 0 || sc.To < clock.Instant(15*time.Second) {
		t.Errorf("of %d operations are left out %q, from %s to %s", len(r.Evidence.History), sc.Left, sc.From, sc.To)
	}
}
