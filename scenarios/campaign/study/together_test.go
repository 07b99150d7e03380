package study_test

import (
	"encoding/csv"
	"os"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// The study of clients that start together has the counts of the live runs that are kept in the module live.
func TestPointsOfTheStudyAreThoseOfTheLiveRuns(t *testing.T) {
	file, err := os.Open("../../live/together.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var gaps []string
	broken, runs := map[string]int{}, map[string]int{}
	for _, row := range rows[1:] {
		gap, validity := row[0], row[5]
		if len(gaps) == 0 || gaps[len(gaps)-1] != gap {
			gaps = append(gaps, gap)
		}
		if validity != "unknown" {
			runs[gap]++
		}
		if validity == "violated" {
			broken[gap]++
		}
	}
	text, _ := study.Text("together")
	s, err := study.Parse("together.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Measured) != len(gaps) {
		t.Fatalf("the study has %d points, and the runs %d gaps", len(s.Measured), len(gaps))
	}
	for i, p := range s.Measured {
		if p.Violated != broken[gaps[i]] || p.Runs != runs[gaps[i]] {
			t.Errorf("asked for %s ms, %d of %d runs break it, and the study says %d of %d", gaps[i], broken[gaps[i]], runs[gaps[i]],
				p.Violated, p.Runs)
		}
	}
}
