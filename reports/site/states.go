package site

import (
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/shell"
	"github.com/lockstorm/lockstorm/scenarios"
)

// states links each scenario that a page names in code, and each run whose command it prints, to that state of the
// playground. The debate and the playground have their own links.
func (b *builder) states(p *page) {
	if !b.has(playgroundFile) || p.address == playgroundFile {
		return
	}
	eachWords(p.Blocks, func(words []reports.Span) []reports.Span {
		for i := range words {
			if s := &words[i]; s.Look == "code" && s.Link == "" {
				if state := stateOf(s.Text); state != "" {
					s.Link = relative(p.address, playgroundFile) + state
				}
			}
		}
		return words
	})
}

// stateOf returns the end of the address of the state of the playground that code names, by the ID of a scenario or the
// command of a run; "" if it is no such code, or has flags that the playground lacks.
func stateOf(code string) string {
	fields := strings.Fields(strings.TrimPrefix(code, "lockstorm run "))
	if len(fields) == 0 || len(fields)%2 == 0 {
		return ""
	}
	if _, known := scenarios.Find(fields[0]); !known {
		return ""
	}
	run := shell.Run{Named: fields[0], Seed: 1}
	for i := 1; i < len(fields); i += 2 {
		seed, err := strconv.ParseUint(fields[i+1], 10, 64)
		switch {
		case strings.ContainsAny(fields[i+1], `'"\`):
			return ""
		case fields[i] == "--seed" && err == nil:
			run.Seed = seed
		case fields[i] == "--set":
			run.Set = append(run.Set, fields[i+1])
		default:
			return ""
		}
	}
	return run.State()
}
