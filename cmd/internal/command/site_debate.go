package command

import (
	"fmt"
	"io"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports"
)

// argue makes the runs of the debate.
func (h *siteCommand) argue(s *reports.Site, errs io.Writer) error {
	d := &h.debate
	d.again = fmt.Sprintf("%s debate --runs %d --seed %d", cli.Name, d.runs, d.seed) // which makes the same document
	if err := d.begin(); err != nil {
		return err
	}
	d.try(errs)
	s.Debate = &d.debate
	return nil
}
