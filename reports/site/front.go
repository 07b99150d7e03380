package site

import (
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot/vg"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/site/playground"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A result is a line of the table on the first page: what happens, and the promise and the runs that show it.
type result struct {
	says, scenario, set, property string
}

// results come in pairs: what breaks, and what prevents it.
var results = []result{
	{"A client is paused after it acquired the lock, and then writes", "kleppmann/gc-pause", "", "storage"},
	{"… but looks at its clock again before it writes", "kleppmann/gc-pause", "work.recheck=true", "storage"},
	{"… or the storage rejects old fencing tokens", "kleppmann/gc-pause", "", "fenced"},
	{"A client is paused while it waits for replies, and does not check the remaining validity", "kleppmann/pause-before-reply",
		"lock.validity_check=false", "belief"},
	{"… but checks it, as Redlock's third step says", "kleppmann/pause-before-reply", "", "belief"},
	{"A write is late in the network, although the client looked at its clock before it wrote", "kleppmann/delayed-write", "work.recheck=true",
		"storage"},
	{"The clock of one node jumps forward", "kleppmann/clock-jump", "", "validity"},
	{"One node crashes and returns without its data", "kleppmann/crash-restart", "", "validity"},
	{"… but returns only after the lock's keys have expired", "antirez/delayed-restart", "", "validity"},
}

// frontRuns is the number of seeds of each result that the first page counts.
const frontRuns = 100

// front adds the first page: what Lockstorm does, one run, how to try it, some results, and where to go.
func (b *builder) front() {
	d := &reports.Document{Title: "Start here", Style: draw.Style, Class: "front", Script: sticking,
		Foot: "Made by Lockstorm " + b.Version + ". Apache License 2.0."}
	d.Paragraph("A distributed lock works until a clock jumps, a process stops, a server forgets or a packet is late. Lockstorm " +
		"makes all of that happen in a simulator that knows true time. Then it says which promise of the lock broke, when, and why.")
	b.todo(d)
	r := playground.Lead()
	d.Add(reports.Block{Kind: "heading", ID: "run", Words: reports.Words("A run that loses an update")})
	d.Paragraph("Client c1 acquires the lock and is then paused for 15 seconds, as by a long garbage collection. The lock expires, " +
		"c2 acquires it and writes. When c1 wakes up, it does not know that time has passed, and overwrites the write of c2.")
	d.Add(reports.Block{Kind: "picture", Image: draw.NewChart(draw.NewScene(r)).SVG,
		Label: "Timeline of kleppmann/gc-pause, seed 1"})
	p := page{indexFile, d}
	told := source{Command: "lockstorm run kleppmann/gc-pause --set " + playground.Work,
		data: b.records(&p, "runs/lead", r)}
	d.Blocks = append(d.Blocks, told.line(b, &p)...)
	d.Add(reports.Block{Kind: "heading", ID: "try", Words: reports.Words("Try it")})
	if b.has(playgroundFile) {
		d.Rich(reports.Span{Text: "In the browser", Link: playgroundFile}, reports.Span{Text: ": move the pause, and see " +
			"when the update is lost. Or with git and Go, in a clone of the repository:"})
	} else {
		d.Paragraph("With git and Go, in a clone of the repository:")
	}
	d.Lines("go run ./cmd/lockstorm run kleppmann/gc-pause\ngo run ./cmd/lockstorm fuzz redlock/any --stop-after 1")
	d.Paragraph("A run depends on its scenario and its seed (the number that determines all random choices) alone. The same two produce " +
		"the same bytes on every machine.")
	b.results(d)
	d.Add(reports.Block{Kind: "heading", ID: "more", Words: reports.Words("Where to go")})
	list := reports.Block{Kind: "bullets"}
	for _, l := range [][3]string{
		{"scenarios/campaign/README.html", "Search and measure", "how often a lock breaks, and under what"},
		{"scenarios/campaign/matrix.html", "Which lock, which faults", "one table of locks and faults"},
		{"scenarios/campaign/explore/theorem.html", "Exhaustive results", "what holds in every schedule of small runs"},
		{"scenarios/guests/libraries.html", "Libraries, simulated", "redsync, redislock, rueidislock and others, as their users run them"},
		{"scenarios/live/live.html", "Simulator versus servers", "how far the simulator agrees with Redis, etcd, ZooKeeper and others"},
		{"scenarios/forecast/forecast.html", "Forecasts", "how often a year a lock would break where you run it"},
		{"scenarios/glossary.html", "Glossary", "what each word means"},
		{"CONTRIBUTING.html", "Contributing", "build it, find your way, add a fault"},
	} {
		if b.has(l[0]) {
			list.Blocks = append(list.Blocks, reports.Block{Words: []reports.Span{{Text: l[1], Link: l[0]}, {Text: ": " + l[2]}}})
		}
	}
	d.Add(list)
	b.add(indexFile, d)
}

// todo says what a reader can do.
func (b *builder) todo(d *reports.Document) {
	list := reports.Block{Kind: "chips"}
	for _, l := range [][3]string{
		{playgroundFile, "Play", "move a pause, and see when an update is lost"},
		{"scenarios/locktest/README.html", "Test your lock", "in a Go test; or test a client library"},
		{"README.html#use-it-in-ci", "Run it in CI", "scenarios as a test suite"},
		{debateFile, "Read the debate", "each claim of Kleppmann and antirez, measured"},
	} {
		page, _, _ := strings.Cut(l[0], "#")
		if b.has(page) || page == debateFile && b.Debate != nil {
			list.Words = append(list.Words, reports.Span{Text: l[1], Look: "bold", Link: l[0]}, reports.Span{Text: " " + l[2]})
		}
	}
	if len(list.Words) > 0 {
		d.Add(list)
	}
}

// results adds the table of results, counted now.
func (b *builder) results(d *reports.Document) {
	t := &reports.Table{Columns: reports.Columns("what happens", "promise", "broken, of 100", "try it")}
	t.Columns[3].Kind = "wordy"
	for _, x := range results {
		s, _ := scenarios.Find(x.scenario)
		command := "lockstorm run " + x.scenario
		var cell campaign.Cell
		if key, value, set := strings.Cut(x.set, "="); set {
			cell = campaign.Cell{{Key: key, Value: scenarios.Value(value)}}
			command += " --set " + x.set
		}
		n := count(&s, cell, x.property, frontRuns)
		share := reports.Cell{Text: n.PerCent(0), Ink: reports.GreenInk}
		if n.Violated > 0 {
			share.Ink = reports.RedInk
		}
		shows := reports.Rich(reports.Span{Text: command, Look: "code"})
		t.Rows = append(t.Rows, []reports.Cell{{Text: x.says}, {Text: wording.Plainly(x.property)}, share, shows})
	}
	d.Add(reports.Block{Kind: "heading", ID: "results", Words: reports.Words("In short")})
	d.Paragraph("How many of 100 runs break the promise, each with another seed:")
	d.Add(reports.Block{Kind: "rows", Table: t, Label: "Some results", Class: "results"})
	b.sources(&page{indexFile, d})
}

// count counts the runs in which a promise is broken.
func count(s *scenarios.Scenario, cell campaign.Cell, property string, runs int) (n stats.Count) {
	job := &campaign.Job{Kind: "site", Scenario: s, Cells: []campaign.Cell{cell}, First: 1, Runs: runs, Size: runs}
	i := slices.IndexFunc(checker.Properties, func(p checker.Property) bool { return p.Name == property })
	for _, row := range job.All(1, func([]campaign.Row) {}) {
		n.Add(row.Of(i))
	}
	return n
}

// preview returns the picture for previews of links: how often an update is lost, by the length of the pause.
func preview() []byte {
	const runs, longest = 20, 20 // of each length; s
	s, _ := scenarios.Find("kleppmann/gc-pause")
	share := plot.Series{Name: "How often an update is lost, if client c1 is paused while it holds a lock of 10 s"}
	for half := 2; half <= 2*longest; half++ {
		length := time.Duration(half) * time.Second / 2
		n := count(&s, campaign.Cell{{Key: "fault.1.for", Value: scenarios.Value(length.String())}}, "storage", runs)
		share.X = append(share.X, length.Seconds())
		share.Y = append(share.Y, 100*float64(n.Violated)/runs)
	}
	p := plot.Picture{Title: "Lockstorm", Caption: "Lockstorm tests distributed locks in a simulator that knows true time.",
		Drawing: &plot.Lines{X: plot.Axis{Label: "length of the pause (s)"}, Y: plot.Axis{Label: "runs that lose an update (%)"},
			Series: []plot.Series{share}}}
	const dpi = 96
	return p.PNG(plot.Size{Width: 1200 * vg.Inch / dpi, Height: 630 * vg.Inch / dpi, Text: 20, DPI: dpi})
}
