package command

import (
	"encoding/json"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// The JSON of reports, as far as tests read it.

type runJSON struct {
	SchemaVersion int    `json:"schema_version"`
	Scenario      string `json:"scenario"`
	Source        string `json:"source"`
	Seed          uint64 `json:"seed"`
	Verdict       string `json:"verdict"`
	Hash          string `json:"hash"`
	Properties    []struct {
		Name    string `json:"name"`
		Expect  string `json:"expect"`
		Verdict string `json:"verdict"`
		Witness *struct {
			Fault     string `json:"fault"`
			FromNanos int64  `json:"from_ns"`
			ToNanos   int64  `json:"to_ns"`
		} `json:"witness"`
	} `json:"properties"`
	Figures []any       `json:"figures"`
	Bounds  []boundJSON `json:"bounds"`
}

type boundJSON struct {
	Property   string  `json:"property"`
	Computed   string  `json:"reckoned"`
	HoldsAt    string  `json:"holds_at"`
	Stated     bool    `json:"stated"`
	BreaksSeed *uint64 `json:"breaks_seed"`
}

type sweepJSON struct {
	SchemaVersion int    `json:"schema_version"`
	Lockstorm     string `json:"lockstorm"`
	Command       string `json:"command"`
	Cells         []struct {
		Line     string `json:"line"`
		Value    string `json:"value"`
		Measure  string `json:"measure"`
		Runs     int    `json:"runs"`
		Violated int    `json:"violated"`
	} `json:"cells"`
}

type tallyJSON struct {
	Settings   []string          `json:"settings"`
	Verdict    scenarios.Verdict `json:"verdict"`
	Fail       int               `json:"fail"`
	Unexpected []uint64          `json:"unexpected"`
	Kept       int               `json:"kept"`
}

type suiteJSON struct {
	SchemaVersion int               `json:"schema_version"`
	Lockstorm     string            `json:"lockstorm"`
	Seed          uint64            `json:"seed"`
	Runs          int               `json:"runs"`
	Verdict       scenarios.Verdict `json:"verdict"`
	Mutants       []any             `json:"mutants"`
	Scenarios     []struct {
		Scenario string `json:"scenario"`
		File     string `json:"file"`
		Claim    *struct {
			By string `json:"by"`
		} `json:"claim"`
		Verdict scenarios.Verdict `json:"verdict"`
		Pass    int               `json:"pass"`
		Fail    int               `json:"fail"`
		Unknown int               `json:"unknown"`
		Wrong   []string          `json:"wrong"`
		First   *uint64           `json:"first_unexpected"`
		Command string            `json:"command"`
	} `json:"scenarios"`
}

type checkJSON struct {
	SchemaVersion int             `json:"schema_version"`
	Verdict       checker.Verdict `json:"verdict"`
	Ops           int             `json:"ops"`
	Notes         []string        `json:"notes"`
	Models        []struct {
		Model     string            `json:"model"`
		Lock      string            `json:"lock"`
		Verdict   checker.Verdict   `json:"verdict"`
		Reason    string            `json:"reason"`
		Window    []json.RawMessage `json:"window"`
		Confirmed *bool             `json:"confirmed"`
	} `json:"models"`
}
