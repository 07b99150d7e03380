package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// judge makes the runs that are not kept, and returns the verdicts of all cells before the first that is not made.
func (k *keptVerdicts) judge(ctx context.Context, each []live.Trial, p live.Plan) (all []live.Verdicts) {
	var rest []live.Trial
	var cells []int
	for i := range each {
		if _, kept := k.was[i]; !kept {
			rest, cells = append(rest, each[i]), append(cells, i)
		}
	}
	if begun := p.Begun; begun != nil {
		p.Begun = func(i int) { begun(cells[i]) }
	}
	p.Judged = func(i int, v *live.Verdicts) {
		k.was[cells[i]] = *v
		k.err = errors.Join(k.err, k.add(keptCell{cells[i], each[cells[i]].Name, *v}))
	}
	live.Judge(ctx, rest, p)
	for i := range each {
		v, made := k.was[i]
		if !made {
			break
		}
		all = append(all, v)
	}
	return all
}

// add keeps a cell.
func (k *keptVerdicts) add(c keptCell) error {
	if k.file == "" {
		return nil
	}
	f, err := os.OpenFile(k.file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	line, _ := json.Marshal(c)
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// end returns how the command ends, and prints how to go on where it was ended early.
func (k *keptVerdicts) end(ctx context.Context, again string, errs io.Writer) error {
	switch {
	case k.err != nil:
		return fmt.Errorf("%s can't be written: %w", k.file, k.err)
	case ctx.Err() == nil:
		return nil
	case k.file != "":
		fmt.Fprintf(errs, "%d of %d are kept in %s; go on with:\n  %s\n", len(k.was), k.cells, k.file, again)
	}
	return cli.Exit(cli.Interrupted)
}
