package draw

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A Scene is the content of a drawing of a run, without places: lanes with bars and points, all in true time. Each
// renderer draws it in its own form.
type Scene struct {
	Run      *scenarios.Result
	title    string
	From, To clock.Instant // the part of the run that it shows
	gaps     []stretch     // the parts between that it doesn't show
	Left     string        // what it leaves out, in a sentence; empty if nothing
	lanes    []lane
	Bands    []Band
	messages []scenarios.Message
	episodes []scenarios.Episode
	owner    map[string]int // the client of each lock value
}

type lane struct {
	kind   laneKind
	name   string
	host   int // -1 for a fault, and for a service of several servers
	bars   []bar
	points []point
}

// A laneKind is the kind of thing that has a lane.
type laneKind int

const (
	clientLane  laneKind = iota
	serviceLane          // one service of several servers that grants the lock: whose key it has
	nodeLane
	storageLane
	faultLane
	shareLane
)

type bar struct {
	kind     barKind
	owner    int // the client it belongs to; -1 for none
	from, to clock.Instant
	text     string // its name in a few words, for its label
	what     string // a sentence about it, without its times
	more     string // the end of the sentence, about how it ended; empty for nothing
	says     string // the whole sentence with its times, for a pointer
}

type point struct {
	kind  pointKind
	owner int
	at    clock.Instant
	text  string
	says  string
}

// NewScene returns the scene of a run. Left says what the evidence lacks.
func NewScene(r *scenarios.Result) *Scene {
	r, lacks := drawable(r)
	e := r.Evidence
	s := &Scene{
		Run: r, title: fmt.Sprintf("%s, seed %d", r.Scenario.ID, r.Seed), To: max(e.End, 1),
		messages: r.Messages(), episodes: r.Episodes(), owner: owners(e),
	}
	s.band()
	s.crop()
	s.Left = strings.TrimSpace(s.Left + " " + lacks)
	for i := range e.Clients {
		s.client(i)
	}
	s.servers()
	s.storage()
	for _, strike := range e.Strikes {
		if s.Sees(strike.From, strike.To) {
			s.fault(strike)
		}
	}
	return s
}

// A Share is how many of 100 continuations of a run from an instant on break a promise.
type Share struct {
	From    clock.Instant
	Percent int
	Says    string // a sentence about it
}

// Decided adds a lane with shares, which must be in order of time.
func (s *Scene) Decided(shares []Share) {
	l := lane{kind: shareLane, name: "would break", host: -1}
	for i, n := range shares {
		end := s.Run.Evidence.End
		if i+1 < len(shares) {
			end = shares[i+1].From
		}
		s.bar(&l, shareBar, n.Percent, n.From, end, "", n.Says, "")
	}
	s.lanes = append(s.lanes, l)
}

// clientHost returns the host of a client: hosts are numbered as scenarios do, nodes, storage, clients.
func (s *Scene) clientHost(client int) int { return s.Run.Scenario.Nodes + 1 + client }
func (s *Scene) storageHost() int          { return s.Run.Scenario.Nodes }

// bar adds a bar to a lane, if it is within the scene.
func (s *Scene) bar(l *lane, kind barKind, owner int, start, end clock.Instant, text, what, more string) {
	host := l.host
	if kind == offBar { // its clock can't be read
		host = -1
	}
	if end = min(end, s.Run.Evidence.End); s.Sees(start, end) {
		says := what + ", " + s.span(host, start, end) + more
		l.bars = append(l.bars, bar{kind, owner, start, end, text, what, more, says})
	}
}

// point adds a point to a lane, if it is within the scene.
func (s *Scene) point(l *lane, kind pointKind, owner int, t clock.Instant, text, says string) {
	if s.Sees(t, t) {
		l.points = append(l.points, point{kind, owner, t, text, says})
	}
}

// Mark marks operations of the history in the lanes of their clients.
func (s *Scene) Mark(ops []int) {
	e := s.Run.Evidence
	for _, i := range ops {
		if i >= len(e.History) { // it is not drawable
			return
		}
		op := e.History[i]
		says := fmt.Sprintf("operation %d: %s, %s at %s", i, op.F, op.Type, wording.Micros(op.Time))
		for j := range s.lanes {
			if l := &s.lanes[j]; l.kind == clientLane && l.host == s.clientHost(op.Process%max(e.Clients, 1)) {
				s.point(l, markedPoint, -1, op.Time, "", says)
			}
		}
	}
}

func (s *Scene) client(i int) {
	e := s.Run.Evidence
	l := lane{kind: clientLane, name: wording.ClientName(i), host: s.clientHost(i)}
	for _, t := range e.Tries {
		if t.Client == i {
			s.bar(&l, attemptBar, i, t.From, t.To, "", l.name+" tries to acquire",
				fmt.Sprintf(": %s, with %d of %d votes", t.Outcome, t.Votes, s.asked()))
		}
	}
	for j := range e.Holds {
		if e.Holds[j].Client == i {
			s.hold(&l, j)
		}
	}
	s.extensions(&l, i)
	s.sections(&l, i)
	s.troubles(&l)
	s.lanes = append(s.lanes, l)
}

func (s *Scene) hold(l *lane, i int) {
	e := s.Run.Evidence
	h := &e.Holds[i]
	gone, token := min(h.Gone, e.End), ""
	if h.Fence > 0 {
		token = fmt.Sprintf("token %d", h.Fence)
	}
	s.bar(l, beliefBar, h.Client, h.From, gone, token, l.name+" acts as holder"+wording.Fence(h.Fence), "")
	valid := []stretch{{h.From, min(h.Valid, e.End)}}
	for _, n := range e.Renewals {
		if n.Hold == i && n.OK && n.Valid > n.At {
			valid = append(valid, stretch{n.At, min(n.Valid, e.End)})
		}
	}
	from := h.From
	for _, w := range joinStretches(valid) {
		s.wrong(l, h, from, min(w.from, gone))
		if w.to > w.from {
			s.bar(l, validBar, h.Client, w.from, w.to, "", l.name+"'s lock is valid", "")
		}
		from = max(from, w.to)
	}
	s.wrong(l, h, from, gone)
}

// wrong adds a time in which a client acted as holder though it was not valid. A client that stops at its deadline does
// so a step too late, which deserves no sign.
func (s *Scene) wrong(l *lane, h *checker.Hold, start, end clock.Instant) {
	if end.Sub(start) > time.Millisecond/10 {
		what := l.name + " acts as holder though its validity has passed"
		s.bar(l, wrongBar, h.Client, start, end, "no longer valid", what, "")
	}
}

func (s *Scene) extensions(l *lane, client int) {
	e := s.Run.Evidence
	for i := range e.Renewals {
		n := &e.Renewals[i]
		if e.Holds[n.Hold].Client != client || n.At == clock.Forever {
			continue
		}
		kind := unextendedPoint
		if n.OK {
			kind = extendedPoint
		}
		says := "At " + wording.Micros(n.At) + " " + e.Extended(i) + "; it was asked for at " + wording.Micros(n.Asked)
		s.point(l, kind, client, n.At, "extension", says)
	}
}

// sections adds the critical sections of a client: each from the call of its read to the end of its last access to
// storage in one hold.
func (s *Scene) sections(l *lane, client int) {
	e := s.Run.Evidence
	open := clock.Forever
	last := clock.Instant(0)
	end := func() {
		if open != clock.Forever {
			s.bar(l, sectionBar, client, open, max(open, last), "", l.name+"'s critical section", "")
		}
		open = clock.Forever
	}
	for _, op := range e.History {
		if op.Process%max(e.Clients, 1) != client {
			continue
		}
		switch {
		case op.F == checker.Read && op.Type == checker.Invoke && open == clock.Forever:
			open, last = op.Time, op.Time
		case op.F == checker.Read || op.F == checker.Write:
			last = op.Time
		case op.F == checker.Release:
			end()
		}
	}
	end()
}

// servers adds the lanes of the servers that grant the lock. Independent nodes have a key each. A service has one key,
// on any of its servers. Below it are its servers with their recorded copies and their troubles, except those with
// nothing to show.
func (s *Scene) servers() {
	e := s.Run.Evidence
	if s.Run.Scenario.Nodes == 0 { // the lock is on the host of storage, which has its own lane
		return
	}
	service, keys := s.service(), e.Keys
	if service != "" {
		l := lane{kind: serviceLane, name: strings.TrimPrefix(service, "the "), host: -1}
		s.keys(&l, e.Keys, 0)
		s.lanes = append(s.lanes, l)
		keys = s.Run.Copies
	}
	for i := range s.asked() {
		l := lane{kind: nodeLane, name: wording.NodeName(i), host: i}
		s.keys(&l, keys, i)
		s.troubles(&l)
		if service == "" || len(s.Run.Copies) > 0 || len(l.bars)+len(l.points) > 0 {
			s.lanes = append(s.lanes, l)
		}
	}
}

// service returns the name of the one service that grants the lock, or "" if nodes vote.
func (s *Scene) service() string {
	if lanes := s.Run.Evidence.Lanes; len(lanes) == 1 && lanes[0] != wording.NodeName(0) {
		return lanes[0]
	}
	return ""
}

func (s *Scene) on(host int, k *checker.Span) bool {
	if s.service() != "" {
		return host <= s.storageHost()
	}
	return host == k.Lane
}

func (s *Scene) asked() int {
	if s.service() != "" {
		return s.Run.Scenario.Nodes
	}
	return len(s.Run.Evidence.Lanes)
}

func (l *lane) hasKeys() bool {
	return slices.ContainsFunc(l.bars, func(b bar) bool { return b.kind == keyBar })
}

func (s *Scene) keys(l *lane, all []checker.Span, node int) {
	for _, k := range all {
		if k.Lane != node {
			continue
		}
		owner, name := -1, "no known client"
		if client, known := s.owner[k.Token]; known {
			owner, name = client, wording.ClientName(client)
		}
		s.bar(l, keyBar, owner, k.From, k.To, name, l.name+" has the key of "+name, "")
	}
	slices.SortStableFunc(l.bars, func(a, b bar) int { return cmp.Compare(a.from, b.from) })
}

// storage adds the lane of storage with the writes that arrived there, and with the key if the lock is on the same
// host.
func (s *Scene) storage() {
	e := s.Run.Evidence
	l := lane{kind: storageLane, name: scenarios.StorageHost, host: s.storageHost()}
	if s.Run.Scenario.Nodes == 0 {
		s.keys(&l, e.Keys, 0)
	}
	for _, u := range e.Writes {
		kind, does := acceptedPoint, "fenced storage accepts it"
		if u.Fenced.Made == 0 {
			kind, does = refusedPoint, "fenced storage rejects it"
		}
		name := wording.ClientName(u.Client)
		says := fmt.Sprintf("%s's write%s arrives: plain storage makes it version %d; %s",
			name, wording.Fence(u.Fence), u.Plain.Made, does)
		s.point(&l, kind, u.Client, u.At, name, says)
	}
	s.troubles(&l)
	s.lanes = append(s.lanes, l)
}

func (s *Scene) storageKind() string {
	if s.Run.Scenario.Nodes == 0 {
		return "database"
	}
	return "storage"
}

func (s *Scene) fault(strike checker.Strike) {
	i := slices.IndexFunc(s.lanes, func(l lane) bool { return l.kind == faultLane && l.name == strike.Fault })
	if i < 0 {
		i = len(s.lanes)
		s.lanes = append(s.lanes, lane{kind: faultLane, name: strike.Fault, host: -1})
	}
	s.bar(&s.lanes[i], faultBar, -1, strike.From, strike.To, "", strike.Fault, "")
}

func (s *Scene) troubles(l *lane) {
	for _, p := range s.episodes {
		if p.Host != l.host || p.Peer >= 0 {
			continue
		}
		switch p.What {
		case "pause", "suspend":
			s.bar(l, stillBar, -1, p.From, p.To, "paused", l.name+" stands still", "")
		case "stall":
			s.bar(l, stillBar, -1, p.From, p.To, "disk stalls", "the disk of "+l.name+" completes no sync", "")
		case "refuse":
			s.bar(l, stillBar, -1, p.From, p.To, p.By, l.name+" answers with errors: "+p.By, "")
		case "crash":
			s.bar(l, offBar, -1, p.From, p.To, "off", l.name+" is off", "")
		case "slew":
			by := " slewed by " + signed(p.By)
			s.bar(l, slewBar, -1, p.From, p.To, "clock"+by, l.name+"'s clock is"+by, "")
		default:
			s.point(l, jumpPoint, -1, p.From, signed(p.By),
				fmt.Sprintf("%s's clock: %s %s at %s", l.name, p.What, signed(p.By), wording.Micros(p.From)))
		}
	}
}

func signed(change string) string {
	if change == "" || change[0] == '-' || change[0] == '+' {
		return change
	}
	return "+" + change
}

func (s *Scene) span(host int, start, end clock.Instant) string {
	a, ahead, known := s.Run.Shown(host, start)
	b, later, _ := s.Run.Shown(host, end)
	if !known {
		return during(start, end)
	}
	return fmt.Sprintf("%s, %s long; its own clock shows %s (%s) and %s (%s)", during(start, end), end.Sub(start),
		clockFace(a), off(ahead), clockFace(b), off(later))
}

func during(start, end clock.Instant) string {
	return "from " + wording.Micros(start) + " to " + wording.Micros(end)
}

// clockFace returns a reading of a wall clock as hours, minutes and seconds.
func clockFace(r clock.Reading) string {
	return time.Unix(0, int64(r)).UTC().Format("15:04:05.000000")
}

// off describes how far a clock is from true time.
func off(ahead time.Duration) string {
	switch {
	case ahead > 0:
		return ahead.String() + " fast"
	case ahead < 0:
		return (-ahead).String() + " slow"
	}
	return "true"
}

// A Moment is the instant of a point of a scene, or at which a bar begins or ends.
type Moment struct {
	At   clock.Instant
	Lane string // the name of its lane
	Text string
	Over bool // something ends
}

// Moments returns all moments of a scene in order.
func (s *Scene) Moments() (all []Moment) {
	for i := range s.lanes {
		l := &s.lanes[i]
		for _, b := range l.bars {
			all = append(all, Moment{b.from, l.name, b.what, false})
			if b.to < s.Run.Evidence.End {
				all = append(all, Moment{b.to, l.name, b.what + b.more, true})
			}
		}
		for _, p := range l.points {
			all = append(all, Moment{p.at, l.name, p.says, false})
		}
	}
	slices.SortStableFunc(all, func(a, b Moment) int { return cmp.Compare(a.At, b.At) })
	return slices.DeleteFunc(all, func(m Moment) bool { return !s.Sees(m.At, m.At) })
}
