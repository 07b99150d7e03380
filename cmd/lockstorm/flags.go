package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// wants says what the types of flags take.
var wants = map[string]string{
	"uint64": "whole number from 0 on", "int": "whole number", "bool": "answer; give true or false", "duration": "time such as 10m",
}

// flagError says of a flag's value what would be right, where the library quotes Go.
func flagError(_ *cobra.Command, err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	flag, value := bad.GetFlag(), bad.GetValue()
	want, known := wants[flag.Value.Type()]
	switch {
	case !known:
		return err
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("--%s: %s is out of range", flag.Name, value)
	}
	return fmt.Errorf("--%s: %q is no %s", flag.Name, value, want)
}

// newScheduleTopic is a page of the help, and no command.
func newScheduleTopic() *cobra.Command {
	s := scenarios.Base()
	return &cobra.Command{
		Use: "schedule", Short: "How a schedule of faults is written",
		Long: strings.TrimSpace(faults.Language()) + "\n\nMarks\n\nThe marks that clients may pass:\n\n    " +
			strings.Join(s.Cast().Marks, "\n    "),
	}
}
