package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUserStudyHasItsFigure starts from the file of another study, as its help suggests.
func TestUserStudyHasItsFigure(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mine.yaml")
	text := strings.Replace(mustRun(t, 0, "study", "pause-map", "--show"), "runs: 100", "runs: 2", 1)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	page := mustRun(t, 0, "study", file, "-q", "--format", "html", "--figures", dir)
	if !strings.Contains(page, "<svg") {
		t.Error("the page has no figure")
	}
	for _, name := range []string{"mine.png", "mine.svg", "mine.pdf", "mine.csv"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestSweepAsAStudyCountsTheSame makes a sweep, and the study that it prints: with the unit of an axis, words, and no
// other axis.
func TestSweepAsAStudyCountsTheSame(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sweep.yaml")
	for _, c := range []struct{ sweep, label string }{
		{"kleppmann/gc-pause --set work.work=1ms..10s --axis lock.ttl=5s,10s --axis pause.for=2s..12s:lin:3 --property storage", "pause.for [s]"},
		{"kleppmann/gc-pause --axis lock.contact=sequential,parallel --property belief", "lock.contact"},
		{"redlock/any --axis lock.ttl=1s,1500ms,3s --seed 7 --property validity", "lock.ttl [s]"},
	} {
		args := append([]string{"sweep"}, strings.Fields(c.sweep+" --runs 10 -q")...)
		text := mustRun(t, 0, append(args, "--as-study")...)
		if !strings.Contains(text, "label: "+c.label+"\n") {
			t.Errorf("%s: the study is\n%s", c.sweep, text)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		made, read := mustRun(t, 0, append(args, "--format", "csv")...), mustRun(t, 0, "study", file, "-q", "--format", "csv")
		if made != read || strings.Count(made, "\n") < 3 {
			t.Errorf("%s: it is\n%s\nand as a study\n%s", c.sweep, made, read)
		}
	}
	for set, want := range map[string]string{
		"--property belief --property storage": "",
		"--axis work.work=1ms..10s,2s..3s":     "",
		"--property belif":                     "--property: there is no promise or figure \"belif\"; did you mean belief?",
	} {
		args := strings.Fields("sweep kleppmann/gc-pause --axis lock.ttl=5s,10s --as-study " + set)
		if _, errs, code := lockstorm(args...); (code != 0) != (want != "") || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %s; want %s", set, code, errs, want)
		}
	}
}

// TestStudyOfThePageIsComplete makes the study that the page on studies shows, with few runs.
func TestStudyOfThePageIsComplete(t *testing.T) {
	page, err := os.ReadFile("../../../scenarios/campaign/study/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "This is a whole one:\n\n")
	text, _, _ = strings.Cut(text, "\n\n")
	file := filepath.Join(t.TempDir(), "page.yaml")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, "\n    ", "\n")[4:]), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := mustRun(t, 0, "study", file, "--runs", "2", "-q"); !strings.Contains(got, "pause ÷ TTL  TTL 2 s  TTL 10 s") {
		t.Errorf("it prints\n%s", got)
	}
}

func TestShellCompletesStudies(t *testing.T) {
	if got := mustRun(t, 0, "__complete", "study", ""); !strings.Contains(got, "pause-map\tAn update is lost") {
		t.Errorf("it offers\n%s", got)
	}
}

func TestInvalidStudiesAreRejected(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.yaml")
	if err := os.WriteFile(bad, []byte("title: x\nscenario: redlock/anyy\nx: {label: a, values: 1}\nlines: [{name: b}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"study puase", `there is no study "puase", and no such file; did you mean lease or pause`},
		{"study pause --runs -1", "--runs: -1 is not positive"},
		{"study " + bad, "redlock/any"},
	} {
		if _, errs, code := lockstorm(strings.Fields(c.args)...); code != 254 || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit %d, %s; want %s", c.args, code, errs, c.want)
		}
	}
}
