package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAStudyIsTheSameInOnePieceAndInShards makes the runs of a study at once, and in two shards that are merged.
func TestAStudyIsTheSameInOnePieceAndInShards(t *testing.T) {
	dir := t.TempDir()
	whole := mustRun(t, 0, "study", "steps", "--runs", "10", "-q", "--format", "csv")
	if !strings.Contains(whole, "no message is lost,nodes,10,10,0,1,") {
		t.Errorf("it prints\n%s", whole)
	}
	for _, shard := range []string{"0", "1"} {
		mustRun(t, 0, "study", "steps", "--runs", "10", "-q", "--store", filepath.Join(dir, shard), "--shard", shard+"/2")
	}
	out := filepath.Join(dir, "all")
	mustRun(t, 0, "merge", filepath.Join(dir, "0"), filepath.Join(dir, "1"), "--store", out)
	if merged := mustRun(t, 0, "study", "steps", "--runs", "10", "-q", "--format", "csv", "--store", out, "--resume"); merged != whole {
		t.Errorf("two shards make\n%s\nand all at once\n%s", merged, whole)
	}
}

// TestAStudyOfOnesOwnHasItsFigure begins with the file of another one, as its help says.
func TestAStudyOfOnesOwnHasItsFigure(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mine.yaml")
	text := strings.Replace(mustRun(t, 0, "study", "pause-map", "--show"), "runs: 100", "runs: 2", 1)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	page := mustRun(t, 0, "study", file, "-q", "--format", "html", "--figures", dir)
	if !strings.Contains(page, "<svg") || !strings.Contains(page, "pause [s]") {
		t.Error("the page has no figure")
	}
	for _, name := range []string{"mine.png", "mine.svg", "mine.pdf", "mine.csv"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestStudiesThatAreNoneAreRefused(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.yaml")
	if err := os.WriteFile(bad, []byte("title: x\nscenario: redlock/anyy\nx: {label: a, values: 1}\nlines: [{name: b}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"study puase", `there is no study "puase", and no such file; did you mean pause`},
		{"study pause --runs -1", "--runs: -1 is not positive"},
		{"study " + bad, "redlock/any"},
	} {
		if _, errs, code := lockstorm(strings.Fields(c.args)...); code != 254 || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit %d, %s; want %s", c.args, code, errs, c.want)
		}
	}
}
