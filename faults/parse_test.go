package faults_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
)

var roles = []string{
	faults.Holder, faults.ANode, faults.AClient, faults.Minority, faults.Majority, faults.Nodes, faults.Clients, faults.All,
}

// proper draws a fault that sets only the fields of its kind: everything that a text can express.
func proper(t *rapid.T) faults.Fault {
	named := func(label string) string { return rapid.SampledFrom(hosts).Draw(t, label) }
	host := func(label string) string { return rapid.SampledFrom(slices.Concat(hosts, roles)).Draw(t, label) }
	length := func(label string) time.Duration {
		return time.Duration(rapid.Int64Range(0, int64(400*24*time.Hour)).Draw(t, label))
	}
	f := faults.Fault{Kind: kind(t), For: length("for")}
	if rapid.Bool().Draw(t, "at a mark") {
		f.When = faults.Mark{
			Host: rapid.SampledFrom(append(hosts, faults.Any)).Draw(t, "whose"), Name: rapid.SampledFrom([]string{"acquired", "before-write"}).Draw(t, "mark"),
			Nth: rapid.SampledFrom([]int{0, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111}).Draw(t, "nth"), After: length("after"),
		}
	} else {
		f.At = clock.Instant(length("instant"))
	}
	if f.For > 0 && rapid.Bool().Draw(t, "on a clock") {
		f.On = named("on")
	}
	switch f.Kind {
	case faults.Restart:
		f.Clean = rapid.Bool().Draw(t, "clean")
	case faults.Refuse:
		f.Reply = rapid.SampledFrom(faults.Errors).Draw(t, "reply")
	case faults.Partition:
		f.Shape = faults.Shape(rapid.IntRange(0, int(faults.Bridge)).Draw(t, "shape"))
		if f.Shape == faults.Grouped {
			f.Groups, f.OneWay = [][]string{{""}, {"", ""}, {""}}, rapid.Bool().Draw(t, "one way")
		}
	}
	for _, at := range f.Hosts() {
		*at = host("host")
	}
	for _, a := range f.Amounts() {
		most := int64(400 * 24 * time.Hour)
		if a.Name == "rate" {
			most = 900_000_000
		}
		a.Set(&f, rapid.Int64Range(1, most).Draw(t, a.Name))
		if f.Kind == faults.Drift || a.Name == "by" && (f.Kind == faults.Jump || f.Kind == faults.Slew) {
			a.Set(&f, a.Get(&f)-rapid.Int64Range(0, most).Draw(t, "less"))
		}
	}
	return f
}

func TestScheduleReadsItsOwnText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := faults.Schedule(rapid.SliceOfN(rapid.Custom(proper), 1, 5).Draw(t, "schedule"))
		got, err := faults.Parse(want.String())
		if err != nil {
			t.Fatalf("%s\n%v", want, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("wrote\n%sread\n%s", want, got)
		}
	})
}

func TestTheDesignsExampleIsRead(t *testing.T) {
	const text = `
# a quiet start
at 1.200s for 300ms  pause c2
at 2s     for 4s     partition c1 n1 n2 | n3 n4 n5

at 3.1s              drift n4 +800ppm   # a bad crystal
at 3.5s              jump n3 +11s
when c1 acquired 1st pause c1 for 15s
`
	const want = `at 1.2s for 300ms pause c2
at 2s for 4s partition c1 n1 n2 | n3 n4 n5
at 3.1s drift n4 +800ppm
at 3.5s jump n3 +11s
when c1 acquired pause c1 for 15s
`
	s, err := faults.Parse(text)
	if err != nil || s.String() != want {
		t.Errorf("%v\n%s", err, s)
	}
	if s, err := faults.Parse(""); err != nil || s != nil {
		t.Errorf("nothing is %v, %v", s, err)
	}
}

func TestAnOrdinalBeginsWithAnyDigit(t *testing.T) {
	for _, nth := range []string{"2nd", "9th", "90th"} {
		line := "when c1 acquired " + nth + " pause c1"
		if s, err := faults.Parse(line); err != nil || s.String() != line+"\n" {
			t.Errorf("%s: %q, %v", line, s, err)
		}
	}
}

func TestEachLineThatIsWrongIsNamedWithItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		"pause c1":                            `1:1: found "pause"; want “at INSTANT” or “when HOST MARK”`,
		"at":                                  `1:3: found the end of the line; want an instant such as 1.2s`,
		"at noon pause c1":                    `1:4: found "noon"; want an instant such as 1.2s`,
		"at -1s pause c1":                     `1:4: found "-1s"; want an instant such as 1.2s`,
		"at 1s for ever pause c1":             `1:11: found "ever"; want a duration such as 300ms; without “for” it lasts for the rest of the run`,
		"at 1s for 0s pause c1":               `1:11: found "0s"; want a duration such as 300ms; without “for” it lasts for the rest of the run`,
		"at 1s pause c1 for 0s":               `1:20: found "0s"; want a duration such as 300ms; without “for” it lasts for the rest of the run`,
		"at 1s for 3s on":                     `1:16: found the end of the line; want a host such as c1`,
		"at 1s for 3 pause c1":                `1:11: found "3"; want a duration such as 300ms`,
		"at 1s":                               `1:6: found the end of the line; want one of pause, suspend`,
		"at 1s explode c1":                    `1:7: found "explode"; want one of pause, suspend`,
		"at 1s pause":                         `1:12: found the end of the line; want a host such as c1`,
		"at 1s pause c1 c2":                   `1:16: found "c2"; want the end of the line`,
		"at 1s for 2s pause c1 for 3s":        `1:23: found "for"; want the end of the line`,
		"at 1s jump n3 11s":                   `1:15: found "11s"; want a signed duration such as +11s`,
		"at 1s drift n3 fast":                 `1:16: found "fast"; want a rate such as +800ppm`,
		"at 1s drift n3 0.00001ppm":           `1:16: found "0.00001ppm"; want a rate such as +800ppm`,
		"at 1s drift n3 99999999999999999ppm": `1:16: found "99999999999999999ppm"; want a rate such as +800ppm`,
		"at 1s slew n3 +1s 500ppm":            `1:19: found "500ppm"; want “at”`,
		"at 1s partition":                     `1:16: found the end of the line; want a host such as n1`,
		"at 1s partition | n1":                `1:17: found "|"; want a host such as n1`,
		"at 1s partition n1 |":                `1:21: found the end of the line; want a host such as n1`,
		"at 1s partition for 3s":              `1:17: found "for"; want a host such as n1`,
		"at 1s partition n1":                  `1:17: found "n1"; want groups such as c1 n1 | n2 n3, or one of isolate, split, ring, bridge`,
		"when c1 x partition n1 for 3s":       `1:21: found "n1"; want groups such as`,
		"at 1s partition isolat n3":           `1:17: found "isolat"; want groups such as c1 n1 | n2 n3, or one of isolate, split, ring, bridge; did you mean isolate?`,
		"at 1s partition brigde":              `1:17: found "brigde"; want groups such as c1 n1 | n2 n3, or one of isolate, split, ring, bridge; did you mean bridge?`,
		"at 1s partition isolate":             `1:24: found the end of the line; want a host such as c1`,
		"at 1s partition isolate n1 n2":       `1:28: found "n2"; want the end of the line`,
		"at 1s partition ring n1":             `1:22: found "n1"; want the end of the line`,
		"at 1s partition c1 > n1 | n2":        `1:25: found "|"; want “>”`,
		"at 1s partition c1 | n1 > n2":        `1:25: found ">"; want “|”`,
		"at 1s partition c1|n1":               `1:17: found "c1|n1"; want a host such as n1`,
		"at 1s partition c1 >":                `1:21: found the end of the line; want a host such as n1`,
		"at 1s pause c1>n1":                   `1:13: found "c1>n1"; want a host such as c1`,
		"at 1s crash":                         `1:12: found the end of the line; want a host such as c1`,
		"at 1s suspend":                       `1:14: found the end of the line; want a host such as c1`,
		"at 1s strobe n3":                     `1:16: found the end of the line; want a duration such as 200ms`,
		"at 1s strobe n3 -200ms every 50ms":   `1:17: found "-200ms"; want a duration such as 200ms`,
		"at 1s strobe n3 200ms":               `1:22: found the end of the line; want “every”`,
		"at 1s strobe n3 200ms every":         `1:28: found the end of the line; want a duration such as 50ms`,
		"at 1s slow-node n3":                  `1:19: found the end of the line; want “by”`,
		"at 1s slow-node n3 by fast":          `1:23: found "fast"; want a duration such as 5ms`,
		"at 1s slo-node n3":                   `1:7: found "slo-node"; want one of ` + kinds + `; did you mean slow-node?`,
		"at 1s crahs n3":                      `1:7: found "crahs"; want one of ` + kinds + `; did you mean crash?`,
		"at 1s cut c1":                        `1:11: found "c1"; want a link such as c1>n2`,
		"at 1s cut c1>":                       `1:11: found "c1>"; want a link such as c1>n2`,
		"at 1s slow c1>n1 5ms":                `1:18: found "5ms"; want “by”`,
		"at 1s lossy c1>n1 half":              `1:19: found "half"; want a share such as 20000ppm`,
		"at 1s lossy c1>n1 -5ppm":             `1:19: found "-5ppm"; want a share such as 20000ppm`,
		"when c1":                             `1:8: found the end of the line; want a mark such as acquired`,
		"when c1 acquired 2th pause c1":       `1:18: found "2th"; want an ordinal such as 2nd`,
		"when c1 acquired 0th pause c1":       `1:18: found "0th"; want an ordinal such as 2nd`,
		"when c1 acquired +soon pause c1":     `1:18: found "+soon"; want a duration such as +10ms`,
		"at 1s pause c1\n\tat 2s paus c1\nat": `2:8: found "paus"; want one of`,
	} {
		s, err := faults.Parse(text)
		var syntax *faults.SyntaxError
		if s != nil || !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
	if _, err := faults.Parse("at 1s paus c1\nat 2s pause c1\nwhen c1"); strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("two lines are wrong, and it says: %v", err)
	}
}

// Whatever is read can be written and read again, and nothing makes the reader panic.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"at 1.2s for 300ms pause c2", "at 2s for 4s partition c1 n1 n2 | n3 n4 n5", "at 3.1s drift n4 -0.5ppm",
		"when c1 before-write 2nd +10ms hold c1>s for 15s", "at 0s lossy c1>n1 5ppm # x", "at 1s slew n1 -1s at 500ppm",
		"at 1s slow a>b by 1ns", "when c1 x restart n1 cleanly", "|", "\xff\xfe", "at 1s jump n1 +",
		"at 1s crash c1", "at 1s for 3s suspend holder", "at 1s strobe n3 200ms every 50ms", "when any x slow-node minority by 1s for 2s",
		"at 1s partition c1 > n1 > n2", "at 1s partition isolate a-node", "at 1s partition split", "when c1 x partition ring for 2s",
		"at 1s partition bridge", "at 1s partition minority holder | majority", "at 1s cut clients>all",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := faults.Parse(text)
		if err != nil {
			return
		}
		again, err := faults.Parse(s.String())
		if err != nil || again.String() != s.String() {
			t.Fatalf("%q is read as\n%sand that as\n%s%v", text, s, again, err)
		}
	})
}

// A file's reader can name the line of the fault that Check rejects.
func TestEachFaultKnowsItsLine(t *testing.T) {
	s, lines, err := faults.ParseLines("# first\n\nat 1s pause c1\nat 2s pause n9 # not there\n\nat 3s crash c2\nat 3s drift c1 +0ppm")
	if err != nil || !slices.Equal(lines, []int{3, 4, 6, 7}) {
		t.Fatalf("lines %v, %v", lines, err)
	}
	var wrong []int
	for _, c := range s.Complaints(cast, time.Minute) {
		wrong = append(wrong, lines[c.Index])
	}
	if !slices.Equal(wrong, []int{4, 7}) {
		t.Errorf("lines %v are wrong, want 4 and 7", wrong)
	}
	if s, lines, err := faults.ParseLines("at 1s pause c1\nat"); s != nil || lines != nil || err == nil {
		t.Errorf("half a schedule is read: %v, %v, %v", s, lines, err)
	}
}
