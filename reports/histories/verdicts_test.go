package histories_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/histories"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

// history.edn and history.jsonl hold the history of the run and the faults, and nothing more.
func TestTheHistoryOfEveryScenarioReadsBack(t *testing.T) {
	seeds := uint64(3)
	if !reportstest.Long {
		seeds = 1
	}
	deeds := 0
	for i, s := range scenarios.Catalogue() {
		if !reportstest.Long && i%3 > 0 {
			continue
		}
		for seed := uint64(1); seed <= seeds; seed++ {
			r := scenarios.Run(s, seed)
			for _, f := range runs.Files(r, runs.Making{}) {
				if !strings.HasPrefix(f.Name, "history.") {
					continue
				}
				back, err := codec.Reading{}.Read(bytes.NewReader(f.Content))
				if err != nil || !slices.Equal(back.History, r.Evidence.History) {
					t.Errorf("%s, seed %d: %s reads back otherwise: %v", s.ID, seed, f.Name, err)
					continue
				}
				if most := 4 * len(r.Evidence.Strikes); back.Skipped > most || f.Name == "history.edn" && back.Skipped < most/2 {
					t.Errorf("%s, seed %d: %d ops of the nemesis for %d strikes", s.ID, seed, back.Skipped, len(r.Evidence.Strikes))
				}
				deeds += back.Skipped
			}
		}
	}
	if deeds == 0 {
		t.Error("no nemesis struck anywhere")
	}
}

// recording reads a history whose indices differ from its places.
func recording(t *testing.T, text string) *codec.Recording {
	t.Helper()
	r, err := codec.Reading{}.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const twoHolders = `{:index 11 :process 0 :type :invoke :f :acquire :lock "a"}
{:index 12 :process :nemesis :type :info :f :kill}
{:index 13 :process 0 :type :ok :f :acquire :value {:fence 7}} {:index 20 :process 1 :type :invoke :f :acquire :lock "a"}
{:index 21 :process 1 :type :ok :f :acquire :error [:late]}
`

func TestCheckReportsTheOriginalIndices(t *testing.T) {
	r := recording(t, twoHolders)
	results := []histories.Judged{
		{Result: blackbox.Result{Model: "mutex", Lock: "a", Verdict: checker.Violated, Ops: []int{0},
			Reason: "Two at once: at index 1, indices 0 and 3, indices 0, 2 and 3, version 1."},
			Excerpt: blackbox.Excerpt{Ops: []int{0, 1, 3}, Minimal: true, Confirmed: true}},
		{Result: blackbox.Result{Model: "lease", Verdict: checker.Unknown, Reason: "A search gave up after 3 steps."}},
		{Result: blackbox.Result{Model: "semaphore"}},
	}
	text := `h.edn: 4 ops of 2 processes, on 1 lock: a; 1 op of no client was skipped

  model      verdict
  mutex      violated
  lease      unknown
  semaphore  holds

Not a valid mutex. Two at once: at index 13, indices 11 and 21, indices 11, 20 and 21, version 1.
These 3 ops alone have no legal order (porcupine agrees):
  line:column  index  process  type    f        lock  value
  1:1          11     0        invoke  acquire  a
  3:1          13     0        ok      acquire  a     fence 7
  4:1          21     1        ok      acquire  a     "[:late]"

Unknown for lease. A search gave up after 3 steps.
`
	if got := histories.Document("h.edn", r, results).Text(reports.Screen{}); got != text {
		t.Errorf("got\n%swant\n%s", got, text)
	}
	c := histories.Describe(r, results)
	window, err := json.Marshal(c.Models[0].Window)
	want := `[{"index":11,"time":0,"process":0,"type":"invoke","f":"acquire","lock":"a","value":{}},` +
		`{"index":13,"time":1,"process":0,"type":"ok","f":"acquire","lock":"a","value":{"fence":7}},` +
		`{"index":21,"time":3,"process":1,"type":"ok","f":"acquire","lock":"a","value":{"fence":0},"error":"[:late]"}]`
	if err != nil || string(window) != want || c.Verdict != checker.Violated || c.Ops != 4 || c.SchemaVersion != checker.SchemaVersion ||
		c.Models[0].Lock != "a" || c.Models[0].Confirmed == nil || !*c.Models[0].Confirmed || c.Models[1].Confirmed != nil {
		t.Errorf("%+v\n%s, %v", c, window, err)
	}
	if empty := reports.JSON(histories.Describe(r, results[2:])); bytes.Contains(empty, []byte("null")) {
		t.Errorf("nulls: %s", empty)
	}
}

func TestLockNamedLikeAnIndexKeepsItsName(t *testing.T) {
	r := recording(t, twoHolders)
	c := histories.Describe(r, []histories.Judged{{Result: blackbox.Result{Lock: "index 1", Verdict: checker.Violated, Reason: `Of lock "index 1": two at index 1.`}}})
	if got := c.Models[0].Reason; got != `Of lock "index 1": two at index 13.` {
		t.Error(got)
	}
}

func TestACheckOfRegistersShowsTheirVersions(t *testing.T) {
	r := recording(t, `{"process":4,"type":"invoke","f":"write","value":{"fence":2}} {"process":4,"type":"ok","f":"write","value":{"plain":0,"fenced":9}}`)
	got := histories.Document("stdin", r, []histories.Judged{{
		Result:  blackbox.Result{Model: "register", Verdict: checker.Violated, Reason: "So."},
		Excerpt: blackbox.Excerpt{Ops: []int{0, 1}},
	}}).Text(reports.Screen{})
	want := `stdin: 2 ops of 1 process

  model     verdict
  register  violated

Not a valid register. So.
These 2 ops, perhaps not the fewest, have no legal order (porcupine could not confirm that within
its limits):
  line:column  index  process  type    f      value
  1:1          0      4        invoke  write  fence 2, plain 0, fenced 0
  1:63         1      4        ok      write  plain 0, fenced 9
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// A register's excerpt keeps all writes; a table of them all would not help a reader.
func TestLongExcerptShrinksToTheConflict(t *testing.T) {
	var b strings.Builder
	var ops []int
	for i := range 40 {
		fmt.Fprintf(&b, `{"process":0,"type":"invoke","f":"write"} {"process":0,"type":"ok","f":"write","value":{"plain":%d}}`+"\n", i+1)
		ops = append(ops, 2*i, 2*i+1)
	}
	r := recording(t, b.String())
	j := histories.Judged{
		Result:  blackbox.Result{Model: "register", Verdict: checker.Violated, Reason: "So.", Ops: []int{3, 5}},
		Excerpt: blackbox.Excerpt{Ops: ops, Minimal: true, Confirmed: true},
	}
	got := histories.Document("h", r, []histories.Judged{j}).Text(reports.Screen{})
	if strings.Count(got, "\n") > 12 || !strings.Contains(got, "  2:43         3") || !strings.Contains(got, "80 ops") {
		t.Error(got)
	}
	if c := histories.Describe(r, []histories.Judged{j}); len(c.Models[0].Window) != 80 {
		t.Errorf("JSON has %d ops", len(c.Models[0].Window))
	}
}

// Where the ops name owners, the reasons do too, and the ops have the processes that they came with.
func TestCheckReportsTheOwnersOfTheOps(t *testing.T) {
	r := recording(t, `{:process 4 :type :invoke :f :acquire :value {:owner "p"}} {:process 4 :type :ok :f :acquire}
{:process 6 :type :invoke :f :release :value {:owner "q"}} {:process 6 :type :ok :f :release}`)
	m, _ := blackbox.LookupModel("mutex")
	m.Clients = len(r.Owners)
	result := blackbox.Linearizable(r.History, m)
	got := histories.Document("h", r, []histories.Judged{{Result: result, Excerpt: blackbox.Minimize(r.History, m, result)}}).Text(reports.Screen{})
	for _, want := range []string{
		"h: 4 ops of 2 processes and 2 owners\n", "The holder of a lock is the owner or token that its ops name, whatever the process.\n",
		"Not a valid mutex. Owner \"q\" released what it did not hold", "  2:1          2      6        invoke  release",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
	}
}

func TestTheNamesOfManyLocksAreCutShort(t *testing.T) {
	var b strings.Builder
	for i := range 10 {
		fmt.Fprintf(&b, `{"process":%d,"type":"invoke","f":"acquire","lock":"l%d"}`, i, i)
	}
	if got := histories.Document("h", recording(t, b.String()), nil).Text(reports.Screen{}); !strings.HasPrefix(got, "h: 10 ops of 10 processes, on more than 8 locks: l0, l1, l2, l3, l4, l5, l6, l7, ...\n") {
		t.Error(got)
	}
}
