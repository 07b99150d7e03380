package command

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/blackbox/oracle"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/cmd/internal/exit"
	"github.com/lockstorm/lockstorm/cmd/internal/input"
	"github.com/lockstorm/lockstorm/reports/layout"
)

// A soundnessCommand holds the flags of soundness.
type soundnessCommand struct {
	histories int
	seed      uint64
	format    string
}

// newSoundness is hidden because it shows nothing of the user's own. checker/README.md describes it.
func newSoundness() *cobra.Command {
	var s soundnessCommand
	c := &cobra.Command{
		Use:    "soundness",
		Short:  "Compare the judges of histories with an oracle",
		Hidden: true,
		Long: fmt.Sprintf("Draw histories of %d to %d ops for each model, of a correct lock or register, most of them spoilt in a place or\n"+
			"two, and compare the verdict of the judge that ships with that of an oracle: one that has the models' tables in code\n"+
			"of its own and tries whatever could have been. A disagreement is printed with its history; the exit code is then 255.\n"+
			"The same seed gives the same histories.", oracle.Smallest, oracle.Smallest+oracle.Sizes-1),
		Example: "  lockstorm soundness\n  lockstorm soundness --histories 100000 --seed 7 --format markdown",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return s.run(c.OutOrStdout()) },
	}
	c.Flags().IntVar(&s.histories, "histories", 5000, "draw `N` histories for each model")
	c.Flags().Uint64Var(&s.seed, "seed", 1, "draw them from this `SEED`")
	c.Flags().StringVar(&s.format, "format", "text", "print text, json or markdown")
	return c
}

func (s *soundnessCommand) run(out io.Writer) error {
	if err := input.CheckFormat(s.format, "text", "json", "markdown"); err != nil {
		return err
	}
	if s.histories < 1 {
		return fmt.Errorf("--histories: %d is not positive", s.histories)
	}
	var scores []oracle.Score
	for _, m := range blackbox.Models {
		scores = append(scores, oracle.Compare(m, s.seed, s.histories))
	}
	text := ""
	switch s.format {
	case "text":
		text = scoreTable(scores).Text(layout.Screen{})
	case "markdown":
		text = scoreTable(scores).Markdown()
	case "json":
		text = string(layout.JSON(s.describe(scores)))
	}
	if err := exit.Print(out, text); err != nil {
		return err
	}
	return disagreement(scores)
}

func disagreement(scores []oracle.Score) error {
	for _, s := range scores {
		if s.Disagreements > 0 {
			m := s.FirstModel
			return exit.Own(fmt.Errorf("%s: %d disagreements; the first is over this history (clients %d, limit %d, permits %d, least %v):\n%s",
				s.Model, s.Disagreements, m.Clients, m.Limit, m.Permits, m.Least, codec.AppendJSON(nil, s.First)))
		}
	}
	return nil
}

func scoreTable(scores []oracle.Score) *layout.Table {
	t := &layout.Table{Columns: layout.Numbers("model", "histories", "legal", "violated", "unknown", "searched", "disagreements")}
	for _, s := range scores {
		row := []string{s.Model}
		for _, n := range []int{s.Histories, s.Holds, s.Violated, s.Unknown, s.Searched, s.Disagreements} {
			row = append(row, strconv.Itoa(n))
		}
		t.Add(row...)
	}
	return t
}

func (s *soundnessCommand) describe(scores []oracle.Score) any {
	type row struct {
		Model         string `json:"model"`
		Histories     int    `json:"histories"`
		Legal         int    `json:"legal"`
		Violated      int    `json:"violated"`
		Unknown       int    `json:"unknown"`
		Searched      int    `json:"searched"`
		Disagreements int    `json:"disagreements"`
	}
	all := struct {
		Schema int    `json:"schema_version"`
		Seed   uint64 `json:"seed"`
		Models []row  `json:"models"`
	}{Schema: 1, Seed: s.seed}
	for _, s := range scores {
		all.Models = append(all.Models, row{s.Model, s.Histories, s.Holds, s.Violated, s.Unknown, s.Searched, s.Disagreements})
	}
	return all
}
