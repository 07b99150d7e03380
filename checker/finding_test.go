package checker_test

import (
	"encoding/json"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
)

func TestAVerdictIsReadAsItIsWritten(t *testing.T) {
	all := []checker.Verdict{checker.Holds, checker.Unknown, checker.Violated}
	text, err := json.Marshal(all)
	if want := `["holds","unknown","violated"]`; err != nil || string(text) != want {
		t.Fatalf("%s, %v; want %s", text, err, want)
	}
	var read []checker.Verdict
	if err := json.Unmarshal(text, &read); err != nil || len(read) != 3 || [3]checker.Verdict(read) != [3]checker.Verdict(all) {
		t.Errorf("%v, %v; want %v", read, err, all)
	}
	if err := json.Unmarshal([]byte(`["broken"]`), &read); err == nil {
		t.Error("broken is no verdict, and was read as one")
	}
}
