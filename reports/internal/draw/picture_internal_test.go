package draw

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/internal/draw/svg"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/scenarios"
)

// drawn returns a run of each scenario of the catalogue, and of each of its mutants, because most mutants violate
// something. With -short there are no mutants.
func drawn(t *testing.T) []*scenarios.Result {
	t.Helper()
	if len(allDrawn) > 0 {
		return allDrawn
	}
	for i, s := range scenarios.Catalogue() {
		if !reportstest.Long && i%5 > 0 && !strings.HasPrefix(s.ID, "kleppmann/") {
			continue
		}
		allDrawn = append(allDrawn, scenarios.Run(s, 1))
		if !reportstest.Long {
			continue
		}
		for _, m := range s.Mutants {
			c := s
			for _, a := range m.Set {
				if err := c.Set(a.Key + "=" + string(a.Value)); err != nil {
					t.Fatal(err)
				}
			}
			allDrawn = append(allDrawn, scenarios.Run(c, 1))
		}
	}
	return allDrawn
}

var allDrawn []*scenarios.Result

func isViolated(f checker.Finding) bool { return f.Verdict == checker.Violated }

// clash returns two texts that overlap.
func clash(boxes []svg.Box) (a, b svg.Box, found bool) {
	for i, a := range boxes {
		for _, b := range boxes[i+1:] {
			if a.Overlaps(b) {
				return a, b, true
			}
		}
	}
	return a, b, false
}

func TestNoTwoTextsOverlapInAnyDiagram(t *testing.T) {
	violated := 0
	for _, r := range drawn(t) {
		violated += legible(t, r)
	}
	if least := 15; violated < least {
		t.Errorf("only %d violations were drawn", violated)
	}
}

var labelText = regexp.MustCompile(`<text x="([^"]+)" y="([^"]+)" font-size="10" class="msg" text-anchor="middle" textLength="([^"]+)"`)

// A label that an arrow goes through is hard to read, and looks like the arrow's. Most pictures have room for all
// labels.
func TestArrowsGoThroughFewLabels(t *testing.T) {
	labels, crossed := 0, 0
	for _, r := range drawn(t) {
		d := newSequence(Principal(NewScene(r)), "x")
		d.draw()
		here := 0
		for _, m := range labelText.FindAllStringSubmatch(d.String(), -1) {
			var v [3]float64
			for i := range v {
				v[i], _ = strconv.ParseFloat(m[i+1], 64)
			}
			labels++
			box := svg.Box{Left: v[0] - v[2]/2, Top: v[1] - 8, Right: v[0] + v[2]/2, Bottom: v[1] + 1}
			if slices.ContainsFunc(d.arrows, func(a arrow) bool { return a.crosses(box) }) {
				here++
			}
		}
		if id := r.Scenario.ID; here > 0 && slices.Contains([]string{"kleppmann/gc-pause", "kleppmann/delayed-write", "kleppmann/clock-jump"}, id) {
			t.Errorf("%s: arrows go through %d labels", id, here)
		}
		crossed += here
	}
	if crossed > labels/20 || labels < 20*len(drawn(t)) {
		t.Errorf("arrows go through %d of %d labels", crossed, labels)
	}
}

func TestAnArrowCrossesTheBoxesThatItGoesThrough(t *testing.T) {
	box := svg.Box{Left: 10, Top: 10, Right: 20, Bottom: 15}
	for a, want := range map[arrow]bool{
		{0, 0, 30, 30}: true, {12, 11, 13, 12}: true, {0, 12, 30, 12}: true, {15, 0, 15, 30}: true, {20, 5, 5, 20}: true,
		{0, 0, 9, 30}: false, {0, 16, 30, 16}: false, {0, 0, 9, 9}: false, {25, 0, 25, 30}: false, {0, 20, 12, 16}: false, {0, 9, 0, 20}: false,
	} {
		if got := a.crosses(box); got != want {
			t.Errorf("%v crosses %v: %t, want %t", a, box, got, want)
		}
	}
}

// legible checks that no text of a run's pictures overlaps another or is cut off, and returns how many violations they
// show.
func legible(t *testing.T, r *scenarios.Result) (violated int) {
	t.Helper()
	s := NewScene(r)
	all := Excerpts(s)
	for _, x := range append(all, s.Handover()) {
		l := newSequence(x, "x")
		l.draw()
		if a, b, found := clash(l.Texts); found {
			t.Errorf("%s: %s: texts at %+v and %+v overlap", r.Scenario.ID, x.title, a, b)
		}
		width := l.notesAt + notePixels
		for _, b := range l.Texts {
			if b.Left < 0 || b.Top < 0 || b.Right > width || b.Bottom > max(l.bottom, l.lowest)+40 {
				t.Errorf("%s: %s: a text at %+v is cut off", r.Scenario.ID, x.title, b)
			}
		}
	}
	lanes := newLanesSVG(s, false)
	lanes.draw()
	if a, b, found := clash(lanes.Texts); found {
		t.Errorf("%s: the timeline's texts at %+v and %+v overlap", r.Scenario.ID, a, b)
	}
	for _, b := range lanes.Texts {
		if b.Left < 0 || b.Right > timelinePixels || b.Bottom > lanes.y+6 {
			t.Errorf("%s: a text of the timeline at %+v is cut off", r.Scenario.ID, b)
		}
	}
	return len(all)
}

func TestEveryPictureIsValidAndOfAReasonableSize(t *testing.T) {
	for i, r := range drawn(t) {
		if !reportstest.Long && i%12 > 0 {
			continue
		}
		for _, f := range Files(r) {
			if most := map[string]int{"timeline.svg": 500_000, "sequence.svg": 250_000}[f.Name]; len(f.Content) > most {
				t.Errorf("%s: %s has %d bytes, %d at most", r.Scenario.ID, f.Name, len(f.Content), most)
			}
			wellFormed(t, r.Scenario.ID+" "+f.Name, f.Content)
		}
	}
}

// wellFormed reads a picture as XML: it has a title, a description and a role, and refers to nothing outside.
func wellFormed(t *testing.T, name string, text []byte) {
	t.Helper()
	ids := map[string]bool{}
	title, role := false, false
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		e, ok := token.(xml.StartElement)
		title = title || ok && e.Name.Local == "desc"
		for _, a := range e.Attr {
			role = role || a.Name.Local == "role" && a.Value == "img"
			if a.Name.Local == "id" {
				if ids[a.Value] {
					t.Errorf("%s: two elements have the ID %s", name, a.Value)
				}
				ids[a.Value] = true
			}
			if a.Name.Local == "href" || a.Name.Local == "src" || strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
				t.Errorf("%s: %s=%q", name, a.Name.Local, a.Value)
			}
		}
	}
	if !title || !role {
		t.Errorf("%s says nothing to those who can't see it", name)
	}
}

func TestThePicturesOfARunAreAlwaysTheSame(t *testing.T) {
	for _, id := range []string{"kleppmann/gc-pause", "baseline/bad-weather", "antirez/ntp-slew"} {
		s, _ := scenarios.Find(id)
		a, b := Files(scenarios.Run(s, 5)), Files(scenarios.Run(s, 5))
		for i := range a {
			if !bytes.Equal(a[i].Content, b[i].Content) {
				t.Errorf("%s: %s is another each time", id, a[i].Name)
			}
		}
	}
}

// The pictures of the gc pause show what happened in it.
func TestThePictureOfThePauseShowsThePause(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	scene := NewScene(scenarios.Run(s, 1))
	lane := scene.lanes[0]
	find := func(kind barKind) bar {
		i := slices.IndexFunc(lane.bars, func(b bar) bool { return b.kind == kind })
		if i < 0 {
			t.Fatalf("c1 has no bar of kind %d", kind)
		}
		return lane.bars[i]
	}
	still, belief, valid, wrong := find(stillBar), find(beliefBar), find(validBar), find(wrongBar)
	if still.to.Sub(still.from) != 15*time.Second {
		t.Errorf("the pause lasts from %s to %s", still.from, still.to)
	}
	if belief.from != valid.from || wrong.from != valid.to || wrong.to != belief.to || find(sectionBar).to < still.to {
		t.Errorf("belief %+v, validity %+v, after it %+v", belief, valid, wrong)
	}
	x := Principal(scene)
	if x.Finding.Property != "storage" || len(x.clients) != 2 || len(x.Messages) != 28 || x.left != 0 {
		t.Errorf("the diagram tells of %s, of %d clients, in %d messages", x.Finding.Property, len(x.clients), len(x.Messages))
	}
	l := newSequence(x, "x")
	if breaks := slices.DeleteFunc(slices.Clone(l.stops), func(k stop) bool { return !k.broken }); len(breaks) < 3 || l.bottom > 700 {
		t.Errorf("%d breaks, and it ends at %f", len(breaks), l.bottom)
	}
	for i, k := range l.stops[1:] { // time never runs up
		if k.y < l.stops[i].y || k.at <= l.stops[i].at {
			t.Errorf("%s stands above %s", k.at, l.stops[i].at)
		}
	}
	write := x.Messages[len(x.Messages)-2]
	if write.Text != "write on v0" || write.Arrived <= write.Sent || l.at(write.Arrived) <= l.at(write.Sent) {
		t.Errorf("the last write is %+v", write)
	}
}

// The picture shows a host's clock: n3's is eleven seconds ahead once it has jumped.
func TestAClockThatJumpedIsShownToBeAhead(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/clock-jump")
	scene := NewScene(scenarios.Run(s, 1))
	for _, l := range scene.lanes {
		points := scene.ahead(l.host)
		if l.name == "n3" {
			at := func(t clock.Instant) (by int64) {
				for _, p := range points {
					if p[0] <= int64(t) {
						by = p[1]
					}
				}
				return by
			}
			if at(0) != 0 || at(clock.Instant(time.Second)) != int64(11*time.Second) {
				t.Errorf("it is ahead by %v", points)
			}
			continue
		}
		if points != nil {
			t.Errorf("%s is ahead by %v", l.name, points)
		}
	}
	if !strings.Contains(string(TimelineSVG(scene.Run)), "its own clock shows 12:00:12.100238 (11s fast)") {
		t.Error("no tooltip tells the reading of n3")
	}
}

// hostile is a name that would do harm if it were read as anything but a name.
const hostile = "</title><script>alert(1)</script>'\"&{{.}}\u202egnp.exe\u0000\x1b[31m;#%%\n--\n../../x"

func TestHostileNamesAreHarmless(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	s.ID, s.Title, s.About = hostile, hostile, hostile
	s.Claim = scenarios.Claim{By: hostile, Says: hostile, Finding: hostile}
	for _, f := range Files(scenarios.Run(s, 1)) {
		text := string(f.Content)
		for _, bad := range []string{"<script>alert", "\u202e", "\x00", "\x1b"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s holds %q", f.Name, bad)
			}
		}
		wellFormed(t, f.Name, f.Content)
	}
	s.ID, s.Title = strings.Repeat("<b>", 1<<20/3), strings.Repeat("\u202e", 1<<18)
	for _, f := range Files(scenarios.Run(s, 1)) {
		if len(f.Content) > 400_000 {
			t.Errorf("a long name makes %s %d bytes long", f.Name, len(f.Content))
		}
	}
}

// The picture of a run with many operations shows the place of the violation.
func TestLongRunShowsItsViolation(t *testing.T) {
	cycles := "4500"
	if !reportstest.Long {
		cycles = "500"
	}
	for _, id := range []string{"kleppmann/gc-pause", "baseline/fault-free"} {
		s, _ := scenarios.Find(id)
		for _, set := range []string{"clients=3", "work.cycles=" + cycles, "horizon=100h", "steps=100000000"} {
			if err := s.Set(set); err != nil {
				t.Fatal(err)
			}
		}
		r := scenarios.Run(s, 1)
		if len(r.Evidence.History) <= wholeMost {
			t.Fatalf("%s: only %d operations", id, len(r.Evidence.History))
		}
		for _, f := range Files(r) {
			if len(f.Content) > 5_000_000 {
				t.Errorf("%s: %s has %d bytes", id, f.Name, len(f.Content))
			}
		}
		picture := string(TimelineSVG(r))
		if !strings.Contains(picture, wording.Grouped(len(r.Evidence.History))+" operations and lasts") {
			t.Errorf("%s: the timeline does not say what it leaves out", id)
		}
		if violated := slices.ContainsFunc(r.Findings, isViolated); violated != strings.Contains(picture, `class="bad strong"`) {
			t.Errorf("%s: violated is %t, and the timeline shows otherwise", id, violated)
		}
	}
}

// Every picture of a hold that was extended shows the extensions: when each was asked for, its messages, and its
// deadline.
func TestExtensionsAreInEveryPicture(t *testing.T) {
	s, _ := scenarios.Find("distlock/extend-failed")
	r := scenarios.Run(s, 1)
	const succeeds, fails = "extension succeeds: the hold is valid until ", "extension fails"
	for name, picture := range map[string]string{
		"timeline": string(TimelineSVG(r)), "page": NewChart(NewScene(r)).SVG, "sequence": string(SequenceSVG(r)),
	} {
		if !strings.Contains(picture, fails) || !strings.Contains(picture, "extension succeeds") {
			t.Errorf("the %s lacks an extension", name)
		}
		if name != "sequence" && !strings.Contains(picture, succeeds) {
			t.Errorf("the %s lacks a deadline", name)
		}
	}
	x := Principal(NewScene(r))
	if !slices.ContainsFunc(x.Messages, func(m scenarios.Message) bool { return strings.Contains(m.Text, "PEXPIRE") }) {
		t.Errorf("no message of %d is an extension's", len(x.Messages))
	}
}

// Where there is no room for all extensions, no extension replaces an acquire or a write.
func TestManyExtensionsLeaveRoomForTheHolds(t *testing.T) {
	s, _ := scenarios.Find("distlock/extend-failed")
	x := Principal(NewScene(scenarios.Run(s, 1)))
	if last := x.Messages[len(x.Messages)-1]; x.left == 0 || len(x.Messages) > excerptMost || last.Text != "v2" ||
		len(slices.DeleteFunc(slices.Clone(x.Messages), func(m scenarios.Message) bool { return m.Text != "SET" })) != 10 {
		t.Errorf("%d are left out, %d not, and the last is %q", x.left, len(x.Messages), last.Text)
	}
}

// The flag of a violation says in words what broke.
func TestFlagsAreWords(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	picture := NewChart(NewScene(scenarios.Run(s, 1))).SVG
	if !strings.Contains(picture, ">An update was lost<") || strings.Contains(picture, "storage violated") {
		t.Errorf("the flags are not in words: %s", picture)
	}
}
