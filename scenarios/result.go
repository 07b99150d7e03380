package scenarios

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// A Result is everything one run produced, and enough to run it again.
type Result struct {
	Scenario *Scenario
	Seed     uint64
	End      sim.End
	Steps    int
	Hosts    []string
	Clocks   []clock.Clock // of the hosts, with everything that was done to them
	Evidence *checker.Evidence
	Trace    []sim.Event
	Findings []checker.Finding // one for each of checker.Properties
	Seen     []checker.Finding // one for each of the scenario's Sometimes
	Verdict  Verdict

	// BlackBox is what a linearizability checker sees of the run, which knows its History alone: one for each of the
	// scenario's Views. It is nil where only some properties were judged. Excerpt has porcupine confirm what is
	// Violated.
	BlackBox []blackbox.Result

	// Copies is the life of the lock's key on each server of a group that replicates, whichever was its master. It
	// serves drawings: the judges use Evidence.Keys, which has the key of the group there. Elsewhere it is empty.
	Copies []checker.Span

	// Late are the grants of a user's lock that its third step should have refused. They are no part of the evidence.
	Late []LateGrant

	Failure string   // how a guest failed, with stacks; empty unless one did
	Hangs   []string // the calls of guests that never returned, in sentences
	Repeats Repeats  // how often it was repeated, if it was

	Live []string // of a live run: what it was made on, and why verdicts are in doubt, in sentences; else nil
}

// A Verdict says whether a run went as its scenario expects. Verdicts are in order of severity.
type Verdict uint8

// The verdicts of a run.
const (
	Pass Verdict = iota
	Unknown
	Fail
)

// String returns the verdict in one word: pass, unknown or fail.
func (v Verdict) String() string { return verdicts[v] }

var verdicts = [...]string{"pass", "unknown", "fail"}

// MarshalText returns the verdict in one word, as JSON has it.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText sets the verdict to the one that a word names.
func (v *Verdict) UnmarshalText(text []byte) error {
	i := slices.Index(verdicts[:], string(text))
	if i < 0 {
		return fmt.Errorf("there is no verdict %q: it is pass, unknown or fail", text)
	}
	*v = Verdict(i)
	return nil
}

// Endless reports whether the run used up all the steps that it may take.
func (r *Result) Endless() bool { return r.End == sim.StepsHit }

func (r *Result) judge(j *checker.Judge, sometimes []checker.Property) {
	r.Findings, r.Seen = j.Both(r.Evidence, sometimes)
	for i := range r.BlackBox {
		if v := &r.BlackBox[i]; r.Evidence.Cut != "" && v.Verdict == checker.Holds { // what came after may be illegal
			v.Verdict, v.Reason = checker.Unknown, "The run was cut short, and its history is legal as far as it goes."
		}
	}
	for i, name := range r.Scenario.Sometimes {
		if isView(name) {
			r.Seen = slices.Insert(r.Seen, i, r.happenedOf(name))
		}
	}
	r.sum()
}

func (r *Result) sum() {
	r.Verdict = Pass
	for _, f := range r.Findings {
		r.Verdict = max(r.Verdict, compare(f.Verdict, r.Scenario.Expected(f.Property)))
	}
	for _, f := range r.Seen {
		r.Verdict = max(r.Verdict, compare(f.Verdict, checker.Holds))
	}
	for _, e := range r.Scenario.Expect {
		if isView(e.Property) {
			r.Verdict = max(r.Verdict, compare(r.VerdictOn(e.Property), e.Verdict))
		}
	}
}

func compare(got, want checker.Verdict) Verdict {
	switch got {
	case want:
		return Pass
	case checker.Unknown:
		return Unknown
	}
	return Fail
}

// Doubt judges the run with other lives of the lock's keys, which are as possible as the lives in its evidence. It
// makes each verdict that differs unknown, and returns the properties.
func (r *Result) Doubt(keys []checker.Span) (differ []string) {
	other := *r.Evidence
	other.Keys = keys
	twin := *r
	twin.Evidence = &other
	twin.judge(new(checker.Judge), r.Scenario.appendSometimes(nil))
	verdicts := slices.Concat(twin.Findings, twin.Seen)
	for i, f := range slices.Concat(r.Findings, r.Seen) {
		if f.Verdict != verdicts[i].Verdict {
			differ = append(differ, f.Property)
		}
	}
	r.Unsure(func(f checker.Finding) bool { return slices.Contains(differ, f.Property) })
	return differ
}

// Unsure turns the doubtful verdicts into unknown.
func (r *Result) Unsure(doubtful func(checker.Finding) bool) {
	for _, list := range [][]checker.Finding{r.Findings, r.Seen} {
		for i := range list {
			if doubtful(list[i]) {
				list[i] = checker.Finding{Property: list[i].Property, Verdict: checker.Unknown, Witness: checker.Witness{Strike: -1}}
			}
		}
	}
	r.sum()
}

// CutShort marks the result as cut short because a guest failed. A broken promise stays broken; a promise that held is
// not known to hold. A client that waited does not count against the lock. The failure comes with stacks.
func (r *Result) CutShort(why, failure string) {
	e := r.Evidence
	e.Cut, r.Failure = why, why+":\n\n"+failure
	e.Bound, e.Probe = 0, checker.Probe{}
	r.judge(&checker.Judge{Unchecked: true}, r.Scenario.appendSometimes(nil))
	r.Verdict = max(r.Verdict, Unknown)
}

// Hang marks the result as one of a run that lasted until its horizon because calls of guests never returned. That is
// a finding, and no reason to doubt the rest: the run is judged as it was until then, including the clients that
// waited.
func (r *Result) Hang(calls []string, stacks string) {
	r.Hangs, r.Failure = calls, strings.Join(calls, "\n")+":\n\n"+stacks
	r.Evidence.Cut = ""
	r.judge(&checker.Judge{Unchecked: true}, r.Scenario.appendSometimes(nil))
	r.Verdict = Fail
}

// Interpreted returns the Lua scripts that Redis nodes had to interpret in the run. A run with such scripts takes
// about twice as long as one with scripts whose effect the nodes know. With the scripts in alone it takes about 50
// times as long: they may change what other scripts find, so each call costs a new Lua machine.
func (r *Result) Interpreted() (scripts, alone []string) {
	for _, e := range r.Trace {
		command, _ := e.Body.([]string)
		script, own := redis.Interpreted(command)
		if script != "" && !slices.Contains(scripts, script) {
			if scripts = append(scripts, script); own {
				alone = append(alone, script)
			}
		}
	}
	return scripts, alone
}

func (r *Result) violated() (names []string) {
	for _, f := range r.Findings {
		if f.Verdict == checker.Violated {
			names = append(names, f.Property)
		}
	}
	return names
}

// Repeats describes how often a run was repeated, and with what outcome.
type Repeats struct {
	Of    int // how often
	Alike int // how often the same promises broke
	Same  int // how often it was the same down to the last message
}

// String returns it in words, such as "repeats 3 of 3, 2 of them to the last message".
func (r Repeats) String() string {
	return fmt.Sprintf("repeats %d of %d, %d of them to the last message", r.Alike, r.Of, r.Same)
}

func (s *Scenario) appendSometimes(all []checker.Property) []checker.Property {
	for _, name := range s.Sometimes {
		if p, known := checker.Lookup(name); known { // else it is a view
			all = append(all, p)
		}
	}
	return all
}

// Hash is the SHA-256 of the history and the trace, in the form in which they are stored, one after the other. Equal
// hashes mean that two runs were the same, down to the last message.
func (r *Result) Hash() string {
	h := sha256.New()
	h.Write(r.HistoryJSONL())
	h.Write(r.TraceJSONL())
	return hex.EncodeToString(h.Sum(nil))
}

// HistoryJSONL is the history as history.jsonl holds it: an operation a line.
func (r *Result) HistoryJSONL() []byte {
	var b []byte
	for _, op := range r.Evidence.History {
		b = append(codec.AppendOp(b, op), '\n')
	}
	return b
}

// TraceJSONL is the trace as trace.jsonl holds it: an event a line.
func (r *Result) TraceJSONL() []byte {
	var b []byte
	for _, e := range r.Trace {
		b = append(r.appendEvent(b, e), '\n')
	}
	return b
}

// appendEvent appends one line of the trace, without its end: keys are in a fixed order, without empty ones.
func (r *Result) appendEvent(b []byte, e sim.Event) []byte {
	b = strconv.AppendInt(append(b, `{"time":`...), int64(e.At), 10)
	b = append(append(b, `,"kind":"`...), e.Kind.String()...)
	b = append(append(b, `","host":"`...), r.Hosts[e.Host]...)
	if e.Peer >= 0 {
		b = append(append(b, `","peer":"`...), r.Hosts[e.Peer]...)
	}
	b = append(b, '"')
	if e.Call > 0 {
		b = strconv.AppendUint(append(b, `,"call":`...), uint64(e.Call), 10)
	}
	if e.Body != nil || e.Kind == sim.Served {
		b = appendBody(append(b, `,"body":`...), e.Body)
	}
	return append(b, '}')
}

func appendBody(b []byte, body any) []byte {
	switch v := body.(type) {
	case nil:
		return append(b, "null"...)
	case string:
		return appendString(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case error:
		return append(appendString(append(b, `{"error":`...), v.Error()), '}')
	case sql.In:
		b = appendString(append(b, `{"session":`...), v.Session)
		return append(appendBody(append(b, `,"request":`...), v.Request), '}')
	case []string:
		return appendList(b, len(v), func(b []byte, i int) []byte { return appendString(b, v[i]) })
	case *redis.Request:
		return appendBody(b, v.Args)
	case *redis.Reply:
		return appendBody(b, v.Value)
	case []any:
		return appendList(b, len(v), func(b []byte, i int) []byte { return appendBody(b, v[i]) })
	case time.Duration:
		return append(append(append(b, '"'), v.String()...), '"')
	case clock.Rate:
		return append(append(append(b, '"'), v.String()...), '"')
	case storage.Read:
		return append(appendPass(append(b, `{"read":{`...), v.Pass), "}}"...)
	case storage.Ask:
		return append(appendPass(append(b, `{"ask":{`...), v.Pass), "}}"...)
	case *storage.Write:
		b = appendPass(append(b, `{"write":{`...), v.Pass)
		if v.Asked {
			b = append(b, `,"asked":true`...)
		}
		return append(appendState(append(b, `,"base":`...), v.Base), "}}"...)
	case bool:
		return strconv.AppendBool(b, v)
	case storage.State:
		return appendState(b, v)
	case fmt.Stringer: // messages between servers describe themselves
		return appendString(b, v.String())
	}
	panic("scenarios: a trace can't hold this kind of message")
}

func appendPass(b []byte, p storage.Pass) []byte {
	b = strconv.AppendUint(append(b, `"fence":`...), p.Fence, 10)
	return appendString(append(b, `,"token":`...), p.Token)
}

func appendState(b []byte, s storage.State) []byte {
	b = strconv.AppendUint(append(b, `{"plain":`...), s.Plain, 10)
	if s.Refused {
		return append(b, `,"fenced":"refused"}`...)
	}
	return append(strconv.AppendUint(append(b, `,"fenced":`...), s.Fenced, 10), '}')
}

func appendList(b []byte, n int, item func(b []byte, i int) []byte) []byte {
	b = append(b, '[')
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = item(b, i)
	}
	return append(b, ']')
}

// appendString appends a JSON string. Almost all of them need no escape.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			quoted, _ := json.Marshal(s) // a string always marshals
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}
