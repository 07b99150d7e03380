package draw

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

const S = clock.Instant(time.Second)

// inLetters returns the timeline of a run with only this evidence, in a number of columns of time.
func inLetters(e *checker.Evidence, width int) string {
	r := &scenarios.Result{Scenario: &scenarios.Scenario{Nodes: len(e.Lanes)}, Evidence: e}
	sc := NewScene(r)
	c := &canvas{sc: sc, from: sc.From, to: max(sc.To, sc.From+1), label: 9, width: width}
	c.axis()
	c.windows()
	for i := range sc.lanes {
		c.lane(&sc.lanes[i])
	}
	return c.text(math.MaxInt)
}

// draws compares the lanes of a timeline of 21 columns, without its legend, with the expected lanes.
func draws(t *testing.T, e *checker.Evidence, want string) {
	t.Helper()
	if err := e.Check(); err != nil {
		t.Fatal(err)
	}
	drawn := inLetters(e, 21)
	if i := strings.Index(drawn, "one"); i >= 0 {
		drawn = drawn[:strings.LastIndex(drawn[:i], "\n  ")+1]
	}
	if drawn != strings.TrimPrefix(want, "\n") {
		t.Errorf("drawn\n%swant%s", drawn, want)
	}
}

// In these, a column is a second, and the last label has two digits in its column.
func TestATimelineIsToScale(t *testing.T) {
	draws(t, &checker.Evidence{
		Clients: 2, Lanes: []string{"n1", "n2"}, End: 20 * S,
		Tries: []checker.Try{{Client: 0, Token: "a"}, {Client: 1, Token: "b"}},
		Holds: []checker.Hold{
			{Client: 0, Try: -1, From: 2 * S, Gone: 12 * S, Valid: 8 * S},
			{Client: 1, Try: -1, From: 10 * S, Gone: 14 * S, Valid: 18 * S},
		},
		Keys: []checker.Span{
			{Lane: 0, Token: "a", From: 1 * S, To: 9 * S}, {Lane: 1, Token: "a", From: 2 * S, To: 8 * S},
			{Lane: 0, Token: "b", From: 10 * S, To: 14 * S}, {Lane: 1, Token: "b", From: 11 * S, To: clock.Forever},
		},
		Writes: []checker.Update{
			{At: 13 * S, Plain: checker.Change{Made: 1}, Fenced: checker.Change{Made: 1}},
			{At: 15 * S, Plain: checker.Change{Made: 2}},
		},
		Strikes: []checker.Strike{
			{Fault: "pause c1", Hosts: []string{"c1"}, From: 2 * S, To: 11 * S}, {Index: 1, Fault: "jump n3 +11s", Hosts: []string{"n3"}, From: 16 * S, To: clock.Forever},
			{Index: 2, Fault: "restart n2", Hosts: []string{"n2"}, From: 20 * S, To: 90 * S},
		},
		Planned: 3,
	}, `
  true time  |0s       |10s
  c1         -.======!!!!!........
  c2         -.........=====......
  n1         .11111111122222......
  n2         ..1111111..2222222222
  s          .............w.x.....
  fault        ~~~~~~~~~~ pause c1
  fault         jump n3 +11s ~~~~~
  fault               restart n2 ~
`)
}

func TestShortIntervalIsShown(t *testing.T) {
	draws(t, &checker.Evidence{
		Clients: 2, Lanes: []string{"n1"}, End: 20 * S,
		Tries:   []checker.Try{{Client: 1, Token: "b"}},
		Holds:   []checker.Hold{{Client: 0, Try: -1, From: 5*S + 1, Gone: 5*S + 2, Valid: 9 * S}, {Client: 1, Try: -1, From: 7*S + 1, Gone: 7*S + 300_000, Valid: 7 * S}},
		Keys:    []checker.Span{{Token: "b", From: 3*S + 1, To: 3*S + 2}, {Token: "b", From: 20 * S, To: 20 * S}},
		Strikes: []checker.Strike{{Fault: "f", From: 4, To: 5}}, Planned: 1,
	}, `
  true time  |0s       |10s
  c1         .....=...............
  c2         -......!.............
  n1         ...2................2
  s          .....................
  fault      ~ f
`)
}

// A client that stops at its deadline is never a step too early. A client that continues shows it, however the run
// ends.
func TestOnlyActingBeyondValidityIsMarked(t *testing.T) {
	hold := func(client int, gone, valid clock.Instant) checker.Hold {
		return checker.Hold{Client: client, From: 2 * S, Gone: gone, Valid: valid}
	}
	draws(t, &checker.Evidence{Clients: 6, End: 20 * S, Holds: []checker.Hold{
		hold(0, 8*S+1, 8*S), hold(1, 8*S, 8*S), hold(2, clock.Forever, 8*S), hold(3, clock.Forever, 30*S),
		hold(4, clock.Forever, clock.Forever), hold(5, 8*S, S),
	}}, `
  true time  |0s       |10s
  c1         ..=======............
  c2         ..=======............
  c3         ..======!!!!!!!!!!!!!
  c4         ..===================
  c5         ..===================
  c6         ..!!!!!!!............
  s          .....................
`)
}

func TestTheTenthClientIsALetter(t *testing.T) {
	e := &checker.Evidence{Clients: 36, Lanes: []string{"n1"}, End: 20 * S}
	for i, client := range []int{0, 8, 9, 34, 35} {
		token := string(rune('a' + i))
		e.Tries = append(e.Tries, checker.Try{Client: client, Token: token})
		e.Keys = append(e.Keys, checker.Span{Token: token, From: clock.Instant(3*i) * S, To: clock.Instant(3*i+1) * S})
	}
	e.Tries = append(e.Tries, checker.Try{Client: 0}) // never ended, so its token is not known
	e.Keys = append(e.Keys, checker.Span{Token: "nobody's", From: 18 * S, To: clock.Forever})
	if err := e.Check(); err != nil {
		t.Fatal(err)
	}
	drawn := inLetters(e, 21)
	for _, want := range []string{
		"  n1         11.99.aa.zz.**....???\n", "  c36        -....................\n",
		"  - tries, 1 = key of c1 …, a = key of c10 …, * = key of a later client, ? = key of unknown owner; one column = 1s.\n",
	} {
		if !strings.Contains(drawn, want) {
			t.Errorf("it does not show %q:\n%s", want, drawn)
		}
	}
	few := inLetters(&checker.Evidence{Clients: 9}, 21)
	for _, no := range []string{"c10", "later", "nobody", "fault", "tries", "broken"} {
		if strings.Contains(few, no) {
			t.Errorf("it speaks of %s in vain:\n%s", no, few)
		}
	}
}

func TestAnEmptyRunHasATimelineToo(t *testing.T) {
	draws(t, &checker.Evidence{Clients: 1, Lanes: []string{"n1"}}, `
  true time  |0s
  c1         .....................
  n1         .....................
  s          .....................
`)
	draws(t, &checker.Evidence{}, `
  true time  |0s
  s          .....................
`)
}

func TestTheScaleIsAsFineAsAColumn(t *testing.T) {
	for end, want := range map[time.Duration]string{
		9984 * time.Microsecond:  "true time |0s |0.002s |0.004s |0.006s |0.008s",
		24225 * time.Millisecond: "true time |0s |5s |10s |15s |20s",
		366 * 24 * time.Hour:     "true time |0s |10000000s |20000000s",
		time.Nanosecond:          "true time |0s",
	} {
		scale, _, _ := strings.Cut(inLetters(&checker.Evidence{End: clock.Instant(end)}, 80), "\n")
		if got := strings.Join(strings.Fields(scale), " "); got != want {
			t.Errorf("%s: %s, want %s", end, got, want)
		}
	}
}

func TestALongNameIsCut(t *testing.T) {
	name := "partition " + strings.Repeat("c1 ", 40) + "| n1"
	drawn := inLetters(&checker.Evidence{Clients: 1, End: S, Planned: 1, Strikes: []checker.Strike{{Fault: name, To: S}}}, 80)
	for line := range strings.Lines(drawn) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > wording.LineWidth {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if !strings.Contains(drawn, "~ partition c1 c1 c1 c1 c1 c1 c1 c1 c1 c1 c1 c1 c1 c1 c1 c1 c1 c1 c1 c1 c1 c… ~~") {
		t.Error(drawn)
	}
}

// The timeline shows when a hold was extended: otherwise a hold longer than its TTL would look like a violation.
func TestAnExtensionIsMarked(t *testing.T) {
	draws(t, &checker.Evidence{
		Clients: 1, Lanes: []string{"n1"}, End: 20 * S,
		Holds: []checker.Hold{{Client: 0, Try: -1, From: 2 * S, Gone: 18 * S, Valid: 8 * S}},
		Renewals: []checker.Renewal{
			{Asked: 5 * S, At: 6 * S, OK: true, Valid: 12 * S}, {Asked: 8 * S, At: 9 * S}, {Asked: 10 * S, At: clock.Forever},
		},
	}, `
  true time  |0s       |10s
  c1         ..====+==%==!!!!!!!..
  n1         .....................
  s          .....................
`)
}

// A slew lasts. As a step it would suggest that the clock was wrong by the whole amount from the start.
func TestSlewIsShownWhileItLasts(t *testing.T) {
	s, _ := scenarios.Find("antirez/ntp-slew")
	r := scenarios.Run(s, 1)
	scene := NewScene(r)
	drawn := Timeline(reports.Screen{}, scene)
	if !strings.Contains(drawn, "/// clock slewed by +11s ///") || strings.Contains(drawn, "^") || strings.Contains(drawn, "+0s") {
		t.Error(drawn)
	}
	for name, svg := range map[string]string{"timeline": string(TimelineSVG(r)), "sequence": string(SequenceSVG(r))} {
		if !strings.Contains(svg, `class="slew"`) || !strings.Contains(svg, "clock slewed by +11s") || strings.Contains(svg, `class="jump"`) {
			t.Errorf("the %s draws the slew as something else", name)
		}
	}
}

// A hold of 14 ms in a run of 15 s is a pixel. A file shows its violation once more, close up, and a page does so
// below the part that can be zoomed. Where everything important can be seen, there is no second picture.
func TestShortHoldIsShownCloseUp(t *testing.T) {
	for id, want := range map[string]bool{"kleppmann/gc-pause": true, "kleppmann/clock-jump": false, "baseline/fault-free": false} {
		s, _ := scenarios.Find(id)
		scene := NewScene(scenarios.Run(s, 1))
		file := newLanesSVG(scene, false).draw()
		if got := strings.Contains(file, ">Close up, from "); got != want {
			t.Errorf("%s is drawn close up: %v, want %v", id, got, want)
		}
		if twice := strings.Count(file, ">holds, token 34<") == 1; want && !twice {
			t.Errorf("%s: the hold of c2 can't be read", id)
		}
		if strings.Contains(newLanesSVG(scene, true).draw(), "Close up") {
			t.Errorf("%s is drawn close up within what the script of a page zooms", id)
		}
		if beside := CloseUpHTML(scene); (beside != "") != want || want && !strings.Contains(beside, ">holds, token 34<") {
			t.Errorf("%s is drawn close up below its timeline: %v, want %v", id, beside != "", want)
		}
		if !strings.Contains(file, ">write, in its client&#39;s colour<") {
			t.Errorf("the legend of %s lacks the writes that are applied", id)
		}
	}
}

// Plain storage applies a stale write, and the answer has its version; fenced storage rejects it. The timeline says
// both.
func TestStaleWriteIsShownAppliedAndRejected(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	r := scenarios.Run(s, 1)
	for _, c := range []struct{ picture, wants []byte }{
		{SequenceSVG(r), []byte(">plain: v2<")}, {SequenceSVG(r), []byte(">fenced: refused<")},
		{TimelineSVG(r), []byte(">c1, fencing would reject it<")}, {TimelineSVG(r), []byte(">write that fencing would reject<")},
	} {
		if !bytes.Contains(c.picture, c.wants) {
			t.Errorf("no picture says %s", c.wants)
		}
	}
}

// An update is lost when it is overwritten: the picture shows no violation before, but for two clients that act as
// holder.
func TestALostUpdateIsMarkedWhereItIsOverwritten(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	r := scenarios.Run(s, 1)
	for _, b := range NewScene(r).Bands {
		lost := slices.Contains(b.properties, "storage")
		if f := b.since(); lost && (f != b.To || f == b.From) || !lost && f != b.From {
			t.Errorf("%v, from %v to %v, is marked from %v on", b.properties, b.From, b.To, f)
		}
	}
}
