package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

func newBound() *cobra.Command {
	var v survey
	c := &cobra.Command{
		Use:   "bound SCENARIO|FILE [--axis KEY=FROM..TO]",
		Short: "Find where a property begins to break, beside the bound that is reckoned",
		Long: "Vary a setting, as --set knows it, and find by halving from where on a property breaks with any of some seeds. The\n" +
			"bound that follows from the theorem stands beside it, where the scenario states one for that setting and property.\n" +
			"Without --axis, all bounds that the scenario states are measured.\n\n" +
			"Each property that changes its verdict between the two ends has an edge; it is taken that it changes but once.",
		Example: "  lockstorm bound antirez/rate-drift\n" +
			"  lockstorm bound kleppmann/gc-pause --axis pause.for=1s..30s --property belief",
		Args: exactlyOne("SCENARIO", "lockstorm list names them"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := v.complete(args[0], "text", "json"); err != nil {
				return err
			}
			return v.bound(c.OutOrStdout())
		},
	}
	v.flags(c, 10)
	c.Flags().StringVar(&v.format, "format", "text", "print `text|json`")
	return c
}

func (v *survey) bound(out io.Writer) error {
	edges, err := v.edges()
	if err != nil {
		return err
	}
	e := reports.NewEdges(&v.scenario, v.seed, v.runs, edges)
	e.Lockstorm, e.Settings = version, append(e.Settings, v.set...)
	if v.format == "json" {
		return v.print(out, string(reports.JSON(e)))
	}
	return v.print(out, reports.EdgesText(e))
}

// edges measures the bounds along the axes, or all that are stated.
func (v *survey) edges() (all []campaign.Edge, err error) {
	if len(v.axes) == 0 {
		return v.stated()
	}
	for _, text := range v.axes {
		b := campaign.Bounding{Scenario: &v.scenario, Properties: v.properties, First: v.seed, Seeds: v.runs}
		if b.Span, err = campaign.ParseSpan(&v.scenario, text); err != nil {
			return nil, fmt.Errorf("--axis: %w", oneLine(err))
		}
		if err := b.Check(); err != nil {
			return nil, oneLine(err)
		}
		all = append(all, b.Edges()...)
	}
	return all, nil
}

// stated measures the bounds of the scenario, of all properties or of those that are asked for.
func (v *survey) stated() ([]campaign.Edge, error) {
	s := v.scenario
	if err := campaign.CheckProperties(v.properties); err != nil {
		return nil, err
	}
	s.Bounds = slices.DeleteFunc(slices.Clone(s.Bounds), func(b scenarios.Bound) bool {
		return len(v.properties) > 0 && !slices.Contains(v.properties, b.Property)
	})
	if len(s.Bounds) == 0 {
		return nil, fmt.Errorf("%s states no bound%s; say what varies: --axis KEY=FROM..TO", v.named, among(v.properties))
	}
	return campaign.EdgesOf(&s, v.seed, v.runs), nil
}

// among ends a sentence that is about some properties only.
func among(properties []string) string {
	if len(properties) == 0 {
		return ""
	}
	return " for " + strings.Join(properties, " or ")
}
