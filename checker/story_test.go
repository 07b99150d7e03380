package checker

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

const s = clock.Instant(time.Second)

func tells(t *testing.T, e *Evidence, property string, w Witness, want string) {
	t.Helper()
	j := Judge{Unchecked: true}
	j.Judge(e) // the evidence must be such as judges can read
	var got, lines []string
	for _, m := range e.Story(Finding{Property: property, Verdict: Violated, Witness: w}).Events {
		got = append(got, fmt.Sprintf("%.6fs  %s", m.At.Sub(0).Seconds(), m.Text))
	}
	for line := range strings.Lines(want) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if strings.Join(got, "\n") != strings.Join(lines, "\n") {
		t.Errorf("told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(lines, "\n"))
	}
}

// duel is a run in which c1 is paused and c2 acquires: c1 continues at 12 s and releases at 13 s.
func duel() *Evidence {
	op := func(at clock.Instant, process int, ty Type, f Func) Op {
		return Op{Time: at * s, Process: process, Type: ty, F: f}
	}
	e := &Evidence{
		Clients: 2, Lanes: lanes(3), End: 20 * s,
		History: History{
			op(1, 0, OK, Read), op(10, 1, OK, Read), op(11, 1, Invoke, Write),
			op(11, 1, Invoke, Release), op(12, 0, Invoke, Write), op(13, 0, Invoke, Release),
		},
		Tries: []Try{
			{Client: 0, Token: "a", Outcome: Won, From: 0, To: 1 * s, Left: 14 * s, Clean: true},
			{Client: 1, Token: "b", Outcome: Won, From: 8 * s, To: 9 * s, Left: 11*s + 1000},
		},
		Holds: []Hold{
			{Client: 0, Token: "a", Fence: 33, Asked: 1 * s, From: 1 * s, Gone: 13 * s, Valid: 8 * s},
			{Client: 1, Token: "b", Fence: 34, Asked: 9 * s, From: 9 * s, Gone: 11 * s, Valid: 11 * s},
		},
		Keys: []Span{
			{Lane: 0, Token: "a", From: 1, To: 7 * s}, {Lane: 1, Token: "a", From: 1, To: 7 * s}, {Lane: 2, Token: "a", From: 1, To: s},
			{Lane: 1, Token: "b", From: 9*s - 2, To: 11 * s}, {Lane: 2, Token: "b", From: 9*s - 1, To: 11 * s},
		},
		Writes: []Update{
			{Client: 1, Op: 2, Fence: 34, At: 11*s + 500, Plain: Change{Made: 1}, Fenced: Change{Made: 1}},
			{Client: 0, Op: 4, Fence: 33, At: 12*s + 500, Plain: Change{Made: 2}},
		},
		Strikes: []Strike{
			{Fault: "pause c1", Hosts: []string{"c1"}, From: 1 * s, To: 12 * s}, {Fault: "cut c1>n3", Hosts: []string{"c1", "n3"}, From: 2 * s, To: clock.Forever},
			{Fault: "jump n1 +1 s", Hosts: []string{"n1"}, From: 19 * s, To: 19 * s},
		},
		Planned: 2,
	}
	for i := range e.History {
		e.History[i].Index = i
	}
	return e
}

func TestTwoHoldersAreFollowedFromAcquireToRelease(t *testing.T) {
	for _, property := range []string{"belief", "validity"} {
		tells(t, duel(), property, Witness{First: 0, Second: 1, From: 9 * s, To: 11 * s, Strike: 1}, `
			1.000000s  c1 acquires the lock (token 33), with its key on n1 n2 n3
			1.000000s  fault: pause c1, for 11 s
			2.000000s  fault: cut c1>n3
			8.000000s  c1's validity ends, by its own clock
			9.000000s  c2 acquires the lock (token 34), with its key on n2 n3
			11.000000s  c2 releases the lock
			12.000000s  the fault that hit at 1 s has ended
			13.000000s  c1 releases the lock`)
	}
}

// Keys go after the fault that takes them away, and after the hold that they were granted for.
func TestLostQuorumExplainsTheMissingKeys(t *testing.T) {
	e := duel()
	e.Strikes = e.Strikes[:1]
	tells(t, e, "quorum", Witness{First: 0, Second: 1, From: 7 * s, To: 8 * s, Strike: 0}, `
		1.000000s  c1 acquires the lock (token 33), with its key on n1 n2 n3
		1.000000s  fault: pause c1, for 11 s
		1.000000s  n3 no longer has c1's key
		7.000000s  n1 no longer has c1's key
		7.000000s  n2 no longer has c1's key
		8.000000s  c1's validity ends, by its own clock
		12.000000s  the fault that hit at 1 s has ended
		13.000000s  c1 releases the lock`)
}

func TestALostUpdateIsFollowedFromReadToWrite(t *testing.T) {
	e := duel()
	e.Strikes = nil
	e.Holds = append(e.Holds, Hold{Client: 0, Token: "c", From: 15 * s, Gone: 16 * s}) // which has nothing to do with it
	for _, property := range []string{"storage", "fenced"} {
		tells(t, e, property, Witness{First: 0, Second: 1, From: 11 * s, To: 12*s + 500, Strike: -1}, `
			1.000000s  c1 acquires the lock (token 33), with its key on n1 n2 n3
			1.000000s  c1 reads version 0
			8.000000s  c1's validity ends, by its own clock
			9.000000s  c2 acquires the lock (token 34), with its key on n2 n3
			10.000000s  c2 reads version 0
			11.000000s  c2 releases the lock
			11.000000s  c2 sends its write, based on version 0
			11.000001s  c2's write (token 34) arrives: plain storage makes it version 1; fenced storage accepts it
			12.000000s  c1 sends its write, based on version 0
			12.000001s  c1's write (token 33) arrives: plain storage makes it version 2; fenced storage rejects it, because it has seen a higher token
			13.000000s  c1 releases the lock`)
	}
}

func TestStoryOfAnEqualTokenStartsAtItsRequest(t *testing.T) {
	e := duel()
	e.Strikes, e.Holds[1].Fence, e.Holds[1].Asked = nil, 33, 8*s+1000
	tells(t, e, "tokens", Witness{First: 0, Second: 1, From: 8 * s, To: 9 * s, Strike: -1}, `
		1.000000s  c1 asks for a fencing token
		1.000000s  c1 acquires the lock (token 33), with its key on n1 n2 n3
		8.000000s  c1's validity ends, by its own clock
		8.000001s  c2 asks for a fencing token
		9.000000s  c2 acquires the lock (token 33), with its key on n2 n3
		11.000000s  c2 releases the lock
		13.000000s  c1 releases the lock`)
}

func TestLeakNamesTheOwnerAndWhenItFinished(t *testing.T) {
	leaked := func(to clock.Instant) *Evidence {
		e := duel()
		e.Strikes, e.Keys = e.Strikes[:1], []Span{{Lane: 2, Token: "a", From: 1000, To: to}}
		return e
	}
	w := Witness{First: 0, Second: 0, From: 14 * s, To: clock.Forever, Strike: 0}
	owned := `
		0.000000s  c1 begins an attempt to acquire
		0.000001s  n3 has c1's key from now on
		1.000000s  c1 acquires the lock (token 33), with its key on n3
		1.000000s  fault: pause c1, for 11 s
		8.000000s  c1's validity ends, by its own clock
		12.000000s  the fault that hit at 1 s has ended
		13.000000s  c1 releases the lock
		14.000000s  c1 is done with it: every node that it released it on has acknowledged
		`
	tells(t, leaked(16*s), "leak-free", w, owned+"16.000000s  n3 no longer has the key")
	tells(t, leaked(25*s), "leak-free", w, owned+"20.000000s  the run ends; n3 still has the key, and would keep it until 25 s")
	tells(t, leaked(clock.Forever), "leak-free", w, owned+"20.000000s  the run ends; n3 still has the key, and would keep it for ever")

	w.Strike = -1
	lost := leaked(16 * s)
	lost.Strikes, lost.Holds, lost.Tries[0].Outcome, lost.Tries[0].Clean = nil, lost.Holds[1:], NoQuorum, false
	tells(t, lost, "leak-free", w, `
		0.000000s  c1 begins an attempt to acquire
		0.000001s  n3 has c1's key from now on
		1.000000s  c1's attempt ends without the lock: no quorum
		14.000000s  c1 is done with it, though not every node has acknowledged a release
		16.000000s  n3 no longer has the key`)

	w.Second = -1
	lost.Keys[0].To = 9 * s
	tells(t, lost, "leak-free", w, `
		0.000001s  n3 has a key whose owner is not known
		9.000000s  n3 no longer has the key`)
}

// A hold ends by a release, by giving up or by a crash, or not at all if the run ended first. The story says which.
func TestHowAHoldEnds(t *testing.T) {
	release := History{{Time: 6 * s, Process: 2, Type: Invoke, F: Release}} // c1's second process
	for _, c := range []struct {
		name    string
		hold    Hold
		history History
		want    string
	}{
		{"released", Hold{From: s, Gone: 6 * s, Valid: 6 * s}, release, `
			1.000000s  c1 acquires the lock, with its key on no node any more
			6.000000s  c1 releases the lock`},
		{"gave up", Hold{From: s, Gone: 5 * s, Valid: 5*s - 1000}, release, `
			1.000000s  c1 acquires the lock, with its key on no node any more
			4.999999s  c1's validity ends, by its own clock
			5.000000s  c1 gives up, because its validity has passed
			6.000000s  c1 releases the lock`},
		{"crashed", Hold{From: s, Gone: 5 * s, Valid: 9 * s}, nil, `
			1.000000s  c1 acquires the lock, with its key on no node any more
			5.000000s  c1 crashes
			9.000000s  c1's validity ends, by its own clock`},
		{"cut short", Hold{From: s, Gone: clock.Forever, Valid: clock.Forever}, nil, `
			1.000000s  c1 acquires the lock, with its key on no node any more`},
		{"never valid", Hold{From: 2 * s, Gone: 6 * s, Valid: s}, release, `
			2.000000s  c1 acquires the lock, with its key on no node any more
			2.000000s  c1's validity had passed before that
			6.000000s  c1 releases the lock`},
	} {
		e := &Evidence{Clients: 2, History: c.history, Holds: []Hold{c.hold, c.hold}}
		t.Run(c.name, func(t *testing.T) {
			tells(t, e, "belief", Witness{First: 0, Second: 1, From: s, To: 9 * s, Strike: -1}, c.want)
		})
	}
}

// renewed is the duel, in which c1 asked for extensions: one succeeded, one failed, and one had no answer.
func renewed() *Evidence {
	e := duel()
	e.Strikes = nil
	e.Holds[0].Valid = 4 * s
	e.Renewals = []Renewal{
		{Hold: 0, Asked: 3 * s, At: 3*s + 1000, OK: true, Valid: 8 * s},
		{Hold: 0, Asked: 5 * s, At: 6 * s},
		{Hold: 0, Asked: 7 * s, At: clock.Forever},
	}
	return e
}

// A hold that lasts longer than its first deadline has been extended, and the story says so: asked, and answered.
func TestExtensionsAreListedWithTheirDeadlines(t *testing.T) {
	for _, property := range []string{"belief", "continuity"} {
		tells(t, renewed(), property, Witness{First: 0, Second: 1, From: 9 * s, To: 11 * s, Strike: -1}, `
			1.000000s  c1 acquires the lock (token 33), with its key on n1 n2 n3
			3.000000s  c1 asks to extend its lock
			3.000001s  c1's extension succeeds: the hold is valid until 8 s
			5.000000s  c1 asks to extend its lock
			6.000000s  c1's extension fails
			7.000000s  c1 asks to extend its lock, and has no answer until the run ends
			8.000000s  c1's validity ends, by its own clock
			9.000000s  c2 acquires the lock (token 34), with its key on n2 n3
			11.000000s  c2 releases the lock
			13.000000s  c1 releases the lock`)
	}
}

// The story shows an extension's result as far as it is on record: a release or a crash may precede the deadline.
func TestStoryShowsWhatAnExtensionSet(t *testing.T) {
	for _, c := range []struct {
		name string
		hold Hold
		ends clock.Instant
		want string
	}{
		{"deadline", Hold{Gone: 13 * s}, 9 * s, "c1's extension succeeds: the hold is valid until 9 s"},
		{"released, deadline known", Hold{Gone: 13 * s}, 13 * s, "c1's extension succeeds: its deadline is 17 s"},
		{"released", Hold{Gone: 13 * s}, 13 * s, "c1's extension succeeds: the hold is valid until it is released"},
		{"crashed", Hold{Gone: 11 * s, Crashed: true}, 11 * s, "c1's extension succeeds: the hold is valid until its client crashes"},
		{"beyond", Hold{Gone: clock.Forever}, clock.Forever, "c1's extension succeeds: the hold is valid beyond the end of the run"},
		{"after the end", Hold{Gone: clock.Forever}, 25 * s, "c1's extension succeeds: the hold is valid beyond the end of the run"},
		{"passed", Hold{Gone: 13 * s}, 2 * s, "c1's extension succeeds, but the deadline that it set has passed"},
	} {
		e := renewed()
		h := &e.Holds[0]
		h.Gone, h.Crashed = c.hold.Gone, c.hold.Crashed
		e.Renewals[0].Valid = c.ends
		if c.name == "released, deadline known" {
			e.Renewals[0].Deadline = 17 * s
		}
		if got := e.Extended(0); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A picture shows the extensions that are listed one by one.
func TestPictureShowsTheListedExtensions(t *testing.T) {
	e := renewed()
	for range 8 {
		e.Renewals = append(e.Renewals, Renewal{Hold: 0, Asked: 7 * s, At: 7*s + 1000})
	}
	story := e.Story(Finding{Property: "belief", Verdict: Violated, Witness: Witness{First: 0, Second: 1, From: 9 * s, To: 11 * s, Strike: -1}})
	if want := []int{0, 1, 8, 9, 10}; !slices.Equal(story.Renewals, want) {
		t.Errorf("it shows %v of 11 extensions, want %v", story.Renewals, want)
	}
}

// The story of a run that broke nothing shows one change of hands: the first hold, and the first of another client.
func TestAHandoverIsFromTheFirstClientToTheNext(t *testing.T) {
	e := &Evidence{Clients: 3, End: 20 * s, Tries: []Try{{From: s / 2, To: s, Left: s, Outcome: TooLate, Token: "t"}}}
	for i, who := range []int{0, 0, 1, 2} {
		from := clock.Instant(i+1) * 2 * s
		e.Holds = append(e.Holds, Hold{Try: -1, Client: who, Asked: from, From: from, Gone: from + s, Valid: from + s, Slowed: -1})
	}
	var told []string
	story := e.Handover()
	for _, m := range story.Events {
		told = append(told, m.Text)
	}
	want := []string{
		"c1 begins an attempt to acquire",
		"c1 has enough votes, but no validity left: it does not take the lock",
		"c1 acquires the lock, with its key on no node any more", "c1's validity ends, by its own clock", "c1 crashes",
		"c2 acquires the lock, with its key on no node any more", "c2's validity ends, by its own clock", "c2 crashes",
	}
	if !slices.Equal(told, want) || !slices.Equal(story.Holds, []int{0, 2}) {
		t.Errorf("told %q of the holds %v", told, story.Holds)
	}
}

// The story shows the first two and the last three of a watchdog's many extensions, and the others in one line.
func TestManyExtensionsAreSummarized(t *testing.T) {
	e := renewed()
	e.Renewals = nil
	for i := range clock.Instant(20) {
		at := 2*s + i*s/4
		e.Renewals = append(e.Renewals, Renewal{Hold: 0, Asked: at, At: at + 1000, OK: i != 7, Valid: at + 2*s})
	}
	story := e.Story(Finding{Property: "belief", Verdict: Violated, Witness: Witness{First: 0, Second: 1, From: 9 * s, To: 11 * s, Strike: -1}})
	asked, middle := 0, ""
	for _, m := range story.Events {
		if strings.HasSuffix(m.Text, "asks to extend its lock") {
			asked++
		}
		if strings.Contains(m.Text, "more times") {
			middle = m.Text
		}
	}
	if want := "c1 asks to extend its lock 15 more times: 14 succeed, the last at 6.000001 s: the hold is valid until 8 s"; asked != 5 || middle != want {
		t.Errorf("%d extensions are told, and %q, want 5 and %q", asked, middle, want)
	}
	if last := e.Renewals[19].At; !slices.ContainsFunc(story.Main(5, Account{}), func(m Event) bool { return m.At == last }) {
		t.Errorf("the main events %v lack the last extension, at %v", story.Main(5, Account{}), last)
	}
}

func TestManyHoldersAreNotAllNamed(t *testing.T) {
	e := &Evidence{Clients: 1, Lanes: lanes(40), Holds: []Hold{{From: s, Gone: clock.Forever, Valid: clock.Forever, Token: "a"}}}
	for i := range 40 {
		e.Keys = append(e.Keys, Span{Lane: i, Token: "a", To: 2 * s}, Span{Lane: i, Token: "a", From: s, To: 2 * s})
	}
	tells(t, e, "belief", Witness{Strike: -1}, `
		1.000000s  c1 acquires the lock, with its key on n1 n2 n3 n4 n5 n6 n7 n8 n9 and 31 more`)
}
