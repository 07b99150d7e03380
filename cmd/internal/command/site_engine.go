package command

import (
	"fmt"
	"io"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/engine"
	"github.com/lockstorm/lockstorm/reports"
)

// play builds the simulator for the browser. Where that can't be done the site has no playground, and why is said.
func play(s *reports.Site, errs io.Writer) {
	sources, err := engine.Here()
	var built *engine.Engine
	if err == nil {
		built, err = engine.Build(sources)
	}
	if err != nil {
		fmt.Fprintf(errs, "%s: there is no playground on the site: %v\n", cli.Name, err)
		return
	}
	s.Revision, s.Engine, s.Support = sources.Revision, built.Wasm, built.Support
}
