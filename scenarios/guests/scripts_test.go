package guests_test

import (
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/sim/redis"
)

// homes are the modules whose scripts the nodes run natively.
var homes = map[string]string{
	"redsync": "github.com/go-redsync/redsync/v4", "redislock": "github.com/bsm/redislock", "rueidislock": "github.com/redis/rueidis",
	"asynq": "github.com/hibiken/asynq",
}

// A script that differs from the library's by one letter is another one: it would be interpreted, which takes several times as long.
func TestScriptsMatchLibraries(t *testing.T) {
	code := map[string]string{}
	for _, s := range redis.Scripts {
		name, _, of := strings.Cut(s.Name, ": ")
		if !of {
			continue
		}
		if code[name] == "" {
			code[name] = source(t, homes[name])
		}
		if !strings.Contains(code[name], "`"+s.Text+"`") {
			t.Errorf("%s: the library has no such script:\n%s", s.Name, s.Text)
		}
	}
	if len(code) != len(homes) {
		t.Errorf("scripts of %d libraries, want %d", len(code), len(homes))
	}
}

// source is all Go code of a module.
func source(t *testing.T, module string) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	files := os.DirFS(strings.TrimSpace(string(dir)))
	err = fs.WalkDir(files, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") {
			return err
		}
		text, err := fs.ReadFile(files, name)
		b.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
