package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/spf13/cobra"
)

// version is that of Lockstorm which this code is, or is on its way to be. It is what results name: they are held against
// new ones byte for byte, and a build that leaves the same may call itself what it likes.
const version = "0.1.0"

// module is this module's path.
const module = "github.com/lockstorm/lockstorm"

// build names the build, for work that is made by many processes and must not be made by two that differ: rows of the one
// may be other rows than those of the other. It is
//
//	0.2.0                                what go install …@v0.2.0 makes
//	0.0.0-20261121181614-0cfccdd3a509    what go build makes of a commit without changes, and go install …@main
//	0.1.0-dev+4b180a4ac167               all else: with changes, or where nobody stamped it, as go run and go test do
//
// The last part of the third is the SHA-256 of the executable. The same sources, built in the same way for the same kind of
// machine, give the same; go run and go build are two ways.
var build = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	return buildName(info, executableHash)
})

// The template of --version asks for the build only when it is to be shown, for it takes a moment to find.
func init() { cobra.AddTemplateFunc("build", func() string { return build() }) }

// buildName gives the name of a build. The module's version is what Go knows of it: a tag, or the time and revision of a
// commit, with +dirty where files were changed.
func buildName(info *debug.BuildInfo, hash func() string) string {
	if v := strings.TrimPrefix(moduleVersion(info), "v"); v != "" && v != "(devel)" && !strings.HasSuffix(v, "+dirty") {
		return v
	}
	return version + "-dev+" + hash()
}

// moduleVersion is the version of this module in a build, which may be that of another module's tool.
func moduleVersion(info *debug.BuildInfo) string {
	if info == nil {
		return ""
	}
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == module && m.Replace == nil {
			return m.Version
		}
	}
	return ""
}

// executableHash tells the file that is running from others. Where it can't be read, all are one.
func executableHash() string {
	name, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	f, err := os.Open(name)
	if err != nil {
		return "unknown"
	}
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "unknown"
	}
	return hex.EncodeToString(sum.Sum(nil)[:6])
}
