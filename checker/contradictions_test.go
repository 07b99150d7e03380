package checker

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim/simtest"
	"pgregory.net/rapid"
)

// sound is an orderly run with an entry in every list.
func sound(n int) *Evidence {
	e := orderly(n)
	slices.SortFunc(e.Keys, func(a, b Span) int { return int(a.From - b.From) })
	for i := range e.Holds {
		h := &e.Holds[i]
		e.History[6*i+2].Value = Value{Fence: h.Fence}
		e.Renewals = append(e.Renewals, Renewal{Hold: i, Asked: h.From + 50, At: h.From + 100, OK: true, Valid: h.From + 250})
		e.Outages = append(e.Outages, Outage{i % 3, i % 5, h.From, h.From + 2500})
		e.Strikes = append(e.Strikes, Strike{Fault: "pause c1", Hosts: []string{"c1"}, From: h.From, To: h.Gone})
	}
	return e
}

// Readers' keys may share a lane, also with a writer's key that a faulty lock granted; two writers' keys can't.
func TestOnlySharedKeysOverlapOnALane(t *testing.T) {
	key := func(shared bool, from, to int64) Span {
		return Span{Shared: shared, From: clock.Instant(from), To: clock.Instant(to)}
	}
	for _, c := range []struct {
		keys []Span
		want string
	}{
		{[]Span{key(true, 1, 5), key(true, 2, 3), key(true, 4, 9), key(false, 9, 10)}, ""},
		{[]Span{key(true, 1, 9), key(true, 2, 3), key(false, 4, 5)}, ""},
		{[]Span{key(false, 1, 9), key(true, 2, 3), key(true, 10, 11)}, ""},
		{[]Span{key(false, 1, 9), key(true, 2, 3), key(false, 4, 5)}, "Keys[2]: n1 has its key from"},
		{[]Span{key(false, 4, 5), key(true, 2, 30), key(false, 1, 9)}, "Keys[0]: n1 has its key from"},
	} {
		e := Evidence{Lanes: []string{"n1"}, Keys: c.keys, End: 20}
		err := e.Check()
		if (err == nil) != (c.want == "") || err != nil && (!strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%v: %v; want %q", c.keys, err, c.want)
		}
	}
}

func TestSoundEvidenceIsJudged(t *testing.T) {
	for _, e := range []*Evidence{{}, sound(1), sound(10)} {
		if err := e.Check(); err != nil {
			t.Error(err)
		}
		var j Judge
		k := Judge{Unchecked: true}
		if got, want := j.Judge(e), k.Judge(e); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

// contradict are ways to break an entry of sound evidence, each with what Check says of it.
var contradict = []struct {
	list  string
	wrong func(e *Evidence, i int)
	want  string
}{
	{"Clients", func(e *Evidence, _ int) { e.Clients = -1 }, "it is -1; want 0 to 1048576"},
	{"End", func(e *Evidence, _ int) { e.End = -5 }, "an instant is -0.000000005s; want 0s or later"},
	{"Bound", func(e *Evidence, _ int) { e.Bound = -1 }, "want 0 or more"},
	{"Guard", func(e *Evidence, _ int) { e.Guard = 9 }, "it is 9; want 0 to 2"},
	{"Probe", func(e *Evidence, _ int) { e.Probe = Probe{Asked: 3, Won: 2, Bound: 1} }, "want Won no earlier than Asked"},
	{"History", func(e *Evidence, i int) { e.History[6*i].Index++ }, "its place in the history"},
	{"History", func(e *Evidence, i int) { e.History[6*i+1].Time = 1 << 40 }, "as in the op before"},
	{"Tries[%d]", func(e *Evidence, i int) { e.Tries[i].Client = 3 }, "Client is 3; want one of the 3 clients, 0 to 2"},
	{"Tries[%d]", func(e *Evidence, i int) { e.Tries[i].To = e.Tries[i].From - 1 }, "want To no earlier than From"},
	{"Tries[%d]", func(e *Evidence, i int) { e.Tries[i].Left = e.Tries[i].To - 1 }, "want Left no earlier than To"},
	{"Tries[%d]", func(e *Evidence, i int) { e.Tries[i].Outcome = 9 }, "outcome 9 is not known"},
	{"Tries[%d]", func(e *Evidence, i int) { e.Tries[i].Votes = -1 }, "Votes is -1"},
	{"Holds[%d]", func(e *Evidence, i int) { e.Holds[i].Client = -1 }, "Client is -1"},
	{"Holds[%d]", func(e *Evidence, i int) { e.Holds[i].Try = len(e.Tries) }, "want an index into the 7 Tries, or -1"},
	{"Holds[%d]", func(e *Evidence, i int) { e.Tries[i].Outcome = NoQuorum }, `ended with "no quorum"; want a try that won`},
	{"Holds[%d]", func(e *Evidence, i int) { e.Tries[i].Token = "x" }, "want the same"},
	{"Holds[%d]", func(e *Evidence, i int) { e.Tries[i].Client = (i + 1) % 3 }, "want one of c"},
	{"Holds[%d]", func(e *Evidence, i int) { e.Tries[i].To++; e.Tries[i].Left += 9 }, "after its acquire returned"},
	{"Holds[%d]", func(e *Evidence, i int) { e.Holds[i].Gone = e.Holds[i].From - 1 }, "want Gone no earlier than From"},
	{"Holds[%d]", func(e *Evidence, i int) { e.Holds[i].Asked = e.Holds[i].From }, "want Asked before From"},
	{"Holds[%d]", func(e *Evidence, i int) { e.Holds[i].Valid = e.Holds[i].Gone + 1 }, "had called release at"},
	{"Holds[%d]", func(e *Evidence, i int) { e.History, e.Holds[i].Valid = nil, forever }, "but its release had returned at"},
	{"Holds[%d]", func(e *Evidence, i int) { e.Holds[i].Gone++ }, "had called release at"},
	{"Holds[%d]", func(e *Evidence, i int) { e.Holds[i].Crashed, e.Holds[i].Gone = true, forever }, "want the instant of the crash"},
	{"Holds[%d]", func(e *Evidence, i int) { e.Holds[i].Slowed = 7 }, "Slowed is 7; want an index into the 7 Strikes, or -1"},
	{"Renewals[%d]", func(e *Evidence, i int) { e.Renewals[i].Hold = 7 }, "Hold is 7; want an index into the 7 Holds"},
	{"Renewals[%d]", func(e *Evidence, i int) { e.Renewals[i].At = forever }, "it succeeded, and At is forever"},
	{"Renewals[%d]", func(e *Evidence, i int) { e.Renewals[i].Asked = e.Holds[i].From - 1 }, "want Asked no earlier"},
	{"Renewals[%d]", func(e *Evidence, i int) { e.Renewals[i].Valid = e.Holds[i].Gone + 1 }, "had called release at"},
	{"Renewals[%d]", func(e *Evidence, i int) { e.Renewals[i].Deadline = e.Renewals[i].Valid - 1 }, "want it no earlier, or 0"},
	{"Keys[%d]", func(e *Evidence, i int) { e.Keys[i].Lane = 5 }, "Lane is 5; want an index into the 5 Lanes"},
	{"Keys[%d]", func(e *Evidence, i int) { e.Keys[i].To = e.Keys[i].From - 1 }, "want To no earlier than From"},
	{"Keys[%d]", func(e *Evidence, i int) { e.Keys[i+5].From = e.Keys[i].To - 1 }, ""},
	{"Keys[%d]", func(e *Evidence, i int) { e.Keys[i].Ended.Cause = 10 }, "want 0 to 9"},
	{"Keys[%d]", func(e *Evidence, i int) { e.Keys[i].To, e.Keys[i].Ended.Cause = forever, Expired }, "To is forever"},
	{"Outages[%d]", func(e *Evidence, i int) { e.Outages[i].Lane = -1 }, "Lane is -1"},
	{"Outages[%d]", func(e *Evidence, i int) { e.Outages[i].Client = 3 }, "Client is 3"},
	{"Outages[%d]", func(e *Evidence, i int) { e.Outages[i].To = 0 }, "want To no earlier than From"},
	{"Writes[%d]", func(e *Evidence, i int) { e.Writes[i].Client = 3 }, "Client is 3"},
	{"Writes[%d]", func(e *Evidence, i int) { e.Writes[i].Client = (i + 1) % 3 }, "want the same"},
	{"Writes[%d]", func(e *Evidence, i int) { e.Writes[i].Op = 0 }, "the History has an invoke of acquire; want the invoke of a write"},
	{"Writes[%d]", func(e *Evidence, i int) { e.Writes[i].Op = 42 }, "want an index into the 42 ops of the History, or -1"},
	{"Writes[%d]", func(e *Evidence, i int) { e.Writes[i].Fence = 99 }, "its token is 99"},
	{"Writes[%d]", func(e *Evidence, i int) { e.Writes[i].At = e.History[6*i+2].Time - 1 }, "before its client sent it"},
	{"Writes[%d]", func(e *Evidence, i int) { e.Writes[i].Plain.Base = 9 }, "Plain is based on version 9"},
	{"Writes[%d]", func(e *Evidence, i int) { e.Writes[i].Fenced.Made = 9 }, "Fenced makes version 9"},
	{"Writes[0]", func(e *Evidence, _ int) { e.Writes[0].Plain.Made = 9 }, "Plain makes version 9 after version 0; want 1, or 0 if it was refused"},
	{"Strikes[%d]", func(e *Evidence, i int) { e.Strikes[i].Index = 1 }, "want the place of one of the 1 faults that were Planned"},
	{"Strikes[%d]", func(e *Evidence, i int) { e.Strikes[i].To = 0 }, "want To no earlier than From"},
}

// Whatever entry is broken, Check names it and says what would be right, and every Property is Unknown for that reason.
func TestEvidenceThatContradictsItselfIsRefusedWithItsEntry(t *testing.T) {
	var j Judge
	for n, c := range contradict {
		for i := range 6 {
			e := sound(7)
			c.wrong(e, i)
			where, at := c.list, i
			if c.want == "" { // the later one of two keys is named
				at += 5
			}
			if strings.Contains(where, "%") {
				where = fmt.Sprintf(where, at)
			}
			err := e.Check()
			if err == nil || !slices.ContainsFunc(strings.Split(err.Error(), "\n"), func(line string) bool {
				return strings.HasPrefix(line, where+": ") && strings.Contains(line, c.want) && strings.Contains(line, "want ")
			}) {
				t.Errorf("%d: %s is broken, and Check says %v", n, where, err)
				continue
			}
			for _, f := range slices.Concat(j.Judge(e), j.Sometimes(e)) {
				if f.Verdict != Unknown || !strings.Contains(e.Explain(f), where+": ") {
					t.Fatalf("%d: %s is %v: %s", n, f.Property, f.Verdict, e.Explain(f))
				}
			}
			for _, f := range j.Figures(e) {
				if f.Known || f.Value != 0 {
					t.Errorf("%d: %s is %d", n, f.Name, f.Value)
				}
			}
		}
	}
}

// A run may end at the instant of its last op, and not before.
func TestTheLastOpMayBeAtTheEnd(t *testing.T) {
	e := sound(2)
	last := e.History[len(e.History)-1]
	e.End = last.Time
	if err := e.Check(); err != nil {
		t.Error(err)
	}
	e.End--
	if want := fmt.Sprintf("History[%d]: Time is ", last.Index); e.Check() == nil || !strings.Contains(e.Check().Error(), want) {
		t.Errorf("Check says %v, want %q", e.Check(), want)
	}
}

func TestALongListOfContradictionsIsCounted(t *testing.T) {
	e := sound(30)
	for i := range e.Outages {
		e.Outages[i].Lane = 99
	}
	if got := strings.Split(e.Check().Error(), "\n"); len(got) != 21 || got[20] != "and 10 more" {
		t.Errorf("%d lines, the last is %q", len(got), got[len(got)-1])
	}
}

// leaves gathers the fields of evidence that hold a number, a text or a truth, and lists.
func leaves(v reflect.Value, into []reflect.Value) []reflect.Value {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			into = leaves(v.Field(i), into)
		}
		return into
	case reflect.Slice:
		for i := range v.Len() {
			into = leaves(v.Index(i), into)
		}
	}
	return append(into, v)
}

// damage changes a field of evidence.
func damage(t *rapid.T, v reflect.Value) {
	n := rapid.OneOf(rapid.Int64Range(-2, 9), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, math.MaxInt64 - 1, 500, 5000})).Draw(t, "n")
	switch {
	case v.Kind() == reflect.Slice && v.Len() > 0:
		v.Set(v.Slice(0, rapid.SampledFrom([]int{0, v.Len() / 2, v.Len() - 1}).Draw(t, "left")))
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.Kind() == reflect.String:
		v.SetString(rapid.SampledFrom([]string{"", "a", "\x00\xff"}).Draw(t, "text"))
	case v.CanInt() && rapid.Bool().Draw(t, "near"):
		v.SetInt(v.Int() + n%10)
	case v.CanInt():
		v.SetInt(n)
	case v.CanUint():
		v.SetUint(uint64(n))
	}
}

func genDamaged(t *rapid.T) *Evidence {
	e := sound(rapid.IntRange(0, 4).Draw(t, "holds"))
	for range rapid.IntRange(0, 4).Draw(t, "damages") {
		all := leaves(reflect.ValueOf(e).Elem(), nil)
		damage(t, all[rapid.IntRange(0, len(all)-1).Draw(t, "field")])
	}
	return e
}

// readAll asks every question about evidence.
func readAll(j *Judge, e *Evidence) {
	promises, happened := j.Both(e, Sometimes)
	for _, f := range slices.Concat(promises, happened) {
		e.Account(f)
		e.Summary(f)
		s := e.Story(f)
		s.Main(5, e.ShortAccount(f))
		e.Kept(f.Property)
	}
	e.Handover()
	j.Figures(e)
	for _, p := range Properties {
		j.Ask(e, p)
	}
}

// A panic fails this. Half of the evidence is random; half is sound except for a few fields.
func TestNoEvidencePanics(t *testing.T) {
	var j Judge
	rapid.Check(t, func(t *rapid.T) {
		readAll(&j, rapid.Make[*Evidence]().Filter(func(e *Evidence) bool { return e != nil }).Draw(t, "evidence"))
	})
	rapid.Check(t, func(t *rapid.T) { readAll(&j, genDamaged(t)) })
	drawn, passed, tries := rapid.Custom(genDamaged), 0, 3000
	if !simtest.Long {
		tries = 200
	}
	for i := range tries {
		e := drawn.Example(i)
		readAll(&j, e)
		passed += truth(e.Check() == nil)
	}
	if t.Logf("%d of %d pass", passed, tries); passed < tries/10 || passed > tries-tries/10 {
		t.Error("that shows little")
	}
}

// Storage's records can be judged and described without a history.
func TestStorageIsJudgedWithoutAHistory(t *testing.T) {
	e := sound(3)
	e.Writes[2].Plain.Base = 0 // the update of c2 is lost
	e.History = nil
	var j Judge
	p, _ := Lookup("storage")
	f := j.Ask(e, p)
	if f.Verdict != Violated {
		t.Fatal(e.Explain(f))
	}
	told := ""
	for _, m := range e.Story(f).Events {
		told += m.Text + "; "
	}
	if want := "c3's write (token 3) arrives"; !strings.Contains(told, want) || strings.Contains(told, "sends") {
		t.Errorf("got %s, want %s", told, want)
	}
}
