package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/scenarios"
)

func newList() *cobra.Command {
	colour := "auto"
	c := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkColour(colour); err != nil {
				return err
			}
			_, err := fmt.Fprint(c.OutOrStdout(), screenFor(c.OutOrStdout(), colour).List(scenarios.Catalogue()))
			return err
		},
	}
	colouring(c.Flags(), &colour)
	return c
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
