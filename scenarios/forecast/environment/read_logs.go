package environment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/faults/size"
)

var freeze = Cause{Name: "freeze of a client", Strikes: "pause a-client for ~"}

// logs are the formats that are known.
var logs = []logFormat{
	{
		name: "gctrace", about: "Go's GODEBUG=gctrace=1, on standard error", cause: freeze, read: readGCTrace,
		sample: "gc 1 @0.012s 2%: 0.015+0.59+0.14 ms clock, …",
		unsaid: "pauses that are not collections: the scheduler's, the machine's, the hypervisor's; nor how long goroutines help mark",
	},
	{
		name: "jvm", about: "the JVM's unified log, -Xlog:gc", cause: freeze, read: readJVM,
		sample: "[0.687s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 6M->3M(128M) 9.910ms",
		unsaid: "pauses at other safepoints (-Xlog:safepoint has those), and those of the machine or the hypervisor",
	},
	{
		name: "chrony", about: "chronyd's tracking.log", read: readChrony,
		cause:  Cause{Name: "step of a node's clock", Strikes: "jump a-node +~"},
		sample: "2026-11-23 10:02:16 192.0.2.10 2 -3.338 0.062 -1.312e-05 N 4 …",
		unsaid: "whether an offset was stepped (the system log has “System clock was stepped”), nor what other hosts did",
	},
	{
		name: "loopstats", about: "ntpd's loopstats", read: readLoopstats,
		cause:  Cause{Name: "step of a node's clock", Strikes: "jump a-node +~"},
		sample: "61367 3600.120 0.000132417 -12.301 0.000041 0.003112 6",
		unsaid: "for certain that an offset was stepped (ntpd does from 128 ms on, unless told otherwise), nor what other hosts did",
	},
	{
		name: "redis-latency", about: "redis-cli LATENCY HISTORY event, for at least a day", read: readLatency,
		cause:  Cause{Name: "freeze of a node", Strikes: "pause a-node for ~"},
		sample: "1) 1) (integer) 1405067822",
		unsaid: "more than the latest 160 spikes, of one a second at most, above latency-monitor-threshold",
	},
	{
		name: "redis-latest", about: "redis-cli LATENCY LATEST", read: readLatest,
		cause:  Cause{Name: "freeze of a node", Strikes: "pause a-node for ~"},
		sample: "command",
		unsaid: "how often such spikes come: it has the latest and the largest of each kind",
	},
	{
		name: "redis-info", about: "redis-cli INFO", read: readInfo,
		sample: "uptime_in_seconds:86400",
		unsaid: "how often the server restarted before, nor what it had lost then; nor appendfsync, which CONFIG GET has",
	},
	{
		name: "ping", about: "ping HOST", read: readPing,
		sample: "64 bytes from 192.0.2.20: icmp_seq=1 ttl=63 time=0.412 ms",
		unsaid: "which of the two ways was slow, nor what TCP makes of a loss",
	},
	{
		name: "hdr", about: "percentiles that HdrHistogram prints, in milliseconds", cause: freeze, read: readHistogram,
		sample: "0.250 0.500000000000 500 2.00",
		unsaid: "how often, nor what the times are of: here they are taken for freezes of a client",
	},
	{
		name: "last", about: "last -x -F reboot shutdown", read: readLast,
		cause:  Cause{Name: "restart of a node", Strikes: "restart a-node for ~"},
		sample: "reboot system boot 6.1.0-30-amd64 Tue Sep 1 06:12:07 2026 - Sun Sep 20 22:00:01 2026 (19+15:47)",
		unsaid: "restarts of the server's process alone, nor how long the machine was off before a boot that no shutdown came before",
	},
	{
		name: "kubernetes", about: "kubectl get events -A -o json", read: readEvents,
		cause:  Cause{Name: "restart of a node", Strikes: "restart a-node for ~"},
		sample: `{"kind": "List", "items": [ … ]}`,
		unsaid: "events older than an hour, unless they were exported (the API server drops them); nor which pods are nodes of a lock",
	},
}

var gcTrace = regexp.MustCompile(`^gc \d+ @([0-9.]+)s \d+%: ([0-9.]+)\+[0-9.]+\+([0-9.]+) ms clock, .* P`)

func readGCTrace(r *reading) error {
	for i, l := range r.lines {
		if !strings.HasPrefix(l, "gc ") {
			continue // what the program itself prints
		}
		m := gcTrace.FindStringSubmatch(l)
		if m == nil {
			return r.fail(i, l)
		}
		at, ok := seconds(m[1])
		begin, fine := times(m[2], time.Millisecond)
		end, good := times(m[3], time.Millisecond)
		if !ok || !fine || !good {
			return r.fail(i, l)
		}
		r.span = max(r.span, at)
		r.events = append(r.events, begin, end) // each collection stops the world twice
	}
	if len(r.events) == 0 {
		return r.none()
	}
	return nil
}

var (
	jvmLine  = regexp.MustCompile(`^\[([^\]]+)\]`)
	jvmPause = regexp.MustCompile(`GC\(\d+\) Pause .* ([0-9.,]+)ms$`)
)

func readJVM(r *reading) error {
	first := time.Time{}
	for i, l := range r.lines {
		m := jvmLine.FindStringSubmatch(l)
		if m == nil {
			if strings.TrimSpace(l) == "" {
				continue
			}
			return r.fail(i, l)
		}
		at, ok := seconds(strings.TrimSuffix(strings.Replace(m[1], ",", ".", 1), "s"))
		if stamp, err := time.Parse("2006-01-02T15:04:05.000-0700", m[1]); err == nil {
			if first.IsZero() {
				first = stamp
			}
			at, ok = stamp.Sub(first), true
		}
		if !ok {
			return r.fail(i, l)
		}
		r.span = max(r.span, at)
		pause := jvmPause.FindStringSubmatch(l)
		if pause == nil {
			if i == len(r.lines)-1 {
				return r.fail(i, l) // a whole line ends with a newline
			}
			continue
		}
		d, ok := times(strings.Replace(pause[1], ",", ".", 1), time.Millisecond)
		if !ok {
			return r.fail(i, l)
		}
		r.events = append(r.events, d)
	}
	if r.span == 0 {
		return r.none()
	}
	return nil
}

// stepsFrom is the offset from which ntpd steps a clock.
const stepsFrom = 128 * time.Millisecond

// offset counts an offset that is so large that the clock was stepped, or should have been.
func (r *reading) offset(d time.Duration) {
	if d.Abs() >= stepsFrom {
		r.events = append(r.events, d.Abs())
	}
}

// clocks writes by how much clocks run fast or slow.
func (r *reading) clocks(ppm float64) {
	r.section = fmt.Sprintf("clocks:\n  rate: %sppm\n  source: measured, the largest of %s\n",
		digits(max(ppm, 0.001)), strings.Map(printable, r.file))
}

func readChrony(r *reading) error {
	skew := 0.0
	var at []time.Time
	for i, l := range r.lines {
		f := strings.Fields(l)
		if len(f) == 0 || strings.HasPrefix(l, "=") || f[0] == "Date" {
			continue
		}
		if len(f) < 9 {
			return r.fail(i, l)
		}
		t, err := time.Parse("2006-01-02 15:04:05", f[0]+" "+f[1])
		s, bad := strconv.ParseFloat(f[5], 64)
		d, ok := seconds(f[6])
		if err != nil || bad != nil || !ok || s != s || math.IsInf(s, 0) {
			return r.fail(i, l)
		}
		at, skew = append(at, t), max(skew, s)
		r.offset(d)
	}
	if len(at) == 0 {
		return r.none()
	}
	r.span = spanOf(at)
	r.clocks(skew)
	r.note("the rate of its clocks is the largest skew, by which chronyd may be wrong about the frequency that it corrects")
	return nil
}

func readLoopstats(r *reading) error {
	var at []time.Time
	least, most := math.Inf(1), math.Inf(-1)
	for i, l := range r.lines {
		f := strings.Fields(l)
		if len(f) == 0 {
			continue
		}
		if len(f) != 7 {
			return r.fail(i, l)
		}
		day, err := strconv.Atoi(f[0])
		of, ok := seconds(f[1])
		d, fine := seconds(f[2])
		ppm, bad := strconv.ParseFloat(f[3], 64)
		if err != nil || bad != nil || !ok || !fine || day < 0 || day > 100_000 || ppm != ppm || math.IsInf(ppm, 0) {
			return r.fail(i, l)
		}
		at = append(at, time.Date(1858, 11, 17+day, 0, 0, 0, 0, time.UTC).Add(of)) // day 0 of the modified Julian date
		least, most = min(least, ppm), max(most, ppm)
		r.offset(d)
	}
	if len(at) == 0 {
		return r.none()
	}
	r.span = spanOf(at)
	r.clocks(most - least)
	r.note("the rate of its clocks is the range of the frequency that ntpd corrects: what it was not yet corrected by")
	return nil
}

var numbered = regexp.MustCompile(`^(?:\s*\d+\))*\s*(?:\(integer\))?\s*(.*)$`)

// replies returns the replies that redis-cli printed, with or without numbers before them.
func (r *reading) replies() (all []string, line []int) {
	for i, l := range r.lines {
		if strings.TrimSpace(l) != "" {
			all, line = append(all, strings.Trim(strings.TrimSpace(numbered.FindStringSubmatch(l)[1]), `"`)), append(line, i)
		}
	}
	return all, line
}

func readLatency(r *reading) error {
	at := []time.Time{}
	all, line := r.replies()
	for k := 0; k < len(all); k += 2 {
		stamp, err := strconv.ParseInt(all[k], 10, 64)
		if err != nil || stamp < 1e9 || stamp > 1e11 {
			return r.fail(line[k], r.lines[line[k]])
		}
		if k+1 == len(all) {
			return fmt.Errorf("%s:%d: the file ends within an entry: the milliseconds are missing", r.file, line[k]+1)
		}
		d, ok := times(all[k+1], time.Millisecond)
		if !ok || d < 0 {
			return r.fail(line[k+1], r.lines[line[k+1]])
		}
		at, r.events = append(at, time.Unix(stamp, 0)), append(r.events, d)
	}
	if len(all) == 0 {
		return r.none()
	}
	r.span = spanOf(at)
	return nil
}

func readLatest(r *reading) error {
	all, line := r.replies()
	var largest []time.Duration
	for k := 0; k < len(all); k += 4 {
		if k+3 >= len(all) {
			return fmt.Errorf("%s:%d: the file ends within an entry: each has a name, a time, the latest and the largest",
				r.file, line[len(line)-1]+1)
		}
		d, ok := times(all[k+3], time.Millisecond)
		if _, err := strconv.ParseInt(all[k+1], 10, 64); err != nil || !ok || d < 0 {
			return r.fail(line[k+1], r.lines[line[k+1]])
		}
		largest = append(largest, d)
		r.note("%s: the largest spike was %s", strings.Map(printable, short(all[k])), d)
	}
	if len(all) == 0 {
		return r.none()
	}
	r.sizeOf, _ = size.Parse(quantilesOf(largest))
	return nil
}

func readInfo(r *reading) error {
	found := false
	for i, l := range r.lines {
		key, value, is := strings.Cut(l, ":")
		if !is && l != "" && !strings.HasPrefix(l, "#") {
			return r.fail(i, l)
		}
		switch key {
		case "uptime_in_seconds":
			up, ok := seconds(value)
			if !ok || up <= 0 {
				return r.fail(i, l)
			}
			_, most := poisson(0, up)
			r.note("the server has been up for %s: it restarts less often than %.3g times a year, at 95 %% confidence", up, most)
			found = true
		case "aof_enabled":
			r.note("%s", map[bool]string{true: "it writes commands to a file: --set persistence=aof-always, if appendfsync is always",
				false: "it writes no commands to a file: --set persistence=none"}[value == "1"])
		}
	}
	if !found {
		return r.none()
	}
	return nil
}

var pingLine = regexp.MustCompile(`icmp_seq=(\d+).* time=([0-9.]+) ms$`)

func readPing(r *reading) error {
	var trips []time.Duration
	first, last := math.MaxInt, -1
	for i, l := range r.lines {
		if !strings.Contains(l, "icmp_seq=") {
			continue // its first lines, and its statistics
		}
		m := pingLine.FindStringSubmatch(l)
		if m == nil {
			if strings.Contains(l, "time=") || i == len(r.lines)-1 {
				return r.fail(i, l)
			}
			continue // no answer yet, or not reachable
		}
		seq, err := strconv.Atoi(m[1])
		d, ok := times(m[2], time.Millisecond)
		if err != nil || !ok || seq > 1e9 {
			return r.fail(i, l)
		}
		first, last, trips = min(first, seq), max(last, seq), append(trips, d)
	}
	if len(trips) == 0 {
		return r.none()
	}
	trips = sorted(trips)
	sent := last - first + 1
	loss := max(0, 1-math.Sqrt(float64(min(len(trips), sent))/float64(sent))) // of one way
	r.section = fmt.Sprintf("network:\n  latency: %s..%s\n  loss: %s\n  source: measured, ping\n",
		(trips[0] / 2).Round(time.Microsecond),
		(trips[(len(trips)-1)*99/100] / 2).Round(time.Microsecond), strconv.FormatFloat(math.Round(loss*1e6)/1e6, 'f', -1, 64))
	r.note("latency is half of a round trip, up to that of 99 in 100, of which the largest was %s", trips[len(trips)-1])
	return nil
}

func readHistogram(r *reading) (err error) {
	r.sizeOf, err = size.Read(r.file, []byte(strings.Join(r.lines, "\n")), "ms")
	return err
}

var (
	lastLine = regexp.MustCompile(`^(reboot|shutdown) +system (?:boot|down) +\S+ +(\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})`)
	lastEnd  = regexp.MustCompile(`begins \w{3} (\w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})`)
)

func readLast(r *reading) error {
	type mark struct {
		at   time.Time
		boot bool
	}
	var all []mark
	var at []time.Time
	for i, l := range r.lines {
		if m := lastEnd.FindStringSubmatch(l); m != nil {
			if t, err := time.Parse("Jan _2 15:04:05 2006", m[1]); err == nil {
				at = append(at, t)
			}
			continue
		}
		m := lastLine.FindStringSubmatch(l)
		if m == nil {
			if strings.TrimSpace(l) == "" {
				continue
			}
			return r.fail(i, l)
		}
		t, err := time.Parse("Mon Jan _2 15:04:05 2006", m[2])
		if err != nil {
			return r.fail(i, l)
		}
		all, at = append(all, mark{t, m[1] == "reboot"}), append(at, t)
	}
	if len(all) == 0 {
		return r.none()
	}
	slices.SortStableFunc(all, func(a, b mark) int { return a.at.Compare(b.at) })
	for i, m := range all[1:] {
		if before := all[i]; m.boot && !before.boot {
			r.events = append(r.events, m.at.Sub(before.at))
		} else if m.boot {
			r.events = append(r.events, time.Minute)
			r.note("no shutdown comes before the boot at %s: a minute away is assumed", m.at.Format("2006-01-02 15:04:05"))
		}
	}
	r.span = spanOf(at)
	return nil
}

func readEvents(r *reading) error {
	var list struct {
		Kind  string `json:"kind"`
		Items []struct {
			InvolvedObject struct{ Kind, Namespace, Name string }
			Reason         string
			First          *time.Time `json:"firstTimestamp"`
			Last           *time.Time `json:"lastTimestamp"`
			Event          *time.Time `json:"eventTime"`
		} `json:"items"`
	}
	text := []byte(strings.Join(r.lines, "\n"))
	if err := json.Unmarshal(text, &list); err != nil {
		line := len(r.lines)
		if wrong, is := errors.AsType[*json.SyntaxError](err); is {
			line = 1 + bytes.Count(text[:min(int(wrong.Offset), len(text))], []byte("\n"))
		}
		return fmt.Errorf("%s:%d: no export of events: %s", r.file, line, short(strings.TrimPrefix(err.Error(), "json: ")))
	}
	if !strings.HasSuffix(list.Kind, "List") || len(list.Items) == 0 {
		return fmt.Errorf("%s:1: a JSON of the kind %q with %d items; want a List of events", r.file, short(list.Kind), len(list.Items))
	}
	away := map[string]time.Time{} // looked up only
	var at []time.Time
	for i := range list.Items {
		e := &list.Items[i]
		t := e.Last
		if t == nil {
			t = e.Event
		}
		if t == nil {
			continue
		}
		if at = append(at, *t); e.First != nil {
			at = append(at, *e.First)
		}
		who := e.InvolvedObject.Kind + "/" + e.InvolvedObject.Namespace + "/" + e.InvolvedObject.Name
		switch e.Reason {
		case "Killing", "NodeNotReady", "Preempted", "Evicted":
			away[who] = *t
		case "Started", "NodeReady":
			if since, was := away[who]; was && t.After(since) {
				r.events = append(r.events, t.Sub(since))
			}
			delete(away, who)
		}
	}
	r.span = spanOf(at)
	r.note("%d of its hosts were killed or not ready, and had not come back at the end", len(away))
	return nil
}
