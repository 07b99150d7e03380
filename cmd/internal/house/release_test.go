package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// script runs a script of the repository with bash, in its own directory.
func script(t *testing.T, environment []string, args ...string) (string, error) {
	t.Helper()
	need.System(t, "no script is run", "linux", "darwin")
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

// A release has the version that the program prints: a tag of another one is rejected before anything is built.
func TestReleaseTagMatchesTheVersionInCode(t *testing.T) {
	atRoot(t)
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

// A release packs both programs.
func TestReleasePacksBothPrograms(t *testing.T) {
	atRoot(t)
	need.Long(t)
	need.Program(t, "no release is packed", "tar")
	code, err := os.ReadFile("cmd/internal/cli/build.go")
	if err != nil {
		t.Fatal(err)
	}
	version := "v" + regexp.MustCompile(`(?m)^const Version = "(.*)"$`).FindStringSubmatch(string(code))[1]
	out, target := t.TempDir(), runtime.GOOS+"/"+runtime.GOARCH
	if said, err := script(t, []string{"OUT=" + out, "TARGETS=" + target, "GITHUB_REF_NAME="}, absolute(t, ".ci/release"), version); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	for _, program := range []string{"lockstorm", "lockstorm-full"} {
		folder := program + "-" + version + "-" + runtime.GOOS + "-" + runtime.GOARCH
		list, err := exec.Command("tar", "-tzf", filepath.Join(out, folder+".tar.gz")).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"LICENSE", "CHANGELOG.md", "README.md", program} {
			if !strings.Contains(string(list), "\n"+folder+"/"+name+"\n") {
				t.Errorf("%s lacks %s:\n%s", folder, name, list)
			}
		}
	}
}

// The action hands on what its inputs say, and nothing in them is carried out by the shell.
func TestActionRunsTheSuiteItsInputsName(t *testing.T) {
	atRoot(t)
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nfor word in \"$@\"; do echo \"[$word]\"; done\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	run := absolute(t, ".github/actions/lockstorm/run.sh")
	out, err := script(t, []string{"LOCKSTORM=" + program, "LOCKSTORM_SCENARIOS=kleppmann\n\nmy locks.yaml\n$(touch x)", "LOCKSTORM_RUNS=7"}, run)
	const files = "[--junit]\n[lockstorm.xml]\n[--store]\n[lockstorm-store]\n[--json]\n[lockstorm-store/suite.json]\n[--]\n"
	const site = "[report]\n[lockstorm-store]\n[--out]\n[lockstorm-site]\n"
	want := "[test]\n[--runs]\n[7]\n" + files + "[kleppmann]\n[my locks.yaml]\n[$(touch x)]\n" + site
	if out != want || err == nil {
		t.Errorf("%v:\n%swant exit code 1 and\n%s", err, out, want)
	}
	if out, _ := script(t, []string{"LOCKSTORM=" + program}, run); !strings.HasSuffix(out, "[100]\n"+files+site) {
		t.Errorf("without inputs it runs\n%s", out)
	}
}

// The steps of a workflow are in scripts that can be tried by hand.
func TestWorkflowsCallTheScripts(t *testing.T) {
	atRoot(t)
	for file, wants := range map[string][]string{
		".github/workflows/release.yml":        {`bash .ci/release "$GITHUB_REF_NAME"`, "file: .github/Dockerfile", "--verify-tag"},
		".github/workflows/site.yml":           {`bash .ci/publish "$RUNNER_TEMP/site" "$VERSION"`, "contents: write"},
		".github/actions/lockstorm/action.yml": {`bash "$GITHUB_ACTION_PATH/run.sh"`, "LOCKSTORM_SCENARIOS: ${{ inputs.scenarios }}"},
		".github/Dockerfile":                   {"distroless", "nonroot", "PROGRAM=lockstorm"},
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

// The folder of sites keeps each version that was ever published, says which there are, and leads to the newest
// release.
func TestSiteIsPublishedNextToEarlierVersions(t *testing.T) {
	atRoot(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	git := func(where string, args ...string) string {
		t.Helper()
		c := exec.Command("git", args...)
		c.Dir = where
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	git(dir, "init", "-q", "--bare", "origin")
	git(dir, "clone", "-q", "origin", "clone")
	git(at("clone"), "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "Begin")
	for _, version := range []string{"next", "v0.9.0", "v0.10.0-rc.1", "v0.10.0", "v0.10.1-rc.1", "v0.9.0"} {
		if err := os.MkdirAll(at("site"), 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"site.json": "{}", "index.html": version} {
			if err := os.WriteFile(filepath.Join(at("site"), name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		publish(t, at("clone"), absolute(t, ".ci/publish"), at("site"), version)
	}
	git(dir, "clone", "-q", "-b", "gh-pages", "origin", "published")
	for _, version := range []string{"next", "v0.9.0", "v0.10.0-rc.1", "v0.10.0", "v0.10.1-rc.1"} {
		if text := read(t, filepath.Join(at("published"), version, "index.html")); text != version {
			t.Errorf("%s is a site of %s", version, text)
		}
	}
	want := "{\n  \"newest\": \"v0.10.0\",\n  \"versions\": [\n    \"v0.10.1-rc.1\",\n    \"v0.10.0\",\n    \"v0.10.0-rc.1\",\n    \"v0.9.0\",\n    \"next\"\n  ]\n}\n"
	if text := read(t, filepath.Join(at("published"), "versions.json")); text != want {
		t.Errorf("the versions are %s", text)
	}
	if text := read(t, filepath.Join(at("published"), "index.html")); !strings.Contains(text, "<li><a href=\"v0.10.1-rc.1/index.html\">v0.10.1-rc.1</a>, a trial of a release</li>\n"+
		"<li><a href=\"v0.10.0/index.html\">v0.10.0</a>, the newest release</li>\n") {
		t.Errorf("it does not say which is the newest release: %s", text)
	}
	for version, says := range map[string]string{"../away": "is not a version", "v1": "is not a version"} {
		if out, err := script(t, nil, absolute(t, ".ci/site"), at("site"), version, at("sites")); err == nil || !strings.Contains(out, says) {
			t.Errorf("%s: %v: %s", version, err, out)
		}
	}
	if out, err := script(t, nil, absolute(t, ".ci/site"), dir, "v0.1.0", at("sites")); err == nil || !strings.Contains(out, "is not a site") {
		t.Errorf("a folder that is no site: %v: %s", err, out)
	}
}

// publish runs a script in a clone.
func publish(t *testing.T, clone string, args ...string) {
	t.Helper()
	need.System(t, "no script is run", "linux", "darwin")
	c := exec.Command("bash", args...)
	c.Dir = clone
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
