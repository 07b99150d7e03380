package arithmetic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Scenario returns a scenario in which a lock with the flaw's rules breaks a promise, and a seed with which it does;
// or why no run shows it. It may use other numbers than the flaw, because the smallest are often too small for a run. It
// prefers numbers with which the scenario ends as expected with every seed.
func (f *Flaw) Scenario() (s *scenarios.Scenario, seed uint64, why string) {
	if f.Law.show == nil {
		return nil, 0, f.Law.hidden
	}
	for _, n := range f.candidates() {
		sentence, broken := f.Law.judge(f.rules, n)
		if !broken || strings.HasPrefix(sentence, panics) {
			why = cmp.Or(why, "rules that panic hold no lock")
			continue
		}
		text, reason := f.Law.show(f.rules, n)
		if text == "" {
			why = reason
			continue
		}
		parsed, err := scenarios.Parse("arithmetic.yaml", []byte(text))
		if err != nil {
			why = "no scenario can say these rules: " + err.Error()
			continue
		}
		parsed.Sometimes = []string{"fault-struck"} // beyond that, the breach is proof that something happened
		parsed.About = upperFirst(sentence) + "."
		first := firstBroken(&parsed)
		switch {
		case first > 0 && steady(&parsed):
			return &parsed, first, ""
		case first > 0 && s == nil:
			s, seed = &parsed, first
		}
		why = "the difference is too small to show in a run, where messages take 0.1 to 0.5 ms and a client waits 1 ms to ask again"
	}
	if s != nil {
		why = ""
	}
	return s, seed, why
}

// candidates are numbers to show the flaw with: the numbers that a reader finds handy first, the flaw's numbers last.
func (f *Flaw) candidates() (all []Numbers) {
	own := f.Numbers
	if own.TTL == 0 {
		for _, n := range []int{5, 4, 3, 2, 6, own.Nodes} {
			all = append(all, Numbers{Nodes: n, Part: n / 2})
		}
		return append(all, own)
	}
	for _, ttl := range []time.Duration{10 * time.Second, time.Minute, time.Second, 100 * time.Millisecond, own.TTL} {
		for _, e := range []time.Duration{ttl / 2, ttl, 2 * ttl, 0, own.Elapsed} {
			for _, rate := range slices.Compact([]int{own.Rate, f.rules.Drift}) {
				all = append(all, Numbers{TTL: ttl, Elapsed: e, More: max(own.More, e), Rate: rate})
			}
		}
	}
	return all
}

const (
	seedsTried = 20
	steadyRuns = 10
)

// firstBroken runs a scenario until a promise of mutual exclusion breaks, and makes the scenario expect that; 0 for
// never.
func firstBroken(s *scenarios.Scenario) (seed uint64) {
	for seed = 1; seed <= seedsTried; seed++ {
		res := scenarios.Run(*s, seed)
		var expect []scenarios.Expectation
		bad := false
		for _, f := range res.Findings {
			if f.Verdict != checker.Holds {
				expect = append(expect, scenarios.Expectation{Property: f.Property, Verdict: f.Verdict})
			}
			bad = bad || f.Verdict == checker.Violated && slices.Contains([]string{"belief", "validity", "quorum"},
				f.Property)
		}
		if bad {
			s.Expect = expect
			return seed
		}
	}
	return 0
}

func steady(s *scenarios.Scenario) bool {
	for seed := range uint64(steadyRuns) {
		if scenarios.Run(*s, seed+1).Verdict != scenarios.Pass {
			return false
		}
	}
	return true
}

func showSplit(r *Rules, n Numbers) (file, why string) {
	rest := n.Nodes - n.Part
	votes := max(min(n.Part, rest), 1)
	if n.Part == 0 || rest == 0 {
		return "", "a lock that needs no vote is held by whoever asks, and no scenario can ask for fewer votes than one"
	}
	return fmt.Sprintf(`title: Two clients win the lock on different nodes.
source: Lockstorm
clients: 2
nodes: %d
lock: {ttl: 10s, timeout: 50ms, quorum: %d, retry: {min: 1s, max: 2s}}
work: {cycles: 1, stagger: 100ms, work: 6s..7s}
schedule: |
  at 0s for 5s partition c1 %s | c2 %s
`, n.Nodes, votes, nodes(1, n.Part), nodes(n.Part+1, n.Nodes)), ""
}

func nodes(first, last int) string {
	var all []string
	for i := first; i <= last; i++ {
		all = append(all, fmt.Sprintf("n%d", i))
	}
	return strings.Join(all, " ")
}

// drifting is a scenario in which c1 and c2 share one node of five; each schedule adds the faults. With deduct_elapsed
// off, the lock's validity is its TTL less the constant, whatever time passed. So it is what the tested rules return.
func drifting(n Numbers, ttl, validity time.Duration, more, schedule string) (file, why string) {
	if validity > ttl && n.Elapsed == 0 {
		return "", fmt.Sprintf("no setting makes a lock valid for longer than its TTL, and these rules make it %v of %v: "+
			"put your lock into locktest.Run to see it", validity, ttl)
	}
	validity = min(validity, ttl) // if it breaks with less, it does with more
	clocks := ""
	if n.Rate > 0 {
		const all = "clocks: {c1: -%dppm, n1: +%[1]dppm, n2: +%[1]dppm, n3: +%[1]dppm, n4: +%[1]dppm, n5: +%[1]dppm}\n"
		clocks = fmt.Sprintf(all, n.Rate)
	}
	return fmt.Sprintf(`title: The holder's validity outlives its keys.
source: Lockstorm
clients: 2
nodes: 5
network: {latency: 100µs..500µs}
persistence: none
%slock:
  ttl: %v
  timeout: %v
  contact: parallel
  drift_factor: 0
  drift_constant: %v
  deduct_elapsed: false
  retry: {min: 1ms, max: 2ms}
%swork: {cycles: 1, stagger: %v, work: %v..%[7]v, stop_at_deadline: true}
schedule: |
  at 0s partition c1 | n4 n5
  at 0s partition c2 | n1 n2
%s`, clocks, ttl, min(ttl/2, 5*time.Millisecond), ttl-validity, more, ttl/10, 2*ttl, schedule), ""
}

func showValidity(r *Rules, n Numbers) (file, why string) {
	return drifting(n, r.kept(n.TTL), r.Validity(n.TTL, n.Elapsed), "", paused("asking", n.Elapsed))
}

func showAllowance(r *Rules, n Numbers) (file, why string) {
	return drifting(n, n.TTL, n.TTL-r.Allowance(n.TTL), "", "")
}

func showExtension(r *Rules, n Numbers) (file, why string) {
	every := r.kept(n.TTL) / 2
	end := r.Extended(n.TTL, every, every+n.Elapsed)
	renew := fmt.Sprintf("  renew: {every: %v, attempts: 1}\n", every)
	return drifting(n, r.kept(n.TTL), end-every-n.Elapsed, renew, paused("extending", n.Elapsed))
}

// paused is the line of a schedule that makes an answer late: its client is paused while it waits.
func paused(mark string, d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return fmt.Sprintf("  when c1 %s +50µs pause c1 for %v\n", mark, d)
}

func showAway(r *Rules, n Numbers) (file, why string) {
	rest := r.kept(n.TTL)
	if r.Validity != nil {
		rest = r.Validity(n.TTL, 0)
	} else if r.Allowance != nil {
		rest = n.TTL - r.Allowance(n.TTL)
	}
	away := max(r.Away(n.TTL), 1)
	return drifting(n, r.kept(n.TTL), rest, "", fmt.Sprintf("  when c1 acquired restart n3 for %v\n", away))
}

func upperFirst(s string) string {
	return strings.ToUpper(s[:1]) + s[1:]
}
