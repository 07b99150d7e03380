package cli

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestBuildNameComesFromItsModuleVersion(t *testing.T) {
	own := func(version string) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Path: Module, Version: version}}
	}
	tool := own("v9.9.9") // of a module that has this one for a tool
	tool.Main.Path = "example.com/other"
	tool.Deps = []*debug.Module{{Path: "example.com/third", Version: "v8.8.8"}, {Path: Module, Version: "v0.3.0"}}
	replaced := own("v9.9.9")
	replaced.Main.Path = "example.com/other"
	replaced.Deps = []*debug.Module{{Path: Module, Version: "v0.3.0", Replace: &debug.Module{Path: "../lockstorm"}}}
	for _, c := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{own("v0.2.0"), "0.2.0"},
		{own("v0.0.0-20261121181614-0cfccdd3a509"), "0.0.0-20261121181614-0cfccdd3a509"},
		{own("v0.0.0-20261121181614-0cfccdd3a509+dirty"), Version + "-dev+abc"},
		{own("v0.2.0+dirty"), Version + "-dev+abc"},
		{own("(devel)"), Version + "-dev+abc"},
		{own(""), Version + "-dev+abc"},
		{nil, Version + "-dev+abc"},
		{tool, "0.3.0"},
		{replaced, Version + "-dev+abc"},
	} {
		if got := buildName(c.info, func() string { return "abc" }); got != c.want {
			t.Errorf("%+v is %s; want %s", c.info, got, c.want)
		}
	}
}

// The hash is of the file, and the same each time.
func TestTheRunningFileHasAHash(t *testing.T) {
	if h := executableHash(); len(h) != 12 || h != executableHash() || strings.Trim(h, "0123456789abcdef") != "" {
		t.Error(h)
	}
}
