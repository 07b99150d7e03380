package live

import (
	"context"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/live/wall"
)

// Main runs this process as a client or watchdog of a live run, if the arguments say that it is one, and reports
// whether it was. A program that performs live runs calls it first.
func Main(args []string) bool {
	switch {
	case len(args) == 3 && args[0] == clientWord:
		if err := serve(args[1], args[2], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case len(args) == 1 && args[0] == watchdogWord:
		watch(os.Stdin)
	default:
		return false
	}
	return true
}

// Run performs a live run of a scenario that has passed Check of package scenarios. It returns an error if no run was
// possible. It never leaves anything behind. A run whose verdict is unknown is repeated, up to Options.Attempts. If
// the machine was late, the next pace allows for that.
func Run(ctx context.Context, s *scenarios.Scenario, seed uint64, o Options) (*Result, error) {
	if err := o.Check(s); err != nil {
		return nil, err
	}
	if len(o.Adapter) > 0 {
		if err := CheckAdapter(s); err != nil {
			return nil, err
		}
	}
	if len(o.Adapter) > 0 && s.Work.Warm == 0 && !o.Cold {
		warm := *s
		warm.Work.Warm = warmUp
		s = &warm
	}
	late := o.Late
	if late == 0 {
		late = Lateness()
	}
	p, err := o.pace(s, seed, needed(late))
	if err != nil {
		return nil, err
	}
	o, server, err := o.complete(s.Lock.Kind)
	if err != nil {
		return nil, err
	}
	for n := 1; ; n++ {
		res, err := once(ctx, p, seed, &o)
		if err != nil {
			return nil, err
		}
		if res.Verdict == scenarios.Fail && len(o.Adapter) > 0 {
			if err := res.confirm(ctx, p, seed, &o); err != nil {
				return nil, err
			}
		}
		res.Attempts, res.Server, res.Pace, res.Late = n, server, p.Pace, late
		if res.Verdict != scenarios.Unknown || n >= o.Attempts || res.mute || res.Missing != nil { // a silent client would be silent again
			res.remark()
			return res, nil
		}
		if res.Worst > res.Margin { // so the machine is later than it was at the start
			if p, err = o.pace(s, seed, needed(res.Worst)); err != nil {
				return nil, err
			}
		}
	}
}

// once performs a run, and judges it.
func once(ctx context.Context, p *paced, seed uint64, o *Options) (*Result, error) {
	r, err := startRun(ctx, &p.scenario, o)
	defer r.close()
	defer func() { r.tellSilent(ctx) }()
	if err != nil {
		return nil, err
	}
	res := &Result{Result: r.drive(seed), Twin: p.twin, Margin: p.margin}
	if err := r.Failed(); err != nil {
		return nil, err
	}
	res.Worst, res.Doubts, res.mute = r.worst, r.silent, r.mute || r.Adapted && len(r.silent) > 0
	res.Start = startOf(r.sorted())
	res.weigh(r.servers.AppendLives([]checker.Span{}, true), o.compare, p.chance)
	res.note(r.sorted())
	if res.adapted = r.Adapted; r.Adapted {
		res.expect(p, o.Accepted)
	}
	return res, nil
}

// possible returns why no live run is possible here.
func possible() error {
	if err := supported(); err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		defer l.Close()
		var c net.Conn
		if c, err = net.DialTimeout("tcp", l.Addr().String(), time.Second); err == nil {
			return c.Close()
		}
	}
	return fmt.Errorf("nothing can be reached at 127.0.0.1 (is the loopback interface up? ip link set lo up): %w", err)
}

// A Symptom is a need of live runs, and whether this machine meets it.
type Symptom struct {
	Need string // what it is
	Has  bool
	Text string // what was found; or what the lack costs
}

// Doctor looks at the machine.
func Doctor(o Options) (all []Symptom) {
	err := possible()
	all = append(all, symptom("Linux", err, runtime.GOOS+"/"+runtime.GOARCH, "no live run can be made"))
	for _, k := range serverKinds {
		if k.Name != "" { // else another kind is of the same program
			program, server, err := k.Find(o.Programs[k.Program.Flag])
			all = append(all, symptom(k.Name, err, program+", "+server, k.Lack))
		}
	}
	compiler := wall.Available()
	all = append(all, symptom("C compiler", compiler, "for servers' wall clocks, power failures and disks that stall",
		"clocks of servers that step or have other rates, and power failures with aof-everysec, are refused"))
	if program, _, missing := findRedis(o.Programs["redis-server"]); missing == nil && compiler == nil {
		const has = "a server was started, showed each time that it was given, and was seen to sync"
		const cost = "faults that step clocks of servers, stall their disks or cut their power end a run without a verdict"
		all = append(all, symptom("clocks of servers", provesItself(o, program), has, cost))
	}
	late := wakesLate(time.Second)
	calm := late < 10*time.Millisecond
	text := fmt.Sprintf("for a second, the driver woke up late by %s at most", late.Round(10*time.Microsecond))
	if !calm {
		text += "; so runs take longer, at a larger scale, and their verdicts may be unknown: stop other work"
	}
	return append(all, Symptom{"a quiet machine", calm, text})
}

func symptom(need string, err error, found, cost string) Symptom {
	if err != nil {
		return Symptom{need, false, fmt.Sprintf("%s: %s", strings.ReplaceAll(err.Error(), "\n", "; "), cost)}
	}
	return Symptom{need, true, found}
}

// wakesLate naps for a while, and returns how much too long the worst nap was.
func wakesLate(period time.Duration) (worst time.Duration) {
	for began := time.Now(); time.Since(began) < period; {
		before := time.Now()
		nap(napMost)
		worst = max(worst, time.Since(before)-napMost)
	}
	return worst
}
