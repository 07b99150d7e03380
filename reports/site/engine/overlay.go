package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// stubs are packages of the standard library that a page does not call, reduced to the names that other packages use.
var stubs = map[string]string{
	"crypto/tls": `package tls

import (
	"errors"
	"net"
)

type Config struct{}

type Conn struct{ net.Conn }

var errNone = errors.New("there is no TLS in this build")

func Listen(network, laddr string, config *Config) (net.Listener, error) { return nil, errNone }

func Dial(network, addr string, config *Config) (*Conn, error) { return nil, errNone }
`,
	"html/template": `package template

import (
	"errors"
	"html"
	"io"
)

type (
	HTML     string
	CSS      string
	JS       string
	Template struct{}
)

func HTMLEscapeString(s string) string { return html.EscapeString(s) }

func New(string) *Template { return nil }

func Must(t *Template, err error) *Template { return t }

func (*Template) Parse(string) (*Template, error) { return nil, nil }

func (*Template) Execute(io.Writer, any) error { return errors.New("there are no pages in this build") }
`,
}

// overlay writes the files that go build reads in place of the standard library's, and returns the name of the file
// that lists them.
func overlay(root, dir string) (name string, err error) {
	replace := map[string]string{}
	write := func(file, text string) error {
		below, _ := filepath.Rel(root, file)
		replace[file] = filepath.Join(dir, strings.ReplaceAll(filepath.ToSlash(below), "/", "-"))
		return os.WriteFile(replace[file], []byte(text), 0o644)
	}
	for pkg, text := range stubs {
		files, err := filepath.Glob(filepath.Join(root, "src", filepath.FromSlash(pkg), "*.go"))
		if err != nil || len(files) == 0 {
			return "", fmt.Errorf("there is no package %s in %s", pkg, root)
		}
		for _, file := range files {
			replace[file] = "" // there is no such file
		}
		if err := write(files[0], text); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name = filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, list, 0o644)
}
