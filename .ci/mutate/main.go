// Command mutate changes one place of a package at a time and runs the package's tests: a change that they let pass is
// something that they do not test. From the root of the module:
//
//	go -C .ci/mutate run . -seed 1 -sample 30 ./clock ./faults
//
// It negates conditions, swaps < and <=, > and >=, == and !=, && and ||, + and -, * and /, true and false, and drops
// statements. The tests run with -short and without those that compare golden files or hashes: these notice every
// change, and do not say what is wrong with it. No file is touched; go test is given the changed text as an overlay.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A change replaces the text between two offsets of a file.
type change struct {
	file     string
	from, to int
	text     string
	place    string // the line
	what     string // in words
}

// A count is the outcome of the changes of a package.
type count struct{ places, tried, invalid, killed, survived int }

func main() {
	root := flag.String("root", "../..", "the `folder` of the module that is tested")
	seed := flag.Uint64("seed", 1, "of the sample")
	sample := flag.Int("sample", 30, "changes to try in each package; 0 for all")
	limit := flag.Duration("timeout", time.Minute, "how long the tests may take; a change that makes them take longer is killed")
	skip := flag.String("skip", "Golden|SameBytes|Hash|Catalogue", "tests that are left out")
	only := flag.String("files", "*.go", "a `pattern`: only files whose names match it are changed")
	tests := flag.String("tests", "", "the `package` whose tests run, in place of those of the package that is changed")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	var rows []string
	for _, folder := range flag.Args() {
		all, err := changes(*root, folder, *only)
		if err != nil {
			fmt.Fprintln(os.Stderr, "mutate:", err)
			os.Exit(1)
		}
		if len(all) == 0 {
			fmt.Fprintf(os.Stderr, "mutate: there is nothing to change in %s of %s\n", *only, folder)
			os.Exit(1)
		}
		same := all[0]
		same.to, same.text = same.from, ""
		if try(*root, cmp.Or(*tests, folder), *skip, *limit, same) != "survived" {
			fmt.Fprintf(os.Stderr, "mutate: the tests of %s fail without any change, so that each would count as killed\n", folder)
			os.Exit(1)
		}
		c := count{places: len(all)}
		draw := rand.New(rand.NewPCG(*seed, 0))
		draw.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		if *sample > 0 {
			all = all[:min(*sample, len(all))]
		}
		for _, m := range all {
			c.add(m, try(*root, cmp.Or(*tests, folder), *skip, *limit, m))
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %d | %d | %d | %d | %d |", folder, c.places, c.tried, c.invalid, c.killed,
			c.survived))
		fmt.Println(rows[len(rows)-1])
	}
	fmt.Printf("\n| package | places | tried | do not compile | killed | survived |\n| --- | --- | --- | --- | --- | --- |\n%s\n",
		strings.Join(rows, "\n"))
}

// add counts a change, and prints it if it survived.
func (c *count) add(m change, outcome string) {
	c.tried++
	switch outcome {
	case "invalid":
		c.invalid++
	case "killed":
		c.killed++
	default:
		c.survived++
		fmt.Printf("%s: %s\n", m.place, m.what)
	}
}

// try runs the tests of a package with one change, in the package or in a package that it uses.
func try(root, folder, skip string, limit time.Duration, m change) (outcome string) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err.Error()
	}
	defer os.RemoveAll(dir)
	text, err := os.ReadFile(m.file)
	if err != nil {
		return err.Error()
	}
	changed := filepath.Join(dir, "changed.go")
	overlay := filepath.Join(dir, "overlay.json")
	list, _ := json.Marshal(map[string]any{"Replace": map[string]string{m.file: changed}})
	os.WriteFile(changed, append(append(bytes.Clone(text[:m.from]), m.text...), text[m.to:]...), 0o600)
	os.WriteFile(overlay, list, 0o600)
	test := exec.Command("go", "test", "-overlay", overlay, "-vet=off", "-short", "-failfast", "-count=1", "-timeout",
		limit.String(), "-skip", skip, folder)
	test.Dir = root
	out, err := test.CombinedOutput()
	switch {
	case err == nil:
		return "survived"
	case bytes.Contains(out, []byte("[build failed]")), bytes.Contains(out, []byte("[setup failed]")):
		return "invalid"
	}
	return "killed"
}

// swapped maps operators to their replacements.
var swapped = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR, token.EQL: token.NEQ,
	token.NEQ:  token.EQL,
	token.LAND: token.LOR, token.LOR: token.LAND, token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO,
	token.QUO: token.MUL,
}

// changes returns all changes of a package's files whose names match a pattern, file by file.
func changes(root, folder, only string) (all []change, err error) {
	files, err := filepath.Glob(filepath.Join(root, folder, only))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		if file, err = filepath.Abs(file); err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		s := source{set: set, file: file, text: string(text)}
		ast.Inspect(f, s.visit)
		all = append(all, s.all...)
	}
	return all, nil
}

// A source collects the changes of one file.
type source struct {
	set  *token.FileSet
	file string
	text string
	all  []change
}

func (s *source) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok != token.IMPORT
	case *ast.BinaryExpr:
		if to, ok := swapped[n.Op]; ok {
			s.change(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), to.String())
		}
	case *ast.IfStmt:
		s.change(n.Cond.Pos(), n.Cond.End(), "!("+s.between(n.Cond.Pos(), n.Cond.End())+")")
	case *ast.ExprStmt:
		s.change(n.Pos(), n.End(), "")
	case *ast.IncDecStmt:
		s.change(n.Pos(), n.End(), "")
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			s.change(n.Pos(), n.End(), "")
		}
	case *ast.Ident:
		if to, ok := map[string]string{"true": "false", "false": "true"}[n.Name]; ok {
			s.change(n.Pos(), n.End(), to)
		}
	}
	return true
}

func (s *source) offset(p token.Pos) int { return s.set.Position(p).Offset }

func (s *source) between(from, to token.Pos) string { return s.text[s.offset(from):s.offset(to)] }

func (s *source) change(from, to token.Pos, text string) {
	at := s.set.Position(from)
	line := strings.TrimSpace(strings.Split(s.text, "\n")[at.Line-1])
	what := fmt.Sprintf("%s to %s, in %s", s.between(from, to), text, line)
	if text == "" {
		what = "without " + s.between(from, to)
	}
	s.all = append(s.all, change{file: s.file, from: s.offset(from), to: s.offset(to), text: text, what: what,
		place: fmt.Sprintf("%s:%d", filepath.Base(s.file), at.Line)})
}
