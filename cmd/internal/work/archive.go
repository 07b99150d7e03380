package work

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// ExplainBuild adds to an error about rows of another build what to do.
func ExplainBuild(err error) error {
	o, is := errors.AsType[*archive.OtherBuild](err)
	switch {
	case !is:
		return err
	case strings.Contains(o.Made, "-dev+"):
		return fmt.Errorf("%w. That name belongs to one executable: go run and go build make different ones, and so "+
			"does every change. Use the one whose --version has that name; or start again in another directory, with "+
			"an executable of go build that you keep", err)
	}
	return fmt.Errorf("%w. Use that build, or start again in another directory. To install it:\n  go install "+
		"%s/cmd/lockstorm@v%s",
		err, cli.Module, o.Made)
}

// Unwritable reports whether a directory can't be written, or a disk is full.
func Unwritable(err error) bool {
	return errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EROFS) ||
		errors.Is(err, syscall.EDQUOT)
}

// Open opens an archive of rows.
func Open(dir string) (*archive.Archive, error) {
	a, err := archive.Open(dir)
	return a, Repair(err)
}

// Repair adds to an error about a damaged block or manifest how to repair it. Only the command that began the work can
// make its manifest again.
func Repair(err error) error {
	if u, is := errors.AsType[*archive.Unsound](err); is {
		return fmt.Errorf("%w. No row is lost. Put the file back as it was; or remove %s, and repeat the command that "+
			"began this work, with --resume", err, filepath.Join(u.Dir, archive.ManifestFile))
	}
	if _, is := errors.AsType[*archive.Damage](err); is {
		return fmt.Errorf("%w. Remove that file, and repeat the command that made the rows, with --resume", err)
	}
	return err
}
