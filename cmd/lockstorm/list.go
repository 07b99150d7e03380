package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
)

func newList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the scenarios",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(c.OutOrStdout(), reports.List(scenarios.Catalogue()))
			return err
		},
	}
}

// find gives the scenario of that ID.
func find(id string) (scenarios.Scenario, error) {
	s, ok := scenarios.Find(id)
	if ok {
		return s, nil
	}
	var ids []string
	for _, s := range scenarios.Catalogue() {
		ids = append(ids, s.ID)
	}
	hint := scenarios.Suggest(id, ids)
	if hint == "" {
		hint = "; see lockstorm list"
	}
	return s, fmt.Errorf("there is no scenario %q%s", id, hint)
}
