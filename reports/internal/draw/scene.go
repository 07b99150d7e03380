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

// A Scene is what is to be drawn of a run, without places: lanes with bars and points, all in true time. Each renderer draws
// it in its own form.
type Scene struct {
	Run      *scenarios.Result
	title    string
	From, To clock.Instant // what it shows of the run
	lanes    []lane
	Bands    []Band
	gaps     []stretch // of that, what it does not show
	Left     string    // what of the run it leaves out, in a sentence; empty if nothing
	messages []scenarios.Message
	episodes []scenarios.Episode
	owner    map[string]int // the client of each token
}

// A lane is what one host did, or when one fault lasted.
type lane struct {
	kind   laneKind
	name   string
	host   int // -1 for a fault, and for a service of several servers
	bars   []bar
	points []point
}

// A laneKind is what a lane belongs to.
type laneKind int

const (
	clientLane  laneKind = iota
	serviceLane          // what grants the lock, where that is one service of several servers: whose key it has
	nodeLane
	storageLane
	faultLane
)

// A bar is something that lasts.
type bar struct {
	kind     barKind
	owner    int // the client it belongs to; -1 for none
	from, to clock.Instant
	text     string // what it is, in a few words, for its label
	what     string // what it is, in a sentence, but for when it was
	more     string // how it ended, to follow that; empty for nothing
	says     string // all of that with when it was, for whoever points at it
}

// A point is something that happens at one instant.
type point struct {
	kind  pointKind
	owner int
	at    clock.Instant
	text  string
	says  string
}

// NewScene makes the scene of a run. What the evidence lacks is not drawn, and Left says so.
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

// clientHost returns the host of a client: hosts are numbered as scenarios do, nodes, storage, clients.
func (s *Scene) clientHost(client int) int { return s.Run.Scenario.Nodes + 1 + client }
func (s *Scene) storageHost() int          { return s.Run.Scenario.Nodes }

// bar adds to a lane what lasts, unless it lies outside the scene. What it says is followed by when that was, and by more.
func (s *Scene) bar(l *lane, kind barKind, owner int, start, end clock.Instant, text, says, more string) {
	host := l.host
	if kind == offBar { // its clock shows nothing to anybody
		host = -1
	}
	if end = min(end, s.Run.Evidence.End); s.Sees(start, end) {
		l.bars = append(l.bars, bar{kind, owner, start, end, text, says, more, says + ", " + s.span(host, start, end) + more})
	}
}

// point adds to a lane what happens at an instant, unless it lies outside the scene.
func (s *Scene) point(l *lane, kind pointKind, owner int, t clock.Instant, text, says string) {
	if s.Sees(t, t) {
		l.points = append(l.points, point{kind, owner, t, text, says})
	}
}

// Mark marks operations of the history, where pictures have the lanes of their clients.
func (s *Scene) Mark(ops []int) {
	e := s.Run.Evidence
	for _, i := range ops {
		if i >= len(e.History) { // it is not drawable
			return
		}
		op := e.History[i]
		for j := range s.lanes {
			if l := &s.lanes[j]; l.kind == clientLane && l.host == s.clientHost(op.Process%max(e.Clients, 1)) {
				s.point(l, markedPoint, -1, op.Time, "", fmt.Sprintf("operation %d: %s, %s at %s", i, op.F, op.Type, wording.Micros(op.Time)))
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

// hold adds one hold: as its client believed, and as computed.
func (s *Scene) hold(l *lane, i int) {
	e := s.Run.Evidence
	h := &e.Holds[i]
	gone, token := min(h.Gone, e.End), ""
	if h.Fence > 0 {
		token = fmt.Sprintf("token %d", h.Fence)
	}
	s.bar(l, beliefBar, h.Client, h.From, gone, token, l.name+" goes on as holder"+wording.Fence(h.Fence), "")
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
			s.bar(l, validBar, h.Client, w.from, w.to, "", l.name+"'s computed validity", "")
		}
		from = max(from, w.to)
	}
	s.wrong(l, h, from, gone)
}

// wrong adds a time in which a client went on as holder though it was not valid. A client that stops at its deadline
// does so a step too late, which is not worth a sign.
func (s *Scene) wrong(l *lane, h *checker.Hold, start, end clock.Instant) {
	if end.Sub(start) > time.Millisecond/10 {
		s.bar(l, wrongBar, h.Client, start, end, "no longer valid", l.name+" goes on as holder though its validity has passed", "")
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
		s.point(l, kind, client, n.At, "extension",
			fmt.Sprintf("At %s %s; it was asked for at %s", wording.Micros(n.At), e.Extended(i), wording.Micros(n.Asked)))
	}
}

// sections adds the critical sections of a client: each from the call of its read to the end of what it did last with
// storage, in one hold.
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

// servers adds the lanes of what grants the lock. Independent nodes have a key each. A service has one, whichever of its
// servers it is on; below it stand those servers, each with the copy that it had, where one is on record, and with its
// troubles. Those of which there is nothing to show are left out.
func (s *Scene) servers() {
	e := s.Run.Evidence
	if s.Run.Scenario.Nodes == 0 { // the lock is on the host of storage, which has a lane of its own
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

// service returns the name of the one service that grants the lock, or "" where nodes vote.
func (s *Scene) service() string {
	if lanes := s.Run.Evidence.Lanes; len(lanes) == 1 && lanes[0] != wording.NodeName(0) {
		return lanes[0]
	}
	return ""
}

// on reports whether a host is one of those that had a key.
func (s *Scene) on(host int, k *checker.Span) bool {
	if s.service() != "" {
		return host <= s.storageHost()
	}
	return host == k.Lane
}

// asked returns how many servers the lock asks.
func (s *Scene) asked() int {
	if s.service() != "" {
		return s.Run.Scenario.Nodes
	}
	return len(s.Run.Evidence.Lanes)
}

func (l *lane) hasKeys() bool {
	return slices.ContainsFunc(l.bars, func(b bar) bool { return b.kind == keyBar })
}

// keys adds to a lane whose key lived on a node.
func (s *Scene) keys(l *lane, all []checker.Span, node int) {
	for _, k := range all {
		if k.Lane != node {
			continue
		}
		owner, name := -1, "nobody known"
		if client, known := s.owner[k.Token]; known {
			owner, name = client, wording.ClientName(client)
		}
		s.bar(l, keyBar, owner, k.From, k.To, name, l.name+" has the key of "+name, "")
	}
	slices.SortStableFunc(l.bars, func(a, b bar) int { return cmp.Compare(a.from, b.from) })
}

// storage adds the lane of storage: the writes that arrived there. Where the lock is on the same host, so is its key.
func (s *Scene) storage() {
	e := s.Run.Evidence
	l := lane{kind: storageLane, name: scenarios.StorageHost, host: s.storageHost()}
	if s.Run.Scenario.Nodes == 0 {
		s.keys(&l, e.Keys, 0)
	}
	for _, u := range e.Writes {
		kind, does := acceptedPoint, "fenced storage accepts it"
		if u.Fenced.Made == 0 {
			kind, does = refusedPoint, "fenced storage refuses it"
		}
		name := wording.ClientName(u.Client)
		s.point(&l, kind, u.Client, u.At, name, fmt.Sprintf("%s's write%s arrives at %s: plain storage makes it version %d; %s",
			name, wording.Fence(u.Fence), wording.Micros(u.At), u.Plain.Made, does))
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

// fault adds the lane of a strike; a fault that strikes again goes on in its lane.
func (s *Scene) fault(strike checker.Strike) {
	i := slices.IndexFunc(s.lanes, func(l lane) bool { return l.kind == faultLane && l.name == strike.Fault })
	if i < 0 {
		i = len(s.lanes)
		s.lanes = append(s.lanes, lane{kind: faultLane, name: strike.Fault, host: -1})
	}
	s.bar(&s.lanes[i], faultBar, -1, strike.From, strike.To, "", strike.Fault, "")
}

// troubles adds the troubles of a lane's host: pauses, crashes, and changes of its clocks.
func (s *Scene) troubles(l *lane) {
	for _, p := range s.episodes {
		if p.Host != l.host || p.Peer >= 0 {
			continue
		}
		switch p.What {
		case "pause", "suspend":
			s.bar(l, stillBar, -1, p.From, p.To, "paused", l.name+" stands still", "")
		case "stall":
			s.bar(l, stillBar, -1, p.From, p.To, diskStalls, "the disk of "+l.name+" completes no sync", "")
		case "crash":
			s.bar(l, offBar, -1, p.From, p.To, "off", l.name+" is off", "")
		case "slew":
			s.bar(l, slewBar, -1, p.From, p.To, "clock slewed by "+signed(p.By), l.name+"'s clock is slewed by "+signed(p.By), "")
		default:
			s.point(l, jumpPoint, -1, p.From, signed(p.By),
				fmt.Sprintf("%s's clock: %s %s at %s", l.name, p.What, signed(p.By), wording.Micros(p.From)))
		}
	}
}

// diskStalls is what a stillBar says of a disk.
const diskStalls = "disk stalls"

// stillness returns what the bars of those that stand still mean here.
func (s *Scene) stillness() string {
	if s.anyBar(func(b bar) bool { return b.kind == stillBar && b.text == diskStalls }) {
		return "host or disk stands still"
	}
	return "host stands still"
}

func signed(change string) string {
	if change == "" || change[0] == '-' || change[0] == '+' {
		return change
	}
	return "+" + change
}

// span describes an interval in true time, and on the host's own clock.
func (s *Scene) span(host int, start, end clock.Instant) string {
	text := during(start, end)
	a, ahead, known := s.Run.Shown(host, start)
	b, later, _ := s.Run.Shown(host, end)
	if !known {
		return text
	}
	return text + fmt.Sprintf(", %s long; its own clock shows %s (%s) and %s (%s)",
		end.Sub(start), clockFace(a), off(ahead), clockFace(b), off(later))
}

// during describes an interval in true time.
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
