package explore_test

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
	"github.com/lockstorm/lockstorm/scenarios/campaign/explore"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

var errFull = errors.New("no space left on device")

// A fullDisk fails at one of its deeds, and at each after that.
type fullDisk struct{ left *int }

func (d fullDisk) deed() error {
	if *d.left--; *d.left < 0 {
		return errFull
	}
	return nil
}

func (d fullDisk) Create(name string) (archive.File, error) {
	if err := d.deed(); err != nil {
		return nil, err
	}
	f, err := os.Create(name)
	return fullFile{f, d}, err
}

func (d fullDisk) Rename(old, name string) error {
	if err := d.deed(); err != nil {
		return err
	}
	return os.Rename(old, name)
}

type fullFile struct {
	*os.File
	disk fullDisk
}

func (f fullFile) Write(b []byte) (int, error) {
	if err := f.disk.deed(); err != nil {
		return 0, err
	}
	return f.File.Write(b)
}

func (f fullFile) Sync() error { return f.disk.deed() }

func (f fullFile) Close() error {
	if err := f.File.Close(); err != nil {
		return err
	}
	return f.disk.deed()
}

// Wherever the disk becomes full, an exploration reports that, and reports no findings. Once there is room it
// continues, and finds the same.
func TestExplorationOnAFullDiskFailsAndResumes(t *testing.T) {
	s, _ := scenarios.Find("redlock/small")
	s.Explore.Deviations, s.Explore.Most, s.Explore.Late, s.Explore.Behind = 2, 0, nil, false // with one, no unit is kept
	u, err := explore.New(&s, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := explore.Exploration{Universe: u, Workers: 2}
	whole := x.Run()
	left := 1 << 30
	if _, err := x.RunStored(&explore.Store{Dir: t.TempDir(), Disk: fullDisk{&left}}); err != nil {
		t.Fatal(err)
	}
	deeds, ends := 1<<30-left, 25
	if !simtest.Long {
		ends = 8
	}
	for room := 0; room < deeds; room += max(1, deeds/ends) {
		t.Run(fmt.Sprint(room, " of ", deeds), func(t *testing.T) {
			dir, left := t.TempDir(), room
			rep, err := x.RunStored(&explore.Store{Dir: dir, Disk: fullDisk{&left}})
			if !errors.Is(err, errFull) || rep != nil {
				t.Fatalf("the error is %v, and the report %+v", err, rep)
			}
			rep, err = x.RunStored(&explore.Store{Dir: dir, Resume: true})
			if err != nil || !reflect.DeepEqual(rep.Verdicts, whole.Verdicts) {
				t.Errorf("resumed: %v, %+v", err, rep)
			}
		})
	}
}
