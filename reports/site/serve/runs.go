package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"runtime"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/reports/site/internal/browse"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// lines returns the line of each run in a list. Files are read side by side, and again only when they have changed.
func (s *Store) lines(places []string) []browse.Run {
	all := make([]browse.Run, len(places))
	campaign.Parallel(runtime.GOMAXPROCS(0), len(places), func(i int) { all[i] = s.line(places[i]) })
	return all
}

// line returns the line of one run.
func (s *Store) line(place string) browse.Run {
	f, about, err := s.open(path.Join(place, resultFile))
	if err != nil {
		return browse.Run{Place: place, Wrong: wrong(resultFile, err)}
	}
	defer func() { _ = f.Close() }()
	s.mu.Lock()
	known, ok := s.runs[place]
	s.mu.Unlock()
	if ok && known.size == about.Size() && known.wrote.Equal(about.ModTime()) {
		return known.run
	}
	known = remembered{size: about.Size(), wrote: about.ModTime()}
	text, err := readAll(f, about.Size(), resultBytesMax)
	if err == nil {
		known.run, err = lineOf(place, text)
	}
	if err != nil {
		known.run = browse.Run{Place: place, Wrong: wrong(resultFile, err)}
	}
	s.remember(place, known)
	return known.run
}

func (s *Store) remember(place string, r remembered) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.runs) >= rememberedMax {
		clear(s.runs)
	}
	s.runs[place] = r
}

// resultFile is the file of a run that has its verdicts.
const resultFile = "result.json"

func wrong(file string, err error) string { return fmt.Sprintf("%s can't be read: %v", file, err) }

// decode reads the JSON of a result. What a newer Lockstorm wrote may have other types in it, and then the version says so.
func decode(text []byte, version *int, into any) error {
	err := json.Unmarshal(text, into)
	var other *json.UnmarshalTypeError
	switch {
	case (err == nil || errors.As(err, &other)) && *version != reports.SchemaVersion:
		return fmt.Errorf("it has schema version %d, and this Lockstorm reads version %d", *version, reports.SchemaVersion)
	case errors.As(err, &other):
		return errors.New("it has a value of another kind than a result has, at " + wording.Plain(other.Field))
	case err != nil && !bytes.HasSuffix(bytes.TrimSpace(text), []byte("}")):
		return errors.New("it ends in the middle")
	case err != nil:
		return errors.New("it is not JSON: " + wording.Plain(err.Error()))
	}
	return nil
}

// lineOf reads of a result what a list shows.
func lineOf(place string, text []byte) (browse.Run, error) {
	var r struct {
		SchemaVersion int      `json:"schema_version"`
		Scenario      string   `json:"scenario"`
		Seed          uint64   `json:"seed"`
		Settings      []string `json:"settings"`
		Command       string   `json:"command"`
		Verdict       string   `json:"verdict"`
		Properties    []struct {
			Name    string `json:"name"`
			Expect  string `json:"expect"`
			Verdict string `json:"verdict"`
		} `json:"properties"`
	}
	if err := decode(text, &r.SchemaVersion, &r); err != nil {
		return browse.Run{}, err
	}
	line := browse.Run{Place: place, Scenario: wording.Plain(r.Scenario), Seed: r.Seed, Command: wording.Plain(r.Command),
		Verdict: wording.Plain(r.Verdict)}
	for _, set := range r.Settings[:min(len(r.Settings), 20)] {
		line.Settings = append(line.Settings, wording.Plain(set))
	}
	for _, p := range r.Properties[:min(len(r.Properties), 100)] {
		line.Judge(wording.Plain(p.Name), p.Expect, p.Verdict)
	}
	return line, nil
}

// view reads all of a run that a page of its own shows.
func (s *Store) view(place string) browse.View {
	v := browse.View{Place: place, Files: s.files(place, runFiles)}
	text, err := s.read(path.Join(place, resultFile), resultBytesMax)
	if err == nil {
		err = decode(text, &v.Run.SchemaVersion, &v.Run)
	}
	if err != nil {
		v.Run, v.Wrong = runs.Run{}, wrong(resultFile, err)
	}
	if v.Scenario, err = s.scenario(path.Join(place, runs.ScenarioFile), scenarios.FileBytesMax); err != nil {
		v.Unparsed = wrong(runs.ScenarioFile, err)
	}
	_, pictured := s.timeline(place)
	v.Picture = pictured == nil
	return v
}

func (s *Store) scenario(name string, most int64) (*scenarios.Scenario, error) {
	text, err := s.read(name, most)
	if err != nil {
		return nil, err
	}
	read, err := scenarios.Parse(runs.ScenarioFile, text)
	return &read, err
}

// timeline returns the timeline of a run, as it was drawn.
func (s *Store) timeline(place string) ([]byte, error) {
	return s.read(path.Join(place, draw.TimelineFile), pageBytesMax)
}
