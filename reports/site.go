package reports

import (
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/reports/internal/site"
)

// A Site is a folder of pages that any web server can serve, and that a browser can open from a disk. What it is not given, it
// does not have.
type Site struct {
	Version   string // of Lockstorm
	Revision  string // its commit, as the playground tells it; empty if nobody knows
	Documents []File // Markdown, by the names that their links have, and the pictures in it
	Debate    *Debate
	Engine    []byte // of the playground: the simulator as WebAssembly, gzipped
	Support   []byte // Go's script that runs it
	Stores    []*Store
	Suites    []*Suite // those that were read from files
}

// Files returns all files of the site, sorted by name.
func (s *Site) Files() ([]File, error) {
	var debate *layout.Document
	if s.Debate != nil {
		debate = s.Debate.Document().doc
	}
	var suites []site.Suite
	for _, x := range s.Suites {
		suites = append(suites, site.Suite{Name: x.file, Suite: &x.suite})
	}
	return site.Site{Version: s.Version, Revision: s.Revision, Documents: s.Documents, Debate: debate, Engine: s.Engine,
		Support: s.Support, Stores: s.Stores, Suites: suites}.Files()
}
