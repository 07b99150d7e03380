package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// A Setting is one value of a scenario that a user may change, under a dotted name.
type Setting struct {
	Key  string
	Form string // what a value looks like, such as "time" or "true|false"
	Doc  string
	get  func(*Scenario) string
	set  func(*Scenario, string) error
}

// Get gives the value that the setting has in a scenario.
func (k Setting) Get(s *Scenario) string { return k.get(s) }

// Settings lists what can be changed in a scenario. Those of its faults are numbered as in its schedule.
func Settings(s *Scenario) []Setting {
	all := []Setting{
		count("clients", "how many clients contend", func(s *Scenario) *int { return &s.Clients }),
		count("nodes", "how many Redis nodes there are", func(s *Scenario) *int { return &s.Nodes }),
		word("lock.kind", "the protocol; single uses n1 alone", KindNames, func(s *Scenario) *Kind { return &s.Lock.Kind }),
	}
	all = append(all, lockSettings()...)
	all = append(all, workSettings()...)
	all = append(all, worldSettings()...)
	for i := range s.Faults {
		all = append(all, faultSettings(i, s.Faults[i])...)
	}
	return all
}

func lockSettings() []Setting {
	return []Setting{
		span("lock.ttl", "how long a key lives on a node", func(s *Scenario) *time.Duration { return &s.Lock.TTL }),
		span("lock.timeout", "how long to wait for one node", func(s *Scenario) *time.Duration { return &s.Lock.Timeout }),
		word("lock.contact", "how the nodes are asked", locks.ContactNames, func(s *Scenario) *locks.Contact { return &s.Lock.Contact }),
		count("lock.quorum", "how many votes are needed; 0 for a majority", func(s *Scenario) *int { return &s.Lock.Quorum }),
		word("lock.clock", "the client's clock for elapsed time and validity", locks.ClockNames, func(s *Scenario) *locks.Clock { return &s.Lock.Clock }),
		share("lock.drift_factor", "allowance for clock drift, as a share of the TTL", func(s *Scenario) *int { return &s.Lock.DriftFactor }),
		span("lock.drift_constant", "allowance for clock drift, added to that", func(s *Scenario) *time.Duration { return &s.Lock.DriftConstant }),
		toggle("lock.fresh_token", "draw a new token for every attempt", func(s *Scenario) *bool { return &s.Lock.FreshToken }),
		toggle("lock.validity_check", "step three: refuse a lock that has no validity left", func(s *Scenario) *bool { return &s.Lock.ValidityCheck }),
		toggle("lock.deduct_elapsed", "count validity from before the first request", func(s *Scenario) *bool { return &s.Lock.DeductElapsed }),
		word("lock.free", "the commands that free the key on a node", locks.FreeNames, func(s *Scenario) *locks.Free { return &s.Lock.Free }),
		word("lock.cleanup", "where a failed attempt is released", locks.CleanupNames, func(s *Scenario) *locks.Cleanup { return &s.Lock.Cleanup }),
		count("lock.retry.attempts", "attempts for one acquire; 0 for no limit", func(s *Scenario) *int { return &s.Lock.Retry.Attempts }),
		span("lock.retry.min", "least time between two attempts", func(s *Scenario) *time.Duration { return &s.Lock.Retry.Min }),
		span("lock.retry.max", "greatest time between two attempts", func(s *Scenario) *time.Duration { return &s.Lock.Retry.Max }),
		word("fencing.source", "where fencing tokens come from", FencingNames, func(s *Scenario) *FencingSource { return &s.Fencing.Source }),
		unsigned("fencing.first", "the first token of an ideal counter", func(s *Scenario) *uint64 { return &s.Fencing.First }),
		count("fencing.node", "the node that counts tokens, where a node does", func(s *Scenario) *int { return &s.Fencing.Node }),
	}
}

func workSettings() []Setting {
	return []Setting{
		count("work.cycles", "how often each client acquires", func(s *Scenario) *int { return &s.Work.Cycles }),
		span("work.stagger", "how much later than the one before it each client starts", func(s *Scenario) *time.Duration { return &s.Work.Stagger }),
		extent("work.work", "time between reading and writing", func(s *Scenario) *sim.Range { return &s.Work.Work }),
		extent("work.think", "time between two cycles", func(s *Scenario) *sim.Range { return &s.Work.Think }),
		toggle("work.recheck", "look at the validity again just before the write", func(s *Scenario) *bool { return &s.Work.Recheck }),
		toggle("work.stop_at_deadline", "never work or wait for storage beyond the validity", func(s *Scenario) *bool { return &s.Work.StopAtDeadline }),
		span("work.storage_timeout", "how long to wait for storage", func(s *Scenario) *time.Duration { return &s.Work.StorageTimeout }),
	}
}

func worldSettings() []Setting {
	return []Setting{
		extent("network.latency", "time that a message takes one way", func(s *Scenario) *sim.Range { return &s.Network.Latency }),
		share("network.loss", "share of messages lost", func(s *Scenario) *int { return &s.Network.Loss }),
		word("persistence", "what a node keeps when it goes off", redis.PersistenceNames, func(s *Scenario) *redis.Persistence { return &s.Persistence }),
		toggle("interpret", "interpret all Lua scripts, even those that are known", func(s *Scenario) *bool { return &s.Interpret }),
		span("horizon", "true time after which a run is cut short", func(s *Scenario) *time.Duration { return &s.Horizon }),
		count("steps", "events and steps after which a run is cut short", func(s *Scenario) *int { return &s.Steps }),
	}
}

// faultSettings gives the settings of one fault of the schedule. Only those that count for its kind are there.
func faultSettings(i int, f faults.Fault) []Setting {
	key := "fault." + strconv.Itoa(i+1)
	what := "“" + f.What() + "”: "
	at := func(s *Scenario) *faults.Fault { return &s.Faults[i] }
	var all []Setting
	if f.Kind != faults.Slew { // which lasts as long as it takes
		all = append(all, span(key+".for", what+"how long it lasts; 0s for the rest of the run", func(s *Scenario) *time.Duration { return &at(s).For }),
			host(key+".on", what+"the host whose wall clock counts that; - for true time", func(s *Scenario) *string { return &at(s).On }))
	}
	if f.When.Host == "" {
		all = append(all, instant(key+".at", what+"when it strikes", func(s *Scenario) *clock.Instant { return &at(s).At }))
	} else {
		all = append(all, span(key+".after", what+"how long after its mark it strikes", func(s *Scenario) *time.Duration { return &at(s).When.After }))
	}
	switch f.Kind {
	case faults.Jump, faults.Slew, faults.Strobe, faults.Slow, faults.SlowNode:
		all = append(all, span(key+".by", what+"by how much", func(s *Scenario) *time.Duration { return &at(s).By }))
	case faults.Lossy:
		all = append(all, share(key+".loss", what+"share of messages lost", func(s *Scenario) *int { return &at(s).Loss }))
	}
	switch f.Kind {
	case faults.Drift, faults.Slew:
		all = append(all, pace(key+".rate", what+"how much faster the clocks run", func(s *Scenario) *clock.Rate { return &at(s).Rate }))
	case faults.Strobe:
		all = append(all, span(key+".every", what+"how long until the clock is stepped again", func(s *Scenario) *time.Duration { return &at(s).Every }))
	}
	return all
}

// Set changes one value of the scenario, given as KEY=VALUE. Copies that were made of the scenario keep theirs.
func (s *Scenario) Set(assignment string) error {
	key, value, ok := strings.Cut(assignment, "=")
	if !ok {
		return fmt.Errorf("%q is no setting; write KEY=VALUE, such as lock.ttl=5s", assignment)
	}
	keys := []string{}
	for _, k := range Settings(s) {
		if k.Key == key {
			return k.change(s, value)
		}
		keys = append(keys, k.Key)
	}
	return fmt.Errorf("there is no setting %q%s", key, Suggest(key, keys))
}

// change gives the setting a value. A copy of a scenario shares its schedule, and the schedule is the one part of it that
// settings reach into; so it is copied before it is written to.
func (k Setting) change(s *Scenario, value string) error {
	s.Faults = slices.Clone(s.Faults)
	if err := k.set(s, value); err != nil {
		return fmt.Errorf("%s: %q is no %s", k.Key, value, strings.ReplaceAll(k.Form, "|", " or "))
	}
	return nil
}

func span(key, doc string, at func(*Scenario) *time.Duration) Setting {
	return Setting{key, "time such as 300ms or 10s", doc,
		func(s *Scenario) string { return at(s).String() },
		func(s *Scenario, v string) (err error) { return parse(at(s), v, time.ParseDuration) }}
}

func pace(key, doc string, at func(*Scenario) *clock.Rate) Setting {
	return Setting{key, "rate such as +800ppm", doc,
		func(s *Scenario) string { return at(s).String() },
		func(s *Scenario, v string) error { return parse(at(s), v, clock.ParseRate) }}
}

func instant(key, doc string, at func(*Scenario) *clock.Instant) Setting {
	return Setting{key, "time such as 300ms or 10s", doc,
		func(s *Scenario) string { return at(s).String() },
		func(s *Scenario, v string) (err error) {
			return parse(at(s), v, func(v string) (clock.Instant, error) {
				d, err := time.ParseDuration(v)
				return clock.Instant(d), err
			})
		}}
}

func count(key, doc string, at func(*Scenario) *int) Setting {
	return Setting{key, "whole number", doc,
		func(s *Scenario) string { return strconv.Itoa(*at(s)) },
		func(s *Scenario, v string) error { return parse(at(s), v, strconv.Atoi) }}
}

func unsigned(key, doc string, at func(*Scenario) *uint64) Setting {
	return Setting{key, "whole number", doc,
		func(s *Scenario) string { return strconv.FormatUint(*at(s), 10) },
		func(s *Scenario, v string) error {
			return parse(at(s), v, func(v string) (uint64, error) { return strconv.ParseUint(v, 10, 64) })
		}}
}

func toggle(key, doc string, at func(*Scenario) *bool) Setting {
	return Setting{key, "true|false", doc,
		func(s *Scenario) string { return strconv.FormatBool(*at(s)) },
		func(s *Scenario, v string) error {
			return parse(at(s), v, func(v string) (bool, error) {
				if v != "true" && v != "false" {
					return false, strconv.ErrSyntax
				}
				return v == "true", nil
			})
		}}
}

// host is a setting that names a host, or none: "-". Whether there is one of that name, Check finds out.
func host(key, doc string, at func(*Scenario) *string) Setting {
	return Setting{key, "host such as n3, or -", doc,
		func(s *Scenario) string { return cmp.Or(*at(s), "-") },
		func(s *Scenario, v string) error {
			return parse(at(s), v, func(v string) (string, error) {
				if v == "-" {
					return "", nil
				}
				if v == "" || v[0] < 'a' || v[0] > 'z' || strings.Trim(v[1:], "0123456789") != "" {
					return "", strconv.ErrSyntax
				}
				return v, nil
			})
		}}
}

// word is a setting with a few named values; their numbers are their places in the list.
func word[T ~uint8](key, doc string, names []string, at func(*Scenario) *T) Setting {
	return Setting{key, strings.Join(names, "|"), doc,
		func(s *Scenario) string { return named(names, *at(s)) },
		func(s *Scenario, v string) error {
			return parse(at(s), v, func(v string) (T, error) {
				for i, name := range names {
					if name == v {
						return T(i), nil
					}
				}
				return 0, strconv.ErrSyntax
			})
		}}
}

// named gives the name of a value, or its number if it has none.
func named[T ~uint8](names []string, v T) string {
	if int(v) < len(names) {
		return names[v]
	}
	return strconv.Itoa(int(v))
}

// extent is a range of times: MIN..MAX, or one time for both.
func extent(key, doc string, at func(*Scenario) *sim.Range) Setting {
	return Setting{key, "range of times such as 1ms..20ms", doc,
		func(s *Scenario) string { return at(s).Min.String() + ".." + at(s).Max.String() },
		func(s *Scenario, v string) error {
			return parse(at(s), v, func(v string) (r sim.Range, err error) {
				low, high, two := strings.Cut(v, "..")
				if r.Min, err = time.ParseDuration(low); err != nil || !two {
					return sim.Range{Min: r.Min, Max: r.Min}, err
				}
				r.Max, err = time.ParseDuration(high)
				return r, err
			})
		}}
}

// share is a part of one, kept in millionths: a decimal number with at most six places.
func share(key, doc string, at func(*Scenario) *int) Setting {
	return Setting{key, "share of at most six decimals such as 0.01", doc,
		func(s *Scenario) string { return formatShare(*at(s)) },
		func(s *Scenario, v string) error { return parse(at(s), v, parseShare) }}
}

func formatShare(millionths int) string {
	digits := strconv.Itoa(millionths)
	sign := ""
	if millionths < 0 {
		sign, digits = "-", digits[1:] // off the text, for the least int has no positive twin
	}
	if zeros := 7 - len(digits); zeros > 0 {
		digits = strings.Repeat("0", zeros) + digits
	}
	point := len(digits) - 6
	return strings.TrimSuffix(sign+digits[:point]+"."+strings.TrimRight(digits[point:], "0"), ".")
}

func parseShare(v string) (int, error) {
	whole, part, _ := strings.Cut(v, ".")
	if len(part) > 6 || strings.ContainsAny(part, "+-") || !strings.ContainsAny(v, "0123456789") {
		return 0, strconv.ErrSyntax
	}
	return strconv.Atoi(whole + part + strings.Repeat("0", 6-len(part)))
}

// parse sets a value, unless the text is wrong.
func parse[T any](at *T, text string, read func(string) (T, error)) error {
	v, err := read(text)
	if err == nil {
		*at = v
	}
	return err
}
