package archive

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// An Archive is a directory with the rows of a campaign, or with a part of them, in blocks. All files follow from the
// manifest: every process that makes a block writes the same file, byte for byte. Each is written whole or not at all.
// An Archive is for one goroutine at a time.
type Archive struct {
	Dir      string
	Manifest Manifest
	Job      *campaign.Job

	manifest []byte // its file
	hash     string // of that; each block names it, so that a block of other work is rejected
	scenario []byte // its file
	disk     Disk
	packer   *gzip.Writer
	opener   gzip.Reader
	most     int64 // bytes that a block may unpack to

	codec  rowCodec
	packed []byte
	text   []byte
}

// open returns the archive of a manifest. The directory doesn't have to exist yet. A nil Disk is the real one.
func open(dir string, m Manifest, j *campaign.Job, d Disk) *Archive {
	if d == nil {
		d = realDisk{}
	}
	packer, err := gzip.NewWriterLevel(nil, packedAt)
	if err != nil {
		panic("archive: " + err.Error()) // there is such a level
	}
	text := m.JSON()
	return &Archive{
		Dir: dir, Manifest: m, Job: j, manifest: text, hash: hashOf(text), scenario: j.Scenario.YAML(),
		disk: d, packer: packer, most: ownMost, codec: newRowCodec(&m),
	}
}

// Open returns the archive of a directory. It reads the manifest and the scenario, and no blocks.
func Open(dir string) (*Archive, error) {
	text, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	unsound := func(wrong error) error { return &Unsound{dir, ManifestFile, wrong} }
	m, err := parse(text)
	if err != nil {
		return nil, unsound(err)
	}
	if !bytes.Equal(m.JSON(), text) {
		return nil, unsound(errChanged)
	}
	s, err := m.readScenario(dir)
	if err != nil {
		return nil, err
	}
	j, err := m.Job(s)
	if err != nil {
		return nil, unsound(err)
	}
	now := describe(j, m.Lockstorm)
	if difference := m.differs(&now); difference != "" {
		return nil, fmt.Errorf("%s: this Lockstorm makes other rows: %s", filepath.Join(dir, ManifestFile), difference)
	}
	return open(dir, m, j, nil), nil
}

// blockFile is the name of a block's file.
func blockFile(i int) string { return fmt.Sprintf(blockName, i) }

const blockName = "block-%06d.jsonl.gz"

// blockPattern matches the names of blocks.
const blockPattern = "block-[0-9]*[0-9].jsonl.gz"

// Has reports whether a block is there.
func (a *Archive) Has(i int) bool {
	_, err := os.Lstat(filepath.Join(a.Dir, blockFile(i)))
	return err == nil
}

// A Damage is that a block's file is not what Lockstorm would have written.
type Damage struct {
	Dir, File   string
	Line        int // 0 where it is the file as a whole
	Wrong       error
	Block, Cell int
	First, Last uint64 // the seeds it held
}

// Error returns the file and the line, what is wrong, and which seeds it held.
func (d *Damage) Error() string {
	at := filepath.Join(d.Dir, d.File)
	if d.Line > 0 {
		at += fmt.Sprintf(":%d", d.Line)
	}
	return fmt.Sprintf("%s: %v; it held seeds %d to %d of cell %d", at, d.Wrong, d.First, d.Last, d.Cell)
}

// Unwrap returns what is wrong.
func (d *Damage) Unwrap() error { return d.Wrong }

func (a *Archive) damage(i, line int, err error) *Damage {
	cell, first, n := a.Job.Block(i)
	return &Damage{
		Dir: a.Dir, File: blockFile(i), Line: line, Wrong: err, Block: i, Cell: cell, First: first, Last: first + uint64(n) - 1,
	}
}

// Write keeps the rows of a block.
func (a *Archive) Write(i int, rows []campaign.Row) error {
	return a.put(blockFile(i), a.packRows(i, rows))
}

// packRows returns a block as its file holds it. It is valid until the next one.
func (a *Archive) packRows(i int, rows []campaign.Row) []byte {
	a.text = a.header(a.text[:0], i)
	for k := range rows {
		a.text = a.codec.append(a.text, &rows[k])
	}
	a.packed = a.pack(a.packed[:0], a.text)
	return a.packed
}

// header appends the first line of a block.
func (a *Archive) header(dst []byte, i int) []byte {
	cell, first, n := a.Job.Block(i)
	return fmt.Appendf(dst, `{"schema_version":%d,"manifest":"%s","block":%d,"cell":%d,"first_seed":%d,"rows":%d}`+"\n",
		schemaVersion, a.hash, i, cell, first, n)
}

// Read returns the rows of a block, valid until the next call. If the file is wrong the error is a Damage; if there is
// none, fs.ErrNotExist.
func (a *Archive) Read(i int) ([]campaign.Row, error) {
	packed, err := os.ReadFile(filepath.Join(a.Dir, blockFile(i)))
	if err != nil {
		return nil, err
	}
	return a.unpack(i, packed)
}

func (a *Archive) unpack(i int, packed []byte) (rows []campaign.Row, err error) {
	if a.text, err = a.unzip(a.text[:0], packed); err != nil {
		return nil, a.damage(i, 0, err)
	}
	header := a.header(nil, i)
	text, ok := bytes.CutPrefix(a.text, header)
	if !ok {
		line, _, _ := bytes.Cut(a.text, []byte("\n"))
		return nil, a.damage(i, 1, fmt.Errorf("the header is %q; want %q", short(string(line)), header[:len(header)-1]))
	}
	cell, first, n := a.Job.Block(i)
	rows, line, err := a.codec.read(text, cell, first, n)
	if err != nil {
		return nil, a.damage(i, line+1, err)
	}
	return rows, nil
}

// Missing returns the blocks that are not there, in order.
func (a *Archive) Missing() (blocks []int) {
	for i := range a.Job.Blocks() {
		if !a.Has(i) {
			blocks = append(blocks, i)
		}
	}
	return blocks
}

// Each calls show with all blocks that are there, in order. Rows are valid until show returns.
func (a *Archive) Each(show func(block int, rows []campaign.Row) error) error {
	for i := range a.Job.Blocks() {
		if !a.Has(i) {
			continue
		}
		rows, err := a.Read(i)
		if err == nil {
			err = show(i, rows)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
