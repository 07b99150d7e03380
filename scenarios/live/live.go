package live

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Options say how live runs are made. The zero value of each field works.
type Options struct {
	Redis    string        // the redis-server program; empty: the one on the PATH
	Etcd     string        // the etcd program; empty: likewise
	Postgres string        // the directory of initdb and postgres; empty: that of the PATH, or where Debian has them
	Adapter  []string      // the command of a client that speaks the protocol; empty: our own
	Scale    Scale         // of times; 0: DefaultScale
	Attempts int           // how often a run is made whose verdict is unknown; 0: 3
	Margin   time.Duration // how late the driver may be; 0: see Margin of Result
	Self     []string      // the command of a program that calls Main first; empty: the program itself

	program string // what the servers are started from
}

// A Result is a live run, beside the run that it was compared with.
type Result struct {
	*scenarios.Result
	Twin     *scenarios.Result // the run of the same scenario and seed in the simulator
	Server   string            // the server program and its version
	Scale    Scale
	Attempts int           // how often it was made
	Worst    time.Duration // the latest that the driver was in the run
	Margin   time.Duration // how late it may be
	Doubts   []string      // why verdicts are unknown, in sentences
}

// The first argument of the processes that a program starts of itself.
const (
	clientWord   = "live-client"
	watchdogWord = "live-watchdog"
)

// Main does what a process of a live run is for, if the arguments say that this is one, and reports whether it was. A program
// that makes live runs calls it first.
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

// client returns the command of a client's process.
func (o *Options) client(s *scenarios.Scenario) []string {
	if len(o.Adapter) > 0 {
		return o.Adapter
	}
	rules, err := json.Marshal(s.Lock.Rules)
	if err != nil {
		panic("live: the rules of a lock are no JSON: " + err.Error())
	}
	return append(append([]string{}, o.Self...), clientWord, s.Lock.Kind.String(), string(rules))
}

// complete finds what the options leave out, and the server of a kind of lock.
func (o Options) complete(kind scenarios.Kind) (_ Options, server string, err error) {
	if err := supported(); err != nil {
		return o, "", err
	}
	k, _ := serversOf(kind)
	if o.program, server, err = k.find(&o); err != nil {
		return o, "", err
	}
	o, err = o.completeRest()
	return o, server, err
}

func (o Options) completeRest() (Options, error) {
	if len(o.Adapter) > 0 {
		if _, err := exec.LookPath(o.Adapter[0]); err != nil {
			return o, fmt.Errorf("the adapter can't be started: %w", err)
		}
	}
	if len(o.Self) == 0 {
		self, err := os.Executable()
		if err != nil {
			return o, err
		}
		o.Self = []string{self}
	}
	if o.Scale == 0 {
		o.Scale = DefaultScale
	}
	if o.Attempts == 0 {
		o.Attempts = 3
	}
	return o, nil
}

// Run makes a live run of a scenario that has passed Check of package scenarios. An error says why there is none, and
// nothing is left behind whatever happens. A run whose verdict is unknown is made again, up to Options.Attempts.
func Run(ctx context.Context, s *scenarios.Scenario, seed uint64, o Options) (*Result, error) {
	if err := Check(s); err != nil {
		return nil, err
	}
	o, server, err := o.complete(s.Lock.Kind)
	if err != nil {
		return nil, err
	}
	if len(o.Adapter) > 0 {
		if err := checkAdapter(s); err != nil {
			return nil, err
		}
	}
	scaled, err := o.Scale.of(s)
	if err != nil {
		return nil, err
	}
	if err := Check(&scaled); err != nil {
		return nil, fmt.Errorf("with times scaled by %s: %w; give another --scale, such as 1", o.Scale, err)
	}
	twin, err := twins(s, &scaled, seed)
	if err != nil {
		return nil, fmt.Errorf("%w; give another --scale, such as 1", err)
	}
	for n := 1; ; n++ {
		res, err := once(ctx, &scaled, seed, &o, twin)
		if err != nil {
			return nil, err
		}
		res.Attempts, res.Server, res.Scale = n, server, o.Scale
		if res.Verdict != scenarios.Unknown || n >= o.Attempts {
			res.remark()
			return res, nil
		}
	}
}

// once makes a run, and judges it.
func once(ctx context.Context, s *scenarios.Scenario, seed uint64, o *Options, twin *scenarios.Result) (*Result, error) {
	r, err := begin(ctx, s, o)
	defer r.close()
	if err != nil {
		return nil, err
	}
	res := &Result{Result: r.drive(seed), Twin: twin, Margin: o.Margin}
	if err := r.failed(); err != nil {
		return nil, err
	}
	res.Worst, res.Doubts = r.worst, r.silent
	if res.Margin == 0 {
		res.Margin = margin(s)
	}
	res.weigh(r.servers.keys([]checker.Span{}, true), r.adapted)
	return res, nil
}

// remark notes in the result what the run was made on, and what is in doubt.
func (r *Result) remark() {
	r.Live = append([]string{fmt.Sprintf("A live run on %s, with times scaled by %s, made %s; the driver and the clients were late by %s at most.",
		r.Server, r.Scale, counted(r.Attempts), r.Worst.Round(10*time.Microsecond))}, r.Doubts...)
}

func counted(times int) string {
	if times == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", times)
}
