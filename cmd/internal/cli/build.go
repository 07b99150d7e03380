package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
)

// Version is the version of this code, or its next one. Pages, results and documents state it, but not the build: they
// are compared byte for byte, and two builds that make the same result may have different names. Where a build matters,
// in --version and with work that builds must not share, Named adds it.
const Version = "0.1.0"

// Named returns the version of this program, and the name of its build where that is another: "0.1.0, build
// 0.1.0-dev+4b180a4ac167".
func Named() string {
	if Build() == Version {
		return Version
	}
	return Version + ", build " + Build()
}

// Module is this module's path.
const Module = "github.com/lockstorm/lockstorm"

// Sources returns the nearest folder at or above another that has the sources of this module; "" if there is none.
func Sources(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err == nil && strings.HasPrefix(string(text), "module "+Module+"\n") {
		return dir
	}
	if above := filepath.Dir(dir); above != dir {
		return Sources(above)
	}
	return ""
}

// Build names the build. Many processes may share long work, and must be the same build: another build may make other
// rows. The name is
//
//	0.2.0                                what go install …@v0.2.0 makes
//	0.0.0-20261121181614-0cfccdd3a509    what go build makes of a commit without changes, and go install …@main
//	0.1.0-dev+4b180a4ac167               everything else: a commit with changes, go run and go test
//
// The third ends in the SHA-256 of the executable. The same sources yield the same executable if they are built in the
// same way for the same kind of machine; go run and go build are two ways.
var Build = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	return buildName(info, executableHash)
})

// buildName returns the name of a build. The module's version is what Go recorded: a tag, or the time and revision of a
// commit, with +dirty where files were changed.
func buildName(info *debug.BuildInfo, hash func() string) string {
	if v := strings.TrimPrefix(moduleVersion(info), "v"); v != "" && v != "(devel)" && !strings.HasSuffix(v, "+dirty") {
		return v
	}
	return Version + "-dev+" + hash()
}

// moduleVersion returns this module's version in a build. The main module may be another, which has lockstorm as a
// tool.
func moduleVersion(info *debug.BuildInfo) string {
	if info == nil {
		return ""
	}
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == Module && m.Replace == nil {
			return m.Version
		}
	}
	return ""
}

// executableHash returns a hash of the running executable, or "unknown" if it can't be read.
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
