package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A patch replaces texts of a file of the standard library. Each must be there exactly once, else the library is
// another than the patch was written for.
type patch struct {
	file  string
	pairs []string // old and new, by turns
}

var patches = []patch{
	{"time/time.go", []string{
		"func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n",
		"func Now() Time {\n\tsec, nsec, mono := lockstormReading(runtimeNow())\n",
	}},
	{"time/sleep.go", []string{
		"func Sleep(d Duration)\n", hooks,
		"\tt := runtimeNano() + int64(d)\n", "\tt := runtimeNano() + int64(lockstormTrue(d))\n",
		"func AfterFunc(d Duration, f func()) *Timer {\n", "func AfterFunc(d Duration, f func()) *Timer {\n\tf = lockstormOwned(f)\n",
	}},
	{"runtime/time.go", []string{"//go:linkname timeSleep time.Sleep\n", "//go:linkname timeSleep time.lockstormSleep\n"}},
}

// hooks are set by package guest, which learns of them from LockstormHooked.
const hooks = `func Sleep(d Duration) { lockstormSleep(lockstormTrue(d)) }

func lockstormSleep(d Duration)

//go:linkname lockstormHooked
var lockstormHooked = true

//go:linkname lockstormNano
var lockstormNano = runtimeNano

//go:linkname lockstormShift
var lockstormShift func() (wall, mono int64)

//go:linkname lockstormSpan
var lockstormSpan func(d int64) int64

//go:linkname lockstormOwn
var lockstormOwn func(f func()) func()

func lockstormReading(sec int64, nsec int32, mono int64) (int64, int32, int64) {
	if lockstormShift == nil || !runtimeIsBubbled() {
		return sec, nsec, mono
	}
	w, m := lockstormShift()
	w += int64(nsec)
	s := w / 1e9
	if w -= s * 1e9; w < 0 {
		s, w = s-1, w+1e9
	}
	return sec + s, int32(w), runtimeNano() + m // a bubble has no separate monotonic clock
}

func lockstormTrue(d Duration) Duration {
	if lockstormSpan == nil || d <= 0 || !runtimeIsBubbled() {
		return d
	}
	return Duration(lockstormSpan(int64(d)))
}

func lockstormOwned(f func()) func() {
	if lockstormOwn == nil || !runtimeIsBubbled() {
		return f
	}
	return lockstormOwn(f)
}
`

func main() {
	name, err := write()
	if err != nil {
		fmt.Fprintln(os.Stderr, "overlay:", err)
		os.Exit(1)
	}
	fmt.Println(name)
}

// write writes the copies, below the user's cache, by the version of Go.
func write() (name string, err error) {
	out, err := exec.Command("go", "env", "GOROOT", "GOVERSION", "GOMODCACHE").Output()
	if err != nil {
		return "", err
	}
	lines := append(strings.Split(strings.TrimSpace(string(out)), "\n"), "", "")
	root, version, modules := lines[0], lines[1], lines[2]
	if below, err := filepath.Rel(modules, root); err == nil && filepath.IsLocal(below) {
		return "", fmt.Errorf("this is %s in %s, which Go has fetched itself: no overlay may replace its files; install it",
			version, root)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "lockstorm", "overlay", version)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	replace := map[string]string{}
	for _, p := range patches {
		file := filepath.Join(root, "src", filepath.FromSlash(p.file))
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		s := string(text)
		for i := 0; i < len(p.pairs); i += 2 {
			if strings.Count(s, p.pairs[i]) != 1 {
				return "", fmt.Errorf("%s of %s has no line %q that could be changed; want Go 1.26", p.file, version, p.pairs[i])
			}
			s = strings.Replace(s, p.pairs[i], p.pairs[i+1], 1)
		}
		replace[file] = filepath.Join(dir, strings.ReplaceAll(p.file, "/", "-"))
		if err := os.WriteFile(replace[file], []byte(s), 0o644); err != nil {
			return "", err
		}
	}
	list, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "  ")
	if err != nil {
		return "", err
	}
	name = filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, list, 0o644)
}
