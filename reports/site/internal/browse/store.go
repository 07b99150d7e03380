package browse

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// Bounds of what a page shows.
const (
	CellsMost = 200 // of a campaign
	FilesMost = 200 // of one directory

	linesMost = 100 // runs on a page of the list
)

// A Store is what a directory holds, as far as it was read.
type Store struct {
	Name      string
	Runs      []Run
	Campaigns []Campaign
	Cut       bool // there is more, which was not looked at
}

// A Run is a stored run in a list. Its texts are plain, but for the place.
type Run struct {
	Place    string // its directory in the store, with slashes
	Scenario string
	Seed     uint64
	Settings []string
	Command  string   // that repeats it
	Verdict  string   // pass, fail or unknown
	Violated []string // the properties that are, and Unknown those that may be
	Unknown  []string
	Odd      []string // those that went otherwise than expected
	Wrong    string   // why it can't be read; then the place is all that is known
	Unread   bool     // it was not read, because it is not on the page; then too
}

// Judge notes the verdict on a property.
func (r *Run) Judge(name, expect, verdict string) {
	switch verdict {
	case "violated":
		r.Violated = append(r.Violated, name)
	case "unknown":
		r.Unknown = append(r.Unknown, name)
	}
	if verdict != expect {
		r.Odd = append(r.Odd, name)
	}
}

// A File is one that can be had.
type File struct {
	Name  string // from the place of its run or campaign
	Holds string
	Bytes int64
}

// A View is a run on a page of its own, or beside another. Its texts are as they were read.
type View struct {
	Place    string
	Run      runs.Run
	Wrong    string // why the result can't be read
	Scenario *scenarios.Scenario
	Unparsed string // why the scenario can't be read
	Picture  bool   // there is a timeline
	Files    []File
}

// A Campaign is the rows of many runs, what was found in them, or both. Its texts are plain, but for the place.
type Campaign struct {
	Place        string
	Kind         string
	Scenario     string
	Lockstorm    string
	ScenarioHash string
	First        uint64
	Runs         int // of each cell
	Cells        int
	Settings     []string // of the first cells
	Locks        []string // of a study: its lines, and the values of its axis; cells come line by line
	Faults       []string
	Properties   []string
	breaks       []string // of what is counted, that which the scenario expects to break
	Views        []string // models to which a black box holds the runs
	Blocks, Of   int      // that are there, and that there are in all; without rows, 0
	Counted      bool
	Tallies      []Tally // by cell
	Files, Found []File
	Note         string // what is left out
	Wrong        string // why it can't be read
}

// A Tally counts the rows of a cell.
type Tally struct {
	Runs, Broken int           // Broken ones violate some property
	Counts       []stats.Count // by property, and then by view
}

// escape returns a place as addresses and forms have it, where each word can be anything, even no text at all.
func escape(place string) string {
	words := strings.Split(place, "/")
	for i := range words {
		words[i] = url.PathEscape(words[i])
	}
	return strings.Join(words, "/")
}

// Unescape returns the place that was escaped; "" if none was.
func Unescape(text string) string {
	place, err := url.PathUnescape(text)
	if err != nil {
		return ""
	}
	return place
}

// Address returns the address of a place in one of the rooms: run, campaign, timeline, files.
func Address(room, place string) string { return address(room, place) }

func address(room, place string, name ...string) string {
	if place != "." {
		name = append(strings.Split(place, "/"), name...)
	}
	return "/" + room + "/" + escape(strings.Join(name, "/"))
}

// FileAddress returns the address of a file, whose name may lead through a directory.
func FileAddress(place string, f File) string {
	return address("files", place, strings.Split(f.Name, "/")...)
}

// reportAddress returns the address of the page of a run or a campaign; "" if it is not among the files.
func reportAddress(place string, files []File) string {
	if i := slices.IndexFunc(files, func(f File) bool { return f.Name == runs.PageFile }); i >= 0 {
		return FileAddress(place, files[i])
	}
	return ""
}

// title names a run by what it says of itself, and by its place if it says nothing.
func (v *View) title() string {
	if v.Wrong != "" {
		return wording.Plain(v.Place)
	}
	return wording.Plain(v.Run.Scenario) + ", seed " + strconv.FormatUint(v.Run.Seed, 10)
}
