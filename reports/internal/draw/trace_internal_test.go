package draw

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
)

// An event is one of Chrome's trace event format. Numbers are kept as they are written.
type event struct {
	Ph, Name, Cat, S, Bp string
	Ts, Dur, ID          json.Number
	Pid, Tid             int
	Args                 map[string]any
}

// nanos returns a time of the trace in nanoseconds: it is in microseconds, with at most three decimals.
func nanos(n json.Number) int64 {
	whole, part, _ := strings.Cut(string(n), ".")
	ns, err := strconv.ParseInt(whole+(part + "000")[:3], 10, 64)
	if err != nil || len(part) > 3 {
		return -1
	}
	return ns
}

// fields names, for each kind of event, the fields that it must have; it may have args besides.
var fields = map[string]string{
	"M": "args name ph pid", "X": "dur name ph pid tid ts", "i": "name ph pid s tid ts",
	"b": "cat id name ph pid tid ts", "e": "cat id name ph pid tid ts",
	"s": "cat id name ph pid tid ts", "f": "bp cat id name ph pid tid ts",
}

// wellTraced reads a trace, and holds it to the format: the fields of each event; names for each process and thread;
// events in order; complete events that nest; pairs that begin and end; flows whose ends lie within an event.
func wellTraced(t *testing.T, name string, text []byte) {
	t.Helper()
	for _, wrong := range untraced(text) {
		t.Errorf("%s: %s", name, wrong)
	}
}

func untraced(text []byte) (wrong []string) {
	var trace struct {
		DisplayTimeUnit string
		TraceEvents     []json.RawMessage
		OtherData       map[string]any
	}
	if err := json.Unmarshal(text, &trace); err != nil {
		return []string{err.Error()}
	}
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if trace.DisplayTimeUnit != "ms" {
		say("its unit is %q", trace.DisplayTimeUnit)
	}
	var events []event
	for _, raw := range trace.TraceEvents {
		var e event
		var all map[string]any
		if err := json.Unmarshal(raw, &e); err != nil {
			return []string{err.Error()}
		}
		_ = json.Unmarshal(raw, &all) // it was read just now
		got := slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(f string) bool { return f == "args" && e.Ph != "M" || f == "tid" && e.Ph == "M" })
		if strings.Join(got, " ") != fields[e.Ph] {
			say("%s has the fields %v", raw, got)
		}
		events = append(events, e)
	}
	wrong = append(wrong, unnamed(events)...)
	wrong = append(wrong, unordered(events)...)
	wrong = append(wrong, unnested(events)...)
	wrong = append(wrong, unpaired(events)...)
	return append(wrong, unbound(events)...)
}

// unnamed describes processes and threads that have no name, or have it after they were used.
func unnamed(events []event) (wrong []string) {
	named := map[string]bool{}
	for _, e := range events {
		if e.Ph == "M" {
			if e.Name == "process_name" || e.Name == "thread_name" {
				named[fmt.Sprint(e.Name, e.Pid, e.Tid)] = e.Args["name"] != ""
			} else if _, is := e.Args["sort_index"].(float64); !is || e.Name != "process_sort_index" && e.Name != "thread_sort_index" {
				wrong = append(wrong, "unknown name "+e.Name)
			}
			continue
		}
		if !named[fmt.Sprint("process_name", e.Pid, 0)] || !named[fmt.Sprint("thread_name", e.Pid, e.Tid)] {
			wrong = append(wrong, fmt.Sprintf("nobody names process %d or its thread %d", e.Pid, e.Tid))
		}
	}
	return wrong
}

// unordered describes events that come before those that were earlier, and of times that are none.
func unordered(events []event) (wrong []string) {
	last := int64(0)
	for _, e := range events {
		if e.Ph == "M" {
			continue
		}
		at := nanos(e.Ts)
		if at < last {
			wrong = append(wrong, fmt.Sprintf("%s at %s comes after %d ns", e.Name, e.Ts, last))
		}
		last = at
	}
	return wrong
}

// unnested describes complete events on one thread that overlap, and none of which lies within the other.
func unnested(events []event) (wrong []string) {
	type open struct{ from, to int64 }
	stacks := map[[2]int][]open{}
	for _, e := range events {
		if e.Ph != "X" {
			continue
		}
		key, from := [2]int{e.Pid, e.Tid}, nanos(e.Ts)
		to := from + nanos(e.Dur)
		stack := slices.DeleteFunc(stacks[key], func(o open) bool { return o.to <= from && o.from < from })
		for _, o := range stack {
			if to > o.to || to < from {
				wrong = append(wrong, fmt.Sprintf("%s at %s for %s overlaps another on process %d, thread %d", e.Name, e.Ts, e.Dur, e.Pid, e.Tid))
			}
		}
		stacks[key] = append(stack, open{from, to})
	}
	return wrong
}

// unpaired describes asynchronous events and of flows that have no end, or one that is another's.
func unpaired(events []event) (wrong []string) {
	begun := map[string]event{}
	for _, e := range events {
		key := map[string]string{"b": "async", "e": "async", "s": "flow", "f": "flow"}[e.Ph] + e.Cat + string(e.ID)
		switch e.Ph {
		case "b", "s":
			if _, twice := begun[key]; twice {
				wrong = append(wrong, "two begin with the ID "+key)
			}
			begun[key] = e
		case "e", "f":
			from, found := begun[key]
			if !found || from.Name != e.Name || e.Ph == "e" && (from.Pid != e.Pid || from.Tid != e.Tid) {
				wrong = append(wrong, fmt.Sprintf("%s ends what began as %+v", key, from))
			}
			delete(begun, key)
		}
	}
	for key := range begun {
		wrong = append(wrong, key+" has no end")
	}
	return wrong
}

// unbound describes ends of flows that lie in no complete event of their thread that came before.
func unbound(events []event) (wrong []string) {
	last := map[[2]int]event{}
	for _, e := range events {
		switch e.Ph {
		case "X":
			last[[2]int{e.Pid, e.Tid}] = e
		case "s", "f":
			x, found := last[[2]int{e.Pid, e.Tid}]
			if at := nanos(e.Ts); !found || at < nanos(x.Ts) || at >= nanos(x.Ts)+nanos(x.Dur) || !strings.HasSuffix(x.Name, e.Name) {
				wrong = append(wrong, fmt.Sprintf("the flow %s of %s at %s is bound to %q at %s", e.Ph, e.Name, e.Ts, x.Name, x.Ts))
			}
			if e.Ph == "f" && e.Bp != "e" {
				wrong = append(wrong, "a flow ends at the next event, not in the one around it")
			}
		}
	}
	return wrong
}

// What is held against traces finds what is wrong with one.
func TestATraceThatBreaksTheFormatIsFound(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	good := string(Perfetto(scenarios.Run(s, 1)))
	if wrong := untraced([]byte(good)); wrong != nil {
		t.Fatalf("%v", wrong)
	}
	for _, c := range []struct{ old, new, says string }{
		{`"displayTimeUnit":"ms"`, `"displayTimeUnit":"s"`, "its unit is"},
		{`{"ph":"M","pid":7,"name":"process_name"`, `{"ph":"M","pid":77,"name":"process_name"`, "nobody names process 7"},
		{`{"ph":"M","pid":7,"tid":1,"name":"thread_name"`, `{"ph":"M","pid":7,"tid":99,"name":"thread_name"`, "nobody names process 7 or its thread 1"},
		{`"ph":"X","pid":7,"tid":1,`, `"ph":"X","pid":7,`, "has the fields"},
		{`"ph":"s",`, `"ph":"t",`, "has the fields"},
		{`"ph":"i","s":"t",`, `"ph":"i",`, "has the fields"},
		{`"ts":3100.618,"dur":15002997.285`, `"ts":20003100.618,"dur":15002997.285`, "comes after"},
		{`"ts":3100.618,"dur":15002997.285`, `"ts":3.1e6,"dur":15002997.285`, "comes after"},
		{`"ph":"e",`, `"ph":"b",`, "two begin with the ID"},
		{`"dur":0.001,"name":"sends`, `"dur":0,"name":"sends`, "is bound to"},
		{`"dur":0.001,"name":"sends`, `"dur":100000000,"name":"sends`, "overlaps"},
		{`"bp":"e"`, `"bp":"x"`, "a flow ends at the next event"},
	} {
		if !strings.Contains(good, c.old) {
			t.Errorf("it has no %s", c.old)
		}
		bad := strings.Replace(good, c.old, c.new, 1)
		if c.says == "overlaps" { // the one after it must end later
			bad = regexp.MustCompile(`"dur":0.001,"name":"gets`).ReplaceAllString(bad, `"dur":500000000,"name":"gets`)
		}
		if wrong := strings.Join(untraced([]byte(bad)), "\n"); !strings.Contains(wrong, c.says) {
			t.Errorf("with %s for %s it says %q, want %q", c.new, c.old, wrong, c.says)
		}
	}
}
