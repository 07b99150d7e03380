package command

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/engine"
	"github.com/lockstorm/lockstorm/reports"
)

// play builds the simulator for the browser. Where that can't be done, there is no playground, and why is said.
func play(s *reports.Site, errs io.Writer) {
	built, err := engine.Build(sourcesHere())
	if err != nil {
		fmt.Fprintf(errs, "%s: there is no playground on the site: %v\n%s: it takes Go, and a clone of the repository around "+
			"this directory or a released version of the program\n", cli.Name, err, cli.Name)
		return
	}
	s.Engine, s.Support = built.Wasm, built.Support
}

// sourcesHere returns what the engine can be built of: the clone around this directory, or else the version of the program.
func sourcesHere() engine.Source {
	s := engine.Source{Named: cli.Version}
	for dir, err := os.Getwd(); err == nil; dir = filepath.Dir(dir) {
		text, _ := os.ReadFile(filepath.Join(dir, "go.mod"))
		if line, _, _ := bytes.Cut(text, []byte("\n")); string(bytes.TrimSpace(line)) == "module "+cli.Module {
			s.Dir = dir
			return s
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if build := cli.Build(); !strings.Contains(build, "-dev+") {
		s.Version = "v" + build
	}
	return s
}
