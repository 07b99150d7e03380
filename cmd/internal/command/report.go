package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/reports/stores"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

func newReport() *cobra.Command {
	var out, format string
	c := &cobra.Command{
		Use:   "report DIR",
		Short: "Draw a stored run, or the page of a store",
		Args:  cli.One("DIR", "such as store/latest"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("out") && out == "" {
				return fmt.Errorf("--out: the directory is missing; name one, or leave --out out to write into DIR")
			}
			dir, out := args[0], cmp.Or(out, args[0])
			if isArchive(dir) {
				return fmt.Errorf("%s has the rows of many runs. To see what they show, repeat the command that made "+
					"them, with --resume and, if you want a page, --format html; a study draws its figure with "+
					"--figures DIR", dir)
			}
			if _, err := os.Lstat(filepath.Join(dir, "result.json")); err != nil {
				return reportStore(c.OutOrStdout(), dir, out, format)
			}
			return redraw(c.OutOrStdout(), dir, out, format)
		},
	}
	c.Flags().StringVar(&out, "out", "", "write the files into `DIR`, created if needed")
	cli.FormatFlag(c.Flags(), &format)
	return c
}

// isArchive reports whether a directory holds the rows of a campaign, not a result.
func isArchive(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, archive.ManifestFile))
	return err == nil
}

// filesDocument returns the report on files that were written into a directory. Its text is another one.
func filesDocument(dir string, files []reports.File, text string) *reports.Document {
	t := cli.Table{Title: "The files of the report", Heads: []string{"file", "bytes"}, Numbers: true, Text: text}
	for _, f := range files {
		t.Rows = append(t.Rows, []string{filepath.Join(dir, f.Name), strconv.Itoa(len(f.Content))})
	}
	return t.Document()
}

func redraw(printed io.Writer, dir, out, format string) error {
	q, stored, err := store.Read(dir)
	if err != nil {
		return err
	}
	r, m := q.Run(q.Seed), q.Measured(q.Seed)
	if r.Hash() != stored.Hash {
		return store.Unlike(dir, stored)
	}
	files := runs.Pictures(r, m)
	if err := store.WriteAll(out, files); err != nil {
		return fmt.Errorf("the report can't be written: %w; choose another directory with --out DIR", err)
	}
	text := ""
	for _, f := range files {
		text += filepath.Join(out, f.Name) + "\n"
	}
	return cli.Write(printed, filesDocument(out, files, text), format, false)
}

// reportStore writes the page of a store. Into another directory it copies the pages to which that leads.
func reportStore(printed io.Writer, dir, out, format string) error {
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("%s is not a stored result: %w", dir, errors.Unwrap(err)) // without the path again
	}
	s, leads, err := stores.List(os.DirFS(dir), math.MaxInt)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if len(s.Suites)+len(s.Runs)+len(s.Campaigns) == 0 {
		return fmt.Errorf("%s is not a stored result, and has no run, campaign or suite below it", dir)
	}
	d := s.Document()
	files := []reports.File{{Name: "index.html", Content: []byte(d.HTML())}}
	if out != dir {
		for _, name := range leads {
			text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			if err != nil {
				return err
			}
			files = append(files, reports.File{Name: name, Content: text})
		}
	}
	page := filepath.Join(out, "index.html")
	there, err := os.ReadFile(page)
	if err == nil && !bytes.Contains(there, []byte("<title>"+d.Title+"</title>")) {
		return fmt.Errorf("%s exists and was not written by a report; move it away, or choose another directory with "+
			"--out DIR", page)
	}
	if err := store.WriteAll(out, files); err != nil {
		return fmt.Errorf("the page can't be written: %w; choose another directory with --out DIR", err)
	}
	return cli.Write(printed, filesDocument(out, files, d.Summary+"\n"+page+"\n"), format, false)
}
