package runs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Metrics are the figures for which operators of a lock have alerts, summed over runs. All times are true time. Sums
// are in whole nanoseconds, so they don't depend on the order of the runs.
type Metrics struct {
	Scenario string
	Lock     string
	runs     int
	waits    histogram
	holds    histogram
	failures [int(checker.NoFence) + 1]int // attempts, by their outcome
	lost     int
	overlaps int
	refused  int
	scanned  bool // a run had Redis nodes to look at
	endless  int
	left     int
}

// buckets are the upper ends of the buckets of a histogram.
var buckets = []time.Duration{
	time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond,
	500 * time.Millisecond, time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute,
}

// A histogram counts durations.
type histogram struct {
	counts [12]int // by bucket, the last for longer durations
	sum    time.Duration
}

func (h *histogram) add(d time.Duration) {
	i, _ := slices.BinarySearch(buckets, d)
	h.counts[i]++
	h.sum += d
}

// Add adds a run. It should be of a Runner that is Scanning.
func (m *Metrics) Add(r *scenarios.Result) {
	m.runs++
	m.addWaits(r.Evidence)
	for i := range r.Evidence.Tries {
		if o := r.Evidence.Tries[i].Outcome; o != checker.Won && o != checker.Pending {
			m.failures[o]++
		}
	}
	for i := range r.Evidence.Holds {
		if h := &r.Evidence.Holds[i]; h.Gone != clock.Forever {
			m.holds.add(h.Gone.Sub(h.From))
		}
	}
	m.scanned = m.scanned || r.Scanned
	for _, l := range r.Leftovers {
		m.left++
		if l.Endless() {
			m.endless++
		}
	}
	for _, f := range new(checker.Judge).Figures(r.Evidence) {
		switch f.Name {
		case "overlaps":
			m.overlaps += int(f.Value)
		case "overstayed":
			m.lost += int(f.Value)
		case "writes-refused":
			m.refused += int(f.Value)
		}
	}
}

// addWaits reads from the history how long each client waited.
func (m *Metrics) addWaits(e *checker.Evidence) {
	asked := map[int]clock.Instant{}
	for _, o := range e.History {
		switch {
		case o.F != checker.Acquire:
		case o.Type == checker.Invoke:
			asked[o.Process] = o.Time
		case o.Type == checker.OK:
			m.waits.add(o.Time.Sub(asked[o.Process]))
		}
	}
}

// OpenMetrics returns the metrics as text in the OpenMetrics format, with the usual names for locks.
func (m *Metrics) OpenMetrics() []byte { return []byte(m.exposition().String() + "# EOF\n") }

func (m *Metrics) exposition() *exposition {
	w := &exposition{labels: `lock="` + escapeLabel(m.Lock) + `",scenario="` + escapeLabel(m.Scenario) + `"`}
	w.histogram("distributed_lock_wait_seconds", "Time from the call of acquire to its success.", &m.waits)
	w.histogram("distributed_lock_hold_seconds",
		"Time from the success of acquire until its client no longer goes on as holder.", &m.holds)
	w.family("distributed_lock_failures", "counter", "Attempts to acquire that failed.")
	for o := checker.NoQuorum; o <= checker.NoFence; o++ {
		reason := `reason="` + strings.ReplaceAll(o.String(), " ", "_") + `"`
		w.sample("distributed_lock_failures_total", reason, strconv.Itoa(m.failures[o]))
	}
	w.counter("distributed_lock_holds_lost",
		"Holds whose client went on as holder after its validity had passed.", m.lost)
	w.counter("distributed_lock_overlaps",
		"Holds that began while another client still went on as holder: work done twice.", m.overlaps)
	w.counter("distributed_lock_writes_refused", "Writes that storage refused for their fencing token.", m.refused)
	if m.scanned { // otherwise 0 would say that a scan found nothing
		w.gauge("distributed_lock_keys_left",
			"Keys that SCAN finds on the nodes after a run, without fencing counters.", m.left)
		w.gauge("distributed_lock_keys_without_ttl",
			"Those of them for which TTL says that they never end.", m.endless)
	}
	w.counter("lockstorm_runs", "Runs that these figures are summed over.", m.runs)
	return w
}

// An exposition is a text of metrics in the making.
type exposition struct {
	strings.Builder
	labels string
}

func (w *exposition) family(name, kind, help string) {
	fmt.Fprintf(w, "# TYPE %s %s\n", name, kind)
	if strings.HasSuffix(name, "_seconds") {
		fmt.Fprintf(w, "# UNIT %s seconds\n", name)
	}
	fmt.Fprintf(w, "# HELP %s %s\n", name, help)
}

func (w *exposition) sample(name, label, value string) {
	labels := w.labels
	if label != "" {
		labels += "," + label
	}
	fmt.Fprintf(w, "%s{%s} %s\n", name, labels, value)
}

func (w *exposition) counter(name, help string, n int) {
	w.family(name, "counter", help)
	w.sample(name+"_total", "", strconv.Itoa(n))
}

func (w *exposition) gauge(name, help string, n int) {
	w.family(name, "gauge", help)
	w.sample(name, "", strconv.Itoa(n))
}

// histogram writes buckets as OpenMetrics has them: each includes the ones before it.
func (w *exposition) histogram(name, help string, h *histogram) {
	w.family(name, "histogram", help)
	n := 0
	for i, count := range h.counts {
		n += count
		end := "+Inf"
		if i < len(buckets) {
			end = decimal(buckets[i])
		}
		w.sample(name+"_bucket", `le="`+end+`"`, strconv.Itoa(n))
	}
	w.sample(name+"_sum", "", decimal(h.sum))
	w.sample(name+"_count", "", strconv.Itoa(n))
}

// decimal returns a time in seconds, exactly, with a point, as canonical numbers of the format have it.
func decimal(d time.Duration) string {
	s := strings.TrimRight(fmt.Sprintf("%d.%09d", d/time.Second, d%time.Second), "0")
	if strings.HasSuffix(s, ".") {
		s += "0"
	}
	return s
}

func escapeLabel(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(s, "\uFFFD"))
}
