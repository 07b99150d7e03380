package lockstorm_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// script runs a script of the repository with bash, in a directory of its own.
func script(t *testing.T, environment []string, args ...string) (string, error) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the scripts are run on Linux and macOS")
	}
	c := exec.Command("bash", args...)
	c.Dir, c.Env = t.TempDir(), append(os.Environ(), environment...)
	out, err := c.CombinedOutput()
	return string(out), err
}

func absolute(t *testing.T, file string) string {
	t.Helper()
	name, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// A release has the version that the program tells: a tag of another one is refused before anything is built.
func TestAReleaseIsOfTheVersionThatTheCodeTells(t *testing.T) {
	for version, want := range map[string]string{"": "give the version", "1.2": "is not a version", "v1.2": "is not a version", "v99.0.0": "the tag is v99.0.0, and the code is to become v"} {
		args := []string{absolute(t, ".ci/release")}
		if version != "" {
			args = append(args, version)
		}
		if out, err := script(t, nil, args...); err == nil || !strings.Contains(out, want) {
			t.Errorf("%q: %v; it does not say %q: %s", version, err, want, out)
		}
	}
}

// The action hands on what its inputs say, and nothing in them is carried out by the shell.
func TestTheActionRunsTheSuiteThatItsInputsName(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nfor word in \"$@\"; do echo \"[$word]\"; done\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	run := absolute(t, ".github/actions/lockstorm/run.sh")
	out, err := script(t, []string{"LOCKSTORM=" + program, "LOCKSTORM_SCENARIOS=kleppmann\n\nmy locks.yaml\n$(touch x)", "LOCKSTORM_RUNS=7"}, run)
	want := "[test]\n[--runs]\n[7]\n[--junit]\n[lockstorm.xml]\n[--store]\n[lockstorm-store]\n[--]\n[kleppmann]\n[my locks.yaml]\n[$(touch x)]\n"
	if out != want || err == nil {
		t.Errorf("%v:\n%swant exit code 1 and\n%s", err, out, want)
	}
	if out, _ := script(t, []string{"LOCKSTORM=" + program}, run); !strings.HasSuffix(out, "[100]\n[--junit]\n[lockstorm.xml]\n[--store]\n[lockstorm-store]\n[--]\n") {
		t.Errorf("without inputs it runs\n%s", out)
	}
}

// What a workflow does is in scripts that can be tried by hand.
func TestWorkflowsCallTheScripts(t *testing.T) {
	for file, wants := range map[string][]string{
		".github/workflows/release.yml":        {`bash .ci/release "$GITHUB_REF_NAME"`, "file: .github/Dockerfile", "--verify-tag"},
		".github/actions/lockstorm/action.yml": {`bash "$GITHUB_ACTION_PATH/run.sh"`, "LOCKSTORM_SCENARIOS: ${{ inputs.scenarios }}"},
		".github/Dockerfile":                   {"distroless", "nonroot", "./cmd/lockstorm"},
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s lacks %s", file, want)
			}
		}
	}
}
