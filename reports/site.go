package reports

import (
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/reports/internal/site"
)

// A Site is a folder of pages that any web server can serve, and that a browser can open from a disk. What it is not given, it
// does not have.
type Site struct {
	Version   string // of Lockstorm
	Documents []File // Markdown, by the names that their links have, and the pictures in it
	Debate    *Debate
	Stores    []*Store
}

// Files returns all files of the site, sorted by name.
func (s *Site) Files() ([]File, error) {
	var debate *layout.Document
	if s.Debate != nil {
		debate = s.Debate.Document().doc
	}
	return site.Site{Version: s.Version, Documents: s.Documents, Debate: debate, Stores: s.Stores}.Files()
}
