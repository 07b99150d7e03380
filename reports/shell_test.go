package reports_test

import (
	"os/exec"
	"testing"

	"github.com/lockstorm/lockstorm/reports/shell"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// A command that is printed can be pasted, and shows what is in it.
func TestInvisibleCharactersAreQuoted(t *testing.T) {
	for word, want := range map[string]string{
		"a.yaml": "a.yaml", "": "''", "it's": `'it'\''s'`, "a b": "'a b'", "\x1b[31m": `$'\x1b[31m'`, "\u202egnp": `$'\xe2\x80\xaegnp'`,
		"a\nb'\\": `$'a\x0ab\x27\x5c'`, "\xff": `$'\xff'`, "ü": "ü",
	} {
		if got := shell.Quote(word); got != want {
			t.Errorf("%q is quoted %s, want %s", word, got, want)
		}
		t.Run("in a shell", func(t *testing.T) {
			bash := need.Program(t, "no shell reads it", "bash")
			if printed, err := exec.Command(bash, "-c", "printf %s "+want).Output(); err != nil || string(printed) != word {
				t.Errorf("a shell reads %s as %q, want %q", want, printed, word)
			}
		})
	}
}

func TestRunCommandHasItsSettings(t *testing.T) {
	r := shell.Run{Program: "lockstorm", Named: "my file.yaml", Seed: 3, Set: []string{"lock.ttl=5s", "title=a b"}, NoSearch: true}
	want := "lockstorm run 'my file.yaml' --seed 3 --set lock.ttl=5s --set 'title=a b' --no-search"
	if got := r.String(); got != want {
		t.Errorf("the command is %s, want %s", got, want)
	}
}
