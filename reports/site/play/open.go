package play

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A setupRequest is about a setup.
type setupRequest struct {
	Setup setup `json:"setup"`
}

// An openAnswer is a setup as it can be changed.
type openAnswer struct {
	YAML     string    `json:"yaml"` // the whole file; with comments, unless the setup has a text that nothing changes
	Problems []problem `json:"problems"`
	Settings []setting `json:"settings"` // empty if there are problems
	Schedule string    `json:"schedule"` // with the settings of its faults
	Drawn    bool      `json:"drawn"`    // each seed draws more faults, or other settings
	Lead     lead      `json:"lead"`
}

// A setting is something of a scenario that can be changed.
type setting struct {
	Path    string   `json:"path"`
	Label   string   `json:"label"`  // its name for people
	Kind    string   `json:"kind"`   // as scenarios.Setting.Kind
	Value   string   `json:"value"`  // as it is
	Number  *int64   `json:"number"` // the same in nanoseconds, parts per billion, millionths of a ratio, or things; or null
	Default string   `json:"default"`
	About   string   `json:"about"`
	Choices []string `json:"choices"` // of an enum
	Names   []string `json:"names"`   // of the choices, for people
	Zero    string   `json:"zero"`    // what the value 0 means, where it is no amount; else empty
	Least   int64    `json:"least"`   // where a slider may begin and end, as Number: values beyond may be good too
	Most    int64    `json:"most"`
	Scale   string   `json:"scale"` // linear or log
	Mark    int64    `json:"mark"`  // the lock's TTL, where a slider shows it; else 0
	Main    bool     `json:"main"`  // one of those that people try first
}

func (p *Program) open(q *setupRequest) (*openAnswer, error) {
	a := &openAnswer{YAML: q.Setup.YAML, Problems: []problem{}, Settings: []setting{}}
	if q.Setup.Schedule != nil {
		a.Schedule = *q.Setup.Schedule
	}
	o, err := p.scenario(&q.Setup)
	if all, is := errors.AsType[problems](err); is {
		a.Problems = all
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	s := &o.scenario
	if q.Setup.Scenario != "" || q.Setup.Schedule != nil || len(q.Setup.Set) > 0 {
		a.YAML = string(s.Commented())
	}
	a.Schedule = o.written(&q.Setup, s.Faults)
	unchanged, err := p.scenario(&setup{Scenario: q.Setup.Scenario, YAML: q.Setup.YAML, Schedule: q.Setup.Schedule})
	if err != nil {
		unchanged = o // it is sound with its settings alone
	}
	a.Settings = settings(s, &unchanged.scenario)
	a.Drawn = s.Search.Drawn()
	a.Lead = leadOf(s, a.Settings)
	return a, nil
}

// settings lists the settings that a user can change in a scenario, with their values without the setup's settings.
func settings(s, unchanged *scenarios.Scenario) (all []setting) {
	for _, k := range scenarios.Settings(s) {
		if !s.Uses(k) {
			continue
		}
		x := setting{
			Path: k.Key, Label: labelOf(k, s), Kind: k.Kind(s), Value: k.Get(s), About: k.Doc, Choices: k.Choices(),
			Names: namesOf(k, s), Scale: "linear", Main: isMain(k.Key),
		}
		if zero := zeroMeans.FindStringSubmatch(k.Doc); zero != nil {
			x.Zero = wording.Capital(zero[1])
		}
		if was, err := scenarios.Lookup(unchanged, k.Key); err == nil {
			x.Default = was.Get(unchanged)
		}
		if n, is := k.Number(s); is && x.Kind != "enum" {
			x.Number = &n
			x.slide(k, s, int64(unchanged.Lock.TTL))
		}
		all = append(all, x)
	}
	return all
}

// zeroMeans finds what a setting means by 0, where that is no amount.
var zeroMeans = regexp.MustCompile(`\b0 means ([^.:]+)\.`)

// labelOf returns the name of a setting, with the host or the fault that it is about.
func labelOf(k scenarios.Setting, s *scenarios.Scenario) string {
	group, rest, _ := strings.Cut(k.Key, ".")
	number, _, _ := strings.Cut(rest, ".")
	if i, err := strconv.Atoi(number); group == "fault" && err == nil && i <= len(s.Faults) {
		return k.Label + " (" + draw.FaultInWords(s.Faults[i-1].What()) + ")"
	}
	if group == "clocks" {
		return k.Label + " of " + rest
	}
	return k.Label
}

// namesOf returns what people call the choices of a setting.
func namesOf(k scenarios.Setting, s *scenarios.Scenario) (names []string) {
	for _, choice := range k.Choices() {
		c, name := *s, choice
		if c.Set(k.Key+"="+choice) == nil {
			name = k.InWords(&c)
		}
		names = append(names, name)
	}
	return names
}

// mains are the settings that people try first, in addition to settings of faults.
var mains = []string{
	"lock.kind", "lock.ttl", "lock.timeout", "work.work", "work.recheck", "nodes", "clients", "persistence", "expiry",
	"fencing.source", "fencing.check", "lock.drift_factor", "network.latency", "network.loss",
}

func isMain(key string) bool {
	ofFault := strings.HasPrefix(key, "fault.") && !strings.HasSuffix(key, ".on")
	return ofFault || strings.HasPrefix(key, "clocks.") || slices.Contains(mains, key)
}

// slide sets where a slider begins and ends. The ends follow from the value and the TTL without the setup's settings, so
// that they do not change while a user moves the slider.
func (x *setting) slide(k scenarios.Setting, s *scenarios.Scenario, ttl int64) {
	n := *x.Number
	limit := func(text string, otherwise int64) int64 {
		c := *s
		if text == "" || c.Set(k.Key+"="+text) != nil {
			return otherwise
		}
		v, _ := k.Number(&c)
		return v
	}
	was, c := n, *s
	if x.Default != "" && c.Set(k.Key+"="+x.Default) == nil {
		was, _ = k.Number(&c)
	}
	switch x.Kind {
	case "duration":
		if ofFaults(k.Key) {
			x.Mark = int64(s.Lock.TTL)
			x.Most = min(2*max(was, ttl), int64(s.Horizon))
			if x.Zero != "" {
				x.Least = x.Most / 1000
			}
			break
		}
		x.Least, x.Most, x.Scale = int64(time.Millisecond), max(10*int64(time.Second), min(10*was, int64(s.Horizon))), "log"
	case "rate":
		x.Most = max(2*was, -2*was, int64(1000*clock.PPM))
		x.Least = -x.Most
	case "ratio":
		x.Least, x.Most = 0, 1_000_000
	default:
		x.Least = limit(k.Least, 0)
		x.Most = min(limit(k.Most, 1<<53), max(10, 3*was))
	}
	if x.Zero != "" && n == 0 { // which is no place on the slider
		x.Least = max(x.Least, 1)
		return
	}
	x.Least, x.Most = min(x.Least, n), max(x.Most, n)
}
