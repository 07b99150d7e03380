// Command skips reads what `go test -json` prints. It prints a line for each package, the output of tests that fail,
// and the skipped tests by reason. It fails where a test fails, or is skipped without a reason that is true on this
// machine; sim/simtest/need has the form of reasons. It writes the arguments with which go test runs again what the
// machine lacked something for:
//
//	go test -json ./... | skips FILE
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

var (
	stated  = regexp.MustCompile(`(NOT TRIED: .+: |LOCKSTORM_LONG=1 ).+`)
	program = regexp.MustCompile(`: there is no (\S+(?:, \S+)*) on the PATH`)
	// foreign are the words of package locktest about a scenario that proves nothing of a lock.
	foreign = regexp.MustCompile(`it is not for a lock of the kind|so the run proves nothing|no seed proves anything`)
	noise   = regexp.MustCompile(`^ *(===|---) `)
	// lasting are the reasons that no program cures, and whether each is true here.
	lasting = map[string]bool{
		"LOCKSTORM_LONG=1 ": os.Getenv("LOCKSTORM_LONG") != "1", ": root runs this test": os.Getuid() == 0,
		": LOCKSTORM_KNOSSOS does not name ": os.Getenv("LOCKSTORM_KNOSSOS") == "",
		": LOCKSTORM_TLC names no ":          os.Getenv("LOCKSTORM_TLC") == "",
		": this is " + runtime.GOOS + ",":    true, "NOT TRIED: it does nothing alone: ": true,
	}
)

// judge returns what is wrong with a reason, and whether the test may run on a machine that has more.
func judge(reason string) (wrong string, again bool) {
	if foreign.MatchString(reason) {
		return "", false
	}
	if !stated.MatchString(reason) {
		return "FAIL: skipped in other words than those of package need: ", false
	}
	for text, is := range lasting {
		if strings.Contains(reason, text) {
			return map[bool]string{false: "FAIL: skipped, and that is not so: "}[is], false
		}
	}
	if named := program.FindStringSubmatch(reason); named != nil {
		for name := range strings.SplitSeq(named[1], ", ") {
			if path, err := exec.LookPath(name); err == nil {
				return "FAIL: skipped, and there is " + path + ": ", true
			}
		}
	}
	return "", true
}

func main() {
	output, skips := map[[2]string][]string{}, map[string][]string{} // by package and test; by reason
	var packages, patterns []string
	failed := false
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var e struct{ Action, Package, Test, Output string }
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Println(lines.Text())
		}
		key := [2]string{e.Package, e.Test}
		switch {
		case e.Action == "output":
			output[key] = append(output[key], e.Output)
			failed = failed || strings.Contains(e.Output, "no tests to run")
			continue
		case e.Action == "build-output", e.Action == "pass" && e.Test == "":
			text := slices.DeleteFunc(output[key], func(line string) bool { return line == "PASS\n" })
			fmt.Print(e.Output, strings.Join(text, ""))
		case e.Action == "fail", e.Action == "build-fail": // of a package: the rest is of tests that have not ended
			failed = true
			for k, text := range output {
				if k == key || e.Test == "" && k[0] == e.Package {
					fmt.Print(strings.Join(text, ""))
				}
			}
		case e.Action == "skip" && e.Test != "":
			text := strings.Join(slices.DeleteFunc(output[key], noise.MatchString), "")
			reason := strings.Join(strings.Fields(text), " ")
			wrong, again := judge(reason)
			failed = failed || wrong != ""
			if at := stated.FindStringIndex(reason); at != nil {
				reason = reason[at[0]:]
			}
			skips[wrong+reason] = append(skips[wrong+reason], e.Package+" "+e.Test)
			if again {
				pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(e.Test), "/", "$/^") + "$"
				packages, patterns = append(packages, e.Package), append(patterns, pattern)
			}
		}
		delete(output, key)
	}
	for _, reason := range slices.Sorted(maps.Keys(skips)) {
		fmt.Printf("%s\n    %s\n", reason, strings.Join(skips[reason], "\n    "))
	}
	slices.Sort(packages)
	args := append([]string{"-run", strings.Join(patterns, "|")}, slices.Compact(packages)...)
	err := os.WriteFile(os.Args[1], []byte(strings.Join(args, "\n")+"\n"), 0o644)
	if err := errors.Join(err, lines.Err()); err != nil {
		fmt.Println("FAIL:", err)
		os.Exit(1)
	}
	if failed {
		os.Exit(1)
	}
}
