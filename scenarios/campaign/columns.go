package campaign

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/faults"
)

// A FaultSet is a column of a study: the classes of faults that a run may have, and the hosts that they hit.
type FaultSet struct {
	Name    string   `json:"name"`
	About   string   `json:"about"`
	Classes []string `json:"classes"`
	Set     []string `json:"settings"` // that the column has, unless the line has its own
}

// Columns returns the columns of faults: no fault, the faults that people ask about, any other class, and all classes.
func Columns() []FaultSet {
	all := FaultSet{Name: "all", About: "every class of faults together: on any host, where nodes have no disk; " +
		"a run has no more faults than with one class, so each class hits less often"}
	columns := asked()
	for _, c := range faults.Common() {
		if !slices.ContainsFunc(columns, func(w FaultSet) bool { return slices.Contains(w.Classes, c.Name) }) {
			columns = append(columns, FaultSet{Name: c.Name, About: c.About, Classes: []string{c.Name}})
		}
		all.Classes = append(all.Classes, c.Name)
	}
	columns = append(columns, all)
	for i := range columns { // JSON has an empty list as [], not as null
		w := &columns[i]
		w.Classes, w.Set = append([]string{}, w.Classes...), append([]string{}, w.Set...)
	}
	return columns
}

// asked returns the columns that people ask about. Some divide a class by the hosts that it hits, or by what nodes
// keep.
func asked() []FaultSet {
	return []FaultSet{
		{Name: "none", About: "no fault"},
		{Name: "delay, loss", About: "messages are late, held or lost", Classes: classesOf(faults.Slow, faults.Cut)},
		{
			Name: "client pause", About: "clients are paused or sleep",
			Classes: classesOf(faults.Pause, faults.Suspend), Set: []string{spareNodes},
		},
		{Name: "client crash", About: "clients die", Classes: classesOf(faults.Crash)},
		{Name: "partition", About: "hosts are parted", Classes: classesOf(faults.Partition)},
		{
			Name: "crash, disk", About: "servers restart with their data",
			Classes: classesOf(faults.Restart), Set: []string{onDisk},
		},
		{
			Name: "crash, lost", About: "servers restart with nothing",
			Classes: classesOf(faults.Restart), Set: []string{"persistence=none"},
		},
		{
			Name: "server step", About: "wall clocks of servers are stepped",
			Classes: classesOf(faults.Jump), Set: []string{spareClients},
		},
		{
			Name: "client step", About: "wall clocks of clients are stepped",
			Classes: classesOf(faults.Jump), Set: []string{spareNodes},
		},
		{
			Name: "server drift", About: "clocks of servers run at a wrong rate",
			Classes: classesOf(faults.Drift), Set: []string{spareClients},
		},
		{
			Name: "client drift", About: "clocks of clients run at a wrong rate",
			Classes: classesOf(faults.Drift), Set: []string{spareNodes},
		},
		{
			Name: "failover",
			About: "servers are away for 1 s or more: they come back with their disks, " +
				"long enough to replace a master; other locks just wait",
			Classes: classesOf(faults.Restart), Set: []string{"search.away=1s", onDisk},
		},
		{
			Name: "disk stall", About: "disks of nodes complete no sync: nodes wait",
			Classes: classesOf(faults.StallDisk), Set: []string{onDisk},
		},
	}
}

// classesOf names the classes of kinds of faults.
func classesOf(kinds ...*faults.Kind) (names []string) {
	for _, k := range kinds {
		names = append(names, k.Class.Name)
	}
	return names
}

// The hosts that the faults of a column spare.
const (
	spareNodes   = "search.spare=nodes"
	spareClients = "search.spare=clients"
)

// Under returns the settings of a line under a column: the line's, then the column's where the line leaves them open.
func (w *FaultSet) Under(line []string) []string {
	all := slices.Clone(line)
	for _, set := range append(slices.Clone(w.Set), "search.faults="+cmp.Or(strings.Join(w.Classes, ","), "none")) {
		key, _, _ := strings.Cut(set, "=")
		if !slices.ContainsFunc(all, func(other string) bool { return strings.HasPrefix(other, key+"=") }) {
			all = append(all, set)
		}
	}
	return all
}
