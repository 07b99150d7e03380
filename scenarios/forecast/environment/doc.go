// Package environment says what goes wrong where a lock lives: how often, how badly, and who says so.
//
// An [Environment] is a YAML file. Some ship with the program, see [Names]. What holds all the time, such as the latency of the
// network and the rates of clocks, is a state; what happens now and then is a [Cause], with a rate, a distribution of sizes,
// and the fault that it is, in the words of a schedule with ~ in place of the size:
//
//	causes:
//	  - name: long freeze of a client
//	    strikes: pause a-client for ~
//	    rate: 0.1..10/year
//	    size: pareto(1s,1,5m)
//	    source: No public rate; this range is tried.
//	    date: "2026"
//
// A rate is that of each client or node where the fault strikes a-client or a-node, and of all together where it strikes nodes
// or clients. Each number has a source; where nobody has published one, the source says so, and the rate is the range that is
// tried.
package environment
