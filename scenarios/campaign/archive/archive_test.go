package archive_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// small is a job of two cells and 12 blocks.
func small(t testing.TB) *campaign.Job {
	t.Helper()
	s, _ := scenarios.Find("redlock/any")
	j := &campaign.Job{Kind: "test", Scenario: &s, First: 5, Runs: 17, Size: 3,
		Cells: []campaign.Cell{{{Key: "nodes", Value: "3"}}, {{Key: "clients", Value: "2"}, {Key: "nodes", Value: "5"}}}}
	if err := j.Check(); err != nil {
		t.Fatal(err)
	}
	return j
}

// work does a job, and returns the rows that it was shown.
func work(t testing.TB, w archive.Work) (rows []campaign.Row, err error) {
	t.Helper()
	if w.Job == nil {
		w.Job = small(t)
	}
	if w.Lockstorm == "" {
		w.Lockstorm = "1"
	}
	done := w.Done
	w.Done = func(block int, more []campaign.Row, made bool) (bool, error) {
		for _, r := range more {
			r.Figures = slices.Clone(r.Figures)
			rows = append(rows, r)
		}
		if done != nil {
			return done(block, more, made)
		}
		return true, nil
	}
	err = w.Do()
	return rows, err
}

// must is work that nothing goes wrong in.
func must(t testing.TB, w archive.Work) []campaign.Row {
	t.Helper()
	rows, err := work(t, w)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// content returns all files of a directory.
func content(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(text)
	}
	return all
}

// alone returns the archive of one process, and its rows.
func alone(t testing.TB) (dir string, rows []campaign.Row) {
	dir = filepath.Join(t.TempDir(), "alone")
	return dir, must(t, archive.Work{Dir: dir, Workers: 1})
}

func same(t testing.TB, dir, want string) {
	t.Helper()
	if !reflect.DeepEqual(content(t, dir), content(t, want)) {
		t.Errorf("%s and %s differ", dir, want)
	}
}

func TestArchiveDoesNotDependOnTheWorkers(t *testing.T) {
	want, rows := alone(t)
	if n := len(content(t, want)); n != 2+12 || len(rows) != 34 {
		t.Fatalf("%d files and %d rows", n, len(rows))
	}
	if got := must(t, archive.Work{Workers: 2}); !reflect.DeepEqual(got, rows) {
		t.Error("without a directory there are other rows")
	}
	two := t.TempDir()
	if got := must(t, archive.Work{Dir: two, Workers: 2, Resume: true}); !reflect.DeepEqual(got, rows) {
		t.Error("two workers make other rows")
	}
	same(t, two, want)
	a, err := archive.Open(want)
	if err != nil {
		t.Fatal(err)
	}
	var read []campaign.Row
	err = a.Each(func(_ int, rows []campaign.Row) error {
		for _, r := range rows {
			r.Figures = slices.Clone(r.Figures)
			read = append(read, r)
		}
		return nil
	})
	if err != nil || !reflect.DeepEqual(read, rows) || !reflect.DeepEqual(a.Job.Cells, small(t).Cells) {
		t.Errorf("what is read is not what was made: %v", err)
	}
}

// Resumed work makes what is missing, and shows all rows, so a count of the rows is complete.
func TestResumedWorkMakesWhatIsMissingAndShowsAll(t *testing.T) {
	want, rows := alone(t)
	for _, gone := range [][]int{{}, {0}, {11}, {0, 1, 5, 6, 11}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(want)); err != nil {
			t.Fatal(err)
		}
		for _, i := range gone {
			remove(t, dir, i)
		}
		write(t, filepath.Join(dir, ".writing-block-000001.jsonl.gz"), "half")
		var made []int
		got := must(t, archive.Work{Dir: dir, Resume: true, Workers: 2, Done: func(block int, _ []campaign.Row, now bool) (bool, error) {
			if now {
				made = append(made, block)
			}
			return true, nil
		}})
		if !slices.Equal(made, gone) || !reflect.DeepEqual(got, rows) {
			t.Errorf("%v were gone, and %v were made", gone, made)
		}
		same(t, dir, want)
	}
}

func remove(t *testing.T, dir string, block int) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, fmt.Sprintf("block-%06d.jsonl.gz", block))); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Stopped work finishes what is in hand and shows a beginning of the rows; what it shows is there, and the rest is made
// when it is resumed.
func TestStoppedWorkLosesNothing(t *testing.T) {
	want, rows := alone(t)
	step := 1
	if !long {
		step = 5
	}
	for _, workers := range []int{1, 3} {
		for at := 0; at < 12; at += step {
			dir, asked := t.TempDir(), 0
			got := must(t, archive.Work{Dir: dir, Workers: workers, Stop: func() bool { asked++; return asked > at }})
			if len(got) > len(rows) || !reflect.DeepEqual(got, rows[:len(got):len(got)]) && at > 0 {
				t.Errorf("stopped after %d blocks: it shows %d rows that are not the first", at, len(got))
			}
			if n := len(content(t, dir)); n != 2+at {
				t.Errorf("stopped after %d blocks: %d files", at, n)
			}
			if got := must(t, archive.Work{Dir: dir, Resume: true}); !reflect.DeepEqual(got, rows) {
				t.Error("resumed work shows other rows")
			}
			same(t, dir, want)
		}
	}
}

func TestWhenItIsEnoughNothingMoreIsShown(t *testing.T) {
	want, _ := alone(t)
	for _, dir := range []string{want, t.TempDir(), ""} {
		shown := 0
		must(t, archive.Work{Dir: dir, Resume: dir != "", Workers: 2, Done: func(int, []campaign.Row, bool) (bool, error) {
			shown++
			return shown < 3, nil
		}})
		if shown != 3 {
			t.Errorf("%q: %d blocks are shown", dir, shown)
		}
	}
}

func TestOtherWorkIsRefused(t *testing.T) {
	dir, _ := alone(t)
	if _, err := work(t, archive.Work{Dir: dir}); !errors.Is(err, archive.ErrExists) {
		t.Errorf("%v; want it to be said that there is one", err)
	}
	for want, change := range map[string]func(*archive.Work){
		"was made by build 1, and this is build 2":            func(w *archive.Work) { w.Lockstorm = "2" },
		"the kind of work is test there, and fuzz here":       func(w *archive.Work) { w.Job.Kind = "fuzz" },
		"the scenario is redlock/any there, and mine here":    func(w *archive.Work) { w.Job.Scenario.ID = "mine" },
		"the scenario's SHA-256 is ":                          func(w *archive.Work) { w.Job.Scenario.Lock.TTL += time.Second },
		"the number of cells is 2 there, and 1 here":          func(w *archive.Work) { w.Job.Cells = w.Job.Cells[:1] },
		"the settings is (nodes=3) (clients=2 nodes=5) there": func(w *archive.Work) { w.Job.Cells[0][0].Value = "4" },
		"the first seed is 5 there, and 6 here":               func(w *archive.Work) { w.Job.First++ },
		"the number of runs is 17 there, and 18 here":         func(w *archive.Work) { w.Job.Runs++ },
		"the size of a block is 3 there, and 4 here":          func(w *archive.Work) { w.Job.Size++ },
	} {
		w := archive.Work{Dir: dir, Resume: true, Job: small(t)}
		change(&w)
		if _, err := work(t, w); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

func TestADirectoryThatIsNoArchiveIsRefused(t *testing.T) {
	whole, _ := alone(t)
	for name, c := range map[string]struct{ file, old, new, want string }{
		"no JSON":         {"manifest.json", "{", "", "it is not a manifest"},
		"another schema":  {"manifest.json", `"schema_version": 1`, `"schema_version": 2`, "reads version 1"},
		"more in it":      {"manifest.json", `"kind"`, `"kin": 1, "kind"`, "unknown field"},
		"two of them":     {"manifest.json", "]\n}\n", "]\n}\n{}", "more than one value"},
		"other spaces":    {"manifest.json", "{\n  ", "{ ", "not as Lockstorm wrote it"},
		"no such figure":  {"manifest.json", `"held"`, `"hold"`, "makes other rows: the list of figures"},
		"no such setting": {"manifest.json", `"nodes=3"`, `"modes=3"`, "modes"},
		"runs below zero": {"manifest.json", `"runs": 17`, `"runs": -17`, "-17"},
		"edited scenario": {"scenario.yaml", "clients: ", "clients:  ", "it has been changed"},
	} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		text, file := content(t, dir)[c.file], filepath.Join(dir, c.file)
		if !strings.Contains(text, c.old) {
			t.Fatalf("%s: %q is not there", name, c.old)
		}
		write(t, file, strings.Replace(text, c.old, c.new, 1))
		var unsound *archive.Unsound
		if _, err := archive.Open(dir); err == nil || errors.As(err, &unsound) == (name == "no such figure") || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.file) {
			t.Errorf("%s: %v; want %s", name, err, c.want)
		}
		if _, err := work(t, archive.Work{Dir: dir, Resume: true}); err == nil {
			t.Errorf("%s: it is gone on with", name)
		}
	}
	if _, err := archive.Open(t.TempDir()); !errors.Is(err, archive.ErrNone) {
		t.Errorf("%v", err)
	}
}

// A limited disk has room for *left bytes.
type limited struct{ left *int }

func (d limited) Create(name string) (archive.File, error) {
	f, err := os.Create(name)
	return &scarce{f, d}, err
}

func (limited) Rename(from, to string) error { return os.Rename(from, to) }

type scarce struct {
	*os.File
	disk limited
}

func (f *scarce) Write(b []byte) (int, error) {
	n, err := f.File.Write(b[:min(len(b), *f.disk.left)])
	if *f.disk.left -= n; n < len(b) && err == nil {
		err = &fs.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
	}
	return n, err
}

func TestAFullDiskLosesNothingThatWasFinished(t *testing.T) {
	want, rows := alone(t)
	size := 0
	for _, text := range content(t, want) {
		size += len(text)
	}
	for left := 0; left < size; left += size/9 + 1 {
		dir, room := t.TempDir(), left
		_, err := work(t, archive.Work{Dir: dir, Workers: 2, Resume: true, Disk: limited{&room}})
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("room for %d of %d bytes: %v", left, size, err)
		}
		whole := content(t, want)
		for name, text := range content(t, dir) {
			if text != whole[name] {
				t.Errorf("room for %d of %d bytes: %s is not whole", left, size, name)
			}
		}
		if got := must(t, archive.Work{Dir: dir, Resume: true}); !reflect.DeepEqual(got, rows) {
			t.Error("resumed work shows other rows")
		}
		same(t, dir, want)
	}
}

// A watched disk records what is done to it.
type watched struct{ deeds *[]string }

func (d watched) Create(name string) (archive.File, error) {
	*d.deeds = append(*d.deeds, "create "+filepath.Base(name))
	f, err := os.Create(name)
	return seen{f, d}, err
}

func (d watched) Rename(from, to string) error {
	*d.deeds = append(*d.deeds, "rename "+filepath.Base(from)+" "+filepath.Base(to))
	return os.Rename(from, to)
}

type seen struct {
	*os.File
	disk watched
}

func (f seen) Sync() error {
	*f.disk.deeds = append(*f.disk.deeds, "sync "+filepath.Base(f.Name()))
	return f.File.Sync()
}

// A power failure may come at any time: what has its name must be whole on the disk, and the manifest comes last.
func TestAFileIsSyncedBeforeItHasItsName(t *testing.T) {
	var deeds []string
	dir := t.TempDir()
	must(t, archive.Work{Dir: dir, Resume: true, Workers: 1, Disk: watched{&deeds}})
	names := []string{"scenario.yaml", "manifest.json"}
	for i := range 12 {
		names = append(names, fmt.Sprintf("block-%06d.jsonl.gz", i))
	}
	var want []string
	for _, name := range names {
		other := ".writing-" + name
		want = append(want, "create "+other, "sync "+other, "rename "+other+" "+name)
	}
	if !slices.Equal(deeds, want) {
		t.Errorf("%q\nwant\n%q", deeds, want)
	}
}

func cut(t *testing.T, dir string, block int) {
	t.Helper()
	file := filepath.Join(dir, fmt.Sprintf("block-%06d.jsonl.gz", block))
	text := content(t, dir)[filepath.Base(file)]
	write(t, file, text[:len(text)-9])
}

func TestADamagedBlockIsMadeAgain(t *testing.T) {
	want, _ := alone(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(want)); err != nil {
		t.Fatal(err)
	}
	cut(t, dir, 3)
	cut(t, dir, 8)
	var d *archive.Damage
	if _, err := work(t, archive.Work{Dir: dir, Resume: true}); !errors.As(err, &d) || d.Block != 3 {
		t.Fatal(err)
	}
	for _, block := range []string{"block-000003.jsonl.gz", "block-000008.jsonl.gz"} {
		if err := os.Remove(filepath.Join(dir, block)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := work(t, archive.Work{Dir: dir, Resume: true}); err != nil {
		t.Fatal(err)
	}
	same(t, dir, want)
}

// Another version of Go, or gzip, may compress a block differently. Its rows still count.
func TestABlockThatAnotherProgramPackedIsRead(t *testing.T) {
	want, rows := alone(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(want)); err != nil {
		t.Fatal(err)
	}
	name := "block-000003.jsonl.gz"
	whole := content(t, dir)[name]
	unpacked, err := gzip.NewReader(strings.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Name = "block-000003.jsonl"
	_, err = w.Write(text)
	if err = errors.Join(err, w.Close()); err != nil || b.String() == whole {
		t.Fatalf("%v, or the same bytes", err)
	}
	write(t, filepath.Join(dir, name), b.String())
	if got := must(t, archive.Work{Dir: dir, Resume: true}); !reflect.DeepEqual(got, rows) {
		t.Error("it has other rows")
	}
}

// If a bit of a block is turned, a reader gets the right rows or hears which seeds are lost.
func TestATurnedBitIsNoticed(t *testing.T) {
	dir, _ := alone(t)
	want := must(t, archive.Work{Dir: dir, Resume: true})[9:12]
	a, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "block-000003.jsonl.gz")
	whole := []byte(content(t, dir)["block-000003.jsonl.gz"])
	for bit := 0; bit < 8*len(whole); bit += 97 {
		turned := slices.Clone(whole)
		turned[bit/8] ^= 1 << (bit % 8)
		if err := os.WriteFile(file, turned, 0o644); err != nil {
			t.Fatal(err)
		}
		var d *archive.Damage
		rows, err := a.Read(3)
		if err == nil && !reflect.DeepEqual(rows, want) || err != nil && (!errors.As(err, &d) || d.First != 14 || d.Last != 16) {
			t.Errorf("bit %d: %v", bit, err)
		}
	}
}

// Without its manifest the same work begins again, and no row is lost. Other work does not overwrite the rows.
func TestALostManifestIsWrittenAgain(t *testing.T) {
	want, _ := alone(t)
	for _, lost := range [][]string{{"manifest.json"}, {"manifest.json", "scenario.yaml"}} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(want)); err != nil {
			t.Fatal(err)
		}
		for _, name := range lost {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := work(t, archive.Work{Dir: dir}); !errors.Is(err, archive.ErrExists) {
			t.Errorf("%v; want it to be said that there are rows", err)
		}
		other := small(t)
		other.Runs++
		if _, err := work(t, archive.Work{Dir: dir, Resume: true, Job: other}); err == nil || !strings.Contains(err.Error(), "they do not belong to this work") {
			t.Errorf("%v; want other work to be refused", err)
		}
		must(t, archive.Work{Dir: dir, Resume: true, Done: func(block int, _ []campaign.Row, made bool) (bool, error) {
			if made {
				t.Errorf("block %d is made again", block)
			}
			return true, nil
		}})
		same(t, dir, want)
	}
}

// However long the work is, what it needs of memory stays what it was after a few blocks.
func TestMemoryIsFlat(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	j := &campaign.Job{Kind: "test", Scenario: &s, Cells: []campaign.Cell{nil}, First: 1, Runs: simtest.Times(1000, 4000), Size: simtest.Times(10, 40)}
	heap := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	early, late, dir := 0, 0, t.TempDir()
	work := archive.Work{Job: j, Dir: dir, Lockstorm: "1", Resume: true, Workers: 2, Done: func(block int, _ []campaign.Row, _ bool) (bool, error) {
		switch block % 100 {
		case 10:
			early = heap()
		case 99:
			late = heap()
		}
		return true, nil
	}}
	for _, how := range []string{"made", "read back"} {
		if err := work.Do(); err != nil {
			t.Fatal(err)
		}
		if grown := late - early; grown > 1<<18 {
			t.Errorf("%s: after 89 more blocks there are %d more bytes", how, grown)
		}
	}
}

// BenchmarkStoring compares making and storing rows with making them only, alternating, so that other load slows both
// alike. It uses the block size of a job of 200,000 runs.
func BenchmarkStoring(b *testing.B) {
	for _, id := range []string{"redlock/any", "kleppmann/gc-pause"} {
		b.Run(strings.ReplaceAll(id, "/", "-"), func(b *testing.B) {
			s, _ := scenarios.Find(id)
			size := archive.BlockSize(1, 200_000)
			j := &campaign.Job{Kind: "test", Scenario: &s, Cells: []campaign.Cell{nil}, First: 1, Runs: size * b.N, Size: size}
			a, err := archive.Create(b.TempDir(), j, "1", nil)
			if err != nil {
				b.Fatal(err)
			}
			var making, storing time.Duration
			from := time.Now()
			e := j.Engine(1)
			e.Done = func(block int, rows []campaign.Row) (bool, error) {
				made := time.Now()
				making += made.Sub(from)
				err := a.Write(block, rows)
				from = time.Now()
				storing += from.Sub(made)
				return true, err
			}
			if err := e.Run(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(storing)/float64(making)*100, "%-of-making")
			b.ReportMetric(float64(storing)/float64(b.N*size), "ns/row-stored")
		})
	}
}
