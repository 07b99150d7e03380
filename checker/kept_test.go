package checker

import (
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// Why a promise held: from literal evidence, in the words of a report.
func TestWhyAPromiseHeld(t *testing.T) {
	const second = clock.Instant(time.Second)
	hold := func(client int, from, gone, valid int64) Hold {
		return Hold{Client: client, Try: -1, From: second * clock.Instant(from), Gone: second * clock.Instant(gone), Valid: second * clock.Instant(valid)}
	}
	release := func(process int, time int64) Op {
		return Op{Process: process, Time: second * clock.Instant(time), Type: Invoke, F: Release}
	}
	strike := []Strike{{From: second * 2, To: clock.Forever, Fault: "pause c1", Hosts: []string{"c1"}}}
	short := []Strike{{From: second * 2, To: second * 4, Fault: "pause c1", Hosts: []string{"c1"}}, {From: second * 2, To: second * 3, Fault: "pause c1", Hosts: []string{"c1"}}, {From: second * 3, To: second * 6, Fault: "pause c2", Hosts: []string{"c2"}}}
	for name, c := range map[string]struct {
		e        Evidence
		property string
		want     string
	}{
		"nobody":      {Evidence{Clients: 2, Strikes: strike, Tries: []Try{{To: second * 3}, {Client: 1, To: second * 3}}}, "belief", "No client ever had the lock."},
		"no fault":    {Evidence{Clients: 1}, "belief", "No client ever had the lock. No fault touched anything."},
		"gave up":     {Evidence{Clients: 2, Strikes: strike, Tries: []Try{{Client: 1, To: second * 9}}, Holds: []Hold{hold(0, 1, 5, 5), hold(1, 7, 9, 20)}, History: History{release(0, 6), release(1, 9)}}, "belief", "c1 gave up at 5 s, as its validity had passed, and c2 had the lock 2 s later."},
		"released":    {Evidence{Clients: 2, Strikes: strike, Tries: []Try{{Client: 1, To: second * 9}}, Holds: []Hold{hold(0, 1, 5, 9), hold(1, 7, 9, 20)}, History: History{release(0, 5)}}, "belief", "c1 released the lock at 5 s, and c2 had the lock 2 s later."},
		"never asked": {Evidence{Clients: 2, Strikes: strike, Tries: []Try{{To: second}}, Holds: []Hold{hold(0, 1, 5, 9)}}, "validity", "No client had the lock after another: c1 alone had it. c2 never asked for the lock after 2 s, when the first fault hit."},
		"apart":       {Evidence{Clients: 2, Strikes: strike, Tries: []Try{{Client: 1, To: second * 9}}, Holds: []Hold{hold(0, 1, 8, 5), hold(1, 7, 9, 20)}}, "validity", "The validity of c1 had ended at 5 s, and c2 had the lock at 7 s."},
		"no write":    {Evidence{Clients: 1, Strikes: strike, Holds: []Hold{hold(0, 1, 5, 9)}, History: History{release(0, 5)}}, "storage", "c1 released the lock at 5 s, and no write of that hold reached storage. No client had the lock after another: c1 alone had it."},
		"in time":     {Evidence{Clients: 2, Strikes: short, Tries: []Try{{Client: 1, To: second * 9}}, Holds: []Hold{hold(0, 1, 5, 5), hold(1, 7, 9, 20)}, History: History{release(0, 5)}}, "belief", `"pause c1" was over at 4 s, before the validity of c1 had ended: it was still the holder. c1 released the lock at 5 s, and c2 had the lock 2 s later.`},
		"other":       {Evidence{}, "leak-free", ""},
	} {
		p, _ := Lookup(c.property) // not by Kept, which wants whole evidence
		got := ""
		if p.kept != nil {
			got = strings.Join(p.kept(&c.e), " ")
		}
		if got != c.want {
			t.Errorf("%s: got  %s\nwant %s", name, got, c.want)
		}
	}
}
