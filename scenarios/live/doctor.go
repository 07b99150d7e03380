package live

import (
	"fmt"
	"runtime"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/live/wall"
)

// A Symptom is something that a live run needs, and whether this machine has it.
type Symptom struct {
	Need string // what it is
	Has  bool
	Text string // what was found; or what the lack costs
}

// Doctor looks at the machine.
func Doctor(o Options) (all []Symptom) {
	err := supported()
	all = append(all, symptom("Linux", err, runtime.GOOS+"/"+runtime.GOARCH, "no live run can be made"))
	for _, k := range serverKinds {
		if k.name != "" { // else another kind is of the same program
			program, server, err := k.find(&o)
			all = append(all, symptom(k.name, err, program+", "+server, k.lack))
		}
	}
	compiler := wall.Available()
	all = append(all, symptom("C compiler", compiler, "for servers' wall clocks, power failures and disks that stall",
		"clocks of servers at other rates, and power failures with aof-everysec, are refused"))
	library, err := wall.Faketime()
	cost := "so faults that step the clocks of servers are refused"
	if compiler == nil {
		cost = "it costs nothing, as there is a C compiler"
	}
	all = append(all, symptom("libfaketime", err, library+", which steps clocks of servers where there is no C compiler", cost))
	late := wakesLate(time.Second)
	calm := late < 10*time.Millisecond
	text := fmt.Sprintf("for a second, the driver woke up late by %s at most", late.Round(10*time.Microsecond))
	if !calm {
		text += "; verdicts that differ from the simulator's may be unknown, so stop other work, or give a larger --scale"
	}
	return append(all, Symptom{"a quiet machine", calm, text})
}

func symptom(need string, err error, found, cost string) Symptom {
	if err != nil {
		return Symptom{need, false, fmt.Sprintf("%v: %s", err, cost)}
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
