package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/site"
	"github.com/lockstorm/lockstorm/reports/site/engine"
	"github.com/lockstorm/lockstorm/reports/site/paper"
)

// play builds the simulator for the browser. If that fails it says why, and the site has no playground.
func play(s *site.Site, sources string, errs io.Writer) {
	built, err := engine.Build(engine.Source{Dir: sources, Named: cli.Version})
	if err != nil {
		fmt.Fprintf(errs, "%s: there is no playground on the site: %v\n", cli.Name, err)
		return
	}
	s.Engine, s.Support = built.Wasm, built.Support
}

// siteFile lists what the command wrote, so that it knows its sites, and can remove what a new one no longer has.
const siteFile = "site.json"

// A folder is the content of siteFile.
type folder struct {
	MadeBy string   `json:"made_by"`
	Files  []string `json:"files"`
}

const siteMaker = "lockstorm site"

// documents reads the pages of the repository, their pictures and the numbers of the pictures, and adds the reference
// of commands. It leaves out the site, wherever that is.
func documents(sources, site string, root *cobra.Command) (all []reports.File, err error) {
	names, err := paper.Sources(sources, site)
	shown := slices.IndexFunc(names, func(name string) bool { return name[0] > '.' })
	names = slices.Concat(names[max(shown, 0):], names[:max(shown, 0)]) // a search lists first what comes first
	for _, name := range names {
		folders, kind := strings.Split(name, "/"), path.Ext(name)
		picture := (kind == ".svg" || kind == ".csv") && !slices.Contains(folders, "internal")
		if kind != ".md" && !picture || slices.Contains(folders, "testdata") || folders[0] == ".github" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(sources, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		all = append(all, reports.File{Name: name, Content: text})
	}
	return append(all, commandPages(root)...), err
}

// commandPages returns a page that lists all commands, and a page with the help of each, as the smallest program prints
// it that has the command.
func commandPages(root *cobra.Command) []reports.File {
	rename := []string{cli.Name, "lockstorm"}
	for _, g := range groups() {
		for _, c := range g.Commands {
			rename = append([]string{cli.Name + " " + c.Name(), "lockstorm-full " + c.Name()}, rename...)
		}
	}
	named := strings.NewReplacer(rename...)
	list := "# Commands\n\nEach page has the help that a command prints.\n\n"
	var pages []reports.File
	for _, c := range append([]*cobra.Command{root}, shown(root)...) {
		var text bytes.Buffer
		out := c.OutOrStdout()
		c.SetOut(&text)
		c.InitDefaultHelpFlag()
		_ = c.Help() // a buffer takes everything
		c.SetOut(out)
		title := named.Replace(c.CommandPath())
		file := "commands/" + strings.Join(strings.Fields(title)[min(1, len(strings.Fields(title))-1):], "-") + ".md"
		list += "- [`" + title + "`](" + file + "): " + c.Short + "\n"
		pages = append(pages, reports.File{Name: "reference/" + file, Content: []byte("# " + title + "\n\n" + c.Short +
			".\n\n```text\n" + strings.TrimSpace(named.Replace(text.String())) + "\n```\n")})
	}
	return append(pages, reports.File{Name: "reference/commands.md", Content: []byte(list)})
}

// siteAt returns the site in a directory, which is empty if there is no site. It rejects a directory with other files.
func siteAt(dir string, force bool) (old folder, err error) {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return old, nil
	case err != nil:
		if about, missing := os.Stat(dir); missing == nil && !about.IsDir() {
			return old, fmt.Errorf("%s is a file; name a directory, which is created if needed", dir)
		}
		return old, unwritable(dir, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, siteFile))
	if err == nil && json.Unmarshal(text, &old) == nil && old.MadeBy == siteMaker {
		return old, nil
	}
	if len(entries) > 0 && !force {
		return folder{}, fmt.Errorf("%s holds more than a site; name an empty directory, or add --force", dir)
	}
	return folder{}, nil
}

func unwritable(dir string, err error) error {
	if p, is := errors.AsType[*fs.PathError](err); is {
		err = p.Err
	}
	return fmt.Errorf("%s can't be written: %w; name another directory", dir, err)
}

// putSite writes the files of a site, each whole or not at all, and removes the files of the old site that the new one
// lacks. It writes the list of files first, so that a site that was cut short can be written again.
func putSite(dir string, old folder, files []reports.File) error {
	now := folder{MadeBy: siteMaker}
	for _, f := range files {
		now.Files = append(now.Files, f.Name)
	}
	known := folder{siteMaker, slices.Compact(slices.Sorted(slices.Values(slices.Concat(old.Files, now.Files))))}
	err := store.WriteAll(dir, append([]reports.File{known.file()}, files...))
	if err == nil {
		err = drop(dir, old, now)
	}
	if err == nil {
		err = store.WriteAll(dir, []reports.File{now.file()})
	}
	if err != nil {
		return fmt.Errorf("%w; the site is incomplete; fix that and repeat the command", unwritable(dir, err))
	}
	return nil
}

func (f folder) file() reports.File { return reports.File{Name: siteFile, Content: reports.JSON(f)} }

// drop removes the files of the old site that the new one lacks. Any user may have written the old list, so it removes
// no directory, and nothing outside dir.
func drop(dir string, old, now folder) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for _, name := range old.Files {
		_, kept := slices.BinarySearch(now.Files, name)
		name = filepath.FromSlash(name)
		if about, err := root.Lstat(name); kept || err != nil || !about.Mode().IsRegular() {
			continue
		}
		if err := root.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// summaryOf says how large a site is, and where it begins.
func summaryOf(dir string, files []reports.File) string {
	pages, bytes := 0, 0
	for _, f := range files {
		bytes += len(f.Content)
		if strings.HasSuffix(f.Name, ".html") {
			pages++
		}
	}
	return fmt.Sprintf("%d pages, %d files, %.1f MB\n%s\n", pages, len(files), float64(bytes)/1e6, filepath.Join(dir,
		"index.html"))
}

// shown returns the commands and topics that the help lists, each with those below it.
func shown(parent *cobra.Command) (all []*cobra.Command) {
	for _, c := range parent.Commands() {
		if !c.Hidden && c.Name() != "help" {
			all = append(append(all, c), shown(c)...)
		}
	}
	return all
}
