// Package environment says what goes wrong where a lock lives: how often, how badly, and who says so.
//
// An [Environment] is a YAML file. Some ship with the program, see [Names]. Permanent conditions, such as the latency
// of the network and the rates of clocks, are a state. Occasional events are a [Cause], with a rate, a distribution
// of sizes, and their fault, in the words of a schedule with ~ in place of the size:
//
//	causes:
//	  - name: long freeze of a client
//	    strikes: pause a-client for ~
//	    rate: 0.1..10/year
//	    size: pareto(1s,1,5m)
//	    source: No public rate; this range is tried.
//	    date: "2026"
//
// The rate applies to each client or node if the fault names a-client or a-node, and to all together if it names
// nodes or clients. Each number has a source. If no source is published, the entry says so, and the rate is the range
// that is tried.
package environment
