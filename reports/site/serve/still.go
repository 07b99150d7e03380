package serve

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/site/internal/browse"
)

// A Still is a store as pages and files that need no server: what the Handler answers, by its address. What only a server can
// do, such as to compare two runs that are chosen, is left out.
type Still struct {
	Pages []StillPage
	Files []reports.File    // by their addresses
	Runs  map[string]string // addresses of runs by the commands that repeat them
}

// A StillPage is a page at an address.
type StillPage struct {
	Address string
	*reports.Document
}

// runsMost is how many runs a Still can have: all of it is in memory, and on a disk afterwards.
const runsMost = 2000

// StillOf reads the whole store. What can't be read is an error, but for a result or a campaign that is broken, which says so.
func StillOf(s *Store) (*Still, error) {
	v := s.survey()
	switch {
	case v.wrong != nil:
		return nil, v.wrong
	case v.cut:
		return nil, fmt.Errorf("%s: it is too large to be read completely; name a directory in it", s.name)
	case len(v.runs) > runsMost:
		return nil, fmt.Errorf("%s: it has %d runs, and a site takes %d of each store; name a directory in it", s.name, len(v.runs),
			runsMost)
	}
	slices.Sort(v.runs) // as the campaigns are: pages say what they say wherever the store lies
	still := &Still{Runs: map[string]string{}}
	shown := browse.Store{Name: filepath.Base(s.name), Runs: s.lines(v.runs)}
	for _, place := range v.campaigns {
		c := s.page(place)
		shown.Campaigns = append(shown.Campaigns, c)
		still.Pages = append(still.Pages, StillPage{browse.Address("campaign", place), browse.CampaignPage(c)})
		if err := still.keep(s, place, append(c.Files, c.Found...)); err != nil {
			return nil, err
		}
	}
	for _, place := range v.runs {
		r := s.view(place)
		still.Pages = append(still.Pages, StillPage{browse.Address("run", place), browse.RunPage(r)})
		if err := still.keep(s, place, r.Files); err != nil {
			return nil, err
		}
	}
	for _, r := range shown.Runs {
		if r.Command != "" {
			still.Runs[r.Command] = browse.Address("run", r.Place)
		}
	}
	for n := range browse.Pages(len(shown.Runs)) {
		q := browse.Query{Page: n + 1}
		still.Pages = append(still.Pages, StillPage{q.Address(), browse.Index(shown, q)})
	}
	return still, nil
}

// keep reads files of a place.
func (still *Still) keep(s *Store, place string, all []browse.File) error {
	for _, f := range all {
		text, err := s.read(path.Join(place, f.Name), blockBytesMax)
		if err != nil {
			return fmt.Errorf("%s: %s can't be read: %w", s.name, path.Join(place, f.Name), err)
		}
		still.Files = append(still.Files, reports.File{Name: browse.FileAddress(place, f), Content: text})
	}
	return nil
}
