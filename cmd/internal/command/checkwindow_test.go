package command

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

// judgedAs checks a history and returns the result, as text and as data.
func judgedAs(t *testing.T, want int, text, flags string) (string, checkJSON) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "history")
	write(t, name, text)
	args := append([]string{"check", name}, strings.Fields(flags)...)
	said := mustRun(t, want, args...)
	var c checkJSON
	if err := json.Unmarshal([]byte(mustRun(t, want, append(args, "--format", "json")...)), &c); err != nil {
		t.Fatal(err)
	}
	return said, c
}

// Each lock is judged alone, however its name is written, and the report names the broken one.
func TestBrokenLockIsNamed(t *testing.T) {
	for _, c := range []struct{ how, one, other, named string }{
		{"as :lock", `:lock "b"`, `:lock "a"`, "a"},
		{"as :key", `:key :b`, `:key :a`, "a"},
		{"in the value", `:value {:lock "b"}`, `:value {:lock "a"}`, "a"},
		{"as the key of the value", `:value {:key "b" :fence 3}`, `:value {:key "a" :fence 4}`, "a"},
		{"in a tuple", `:value [1 nil]`, `:value [22 nil]`, "22"},
		{"in a tuple with more in it", `:value ["b" {:fence 3}]`, `:value ["a" {:fence 4}]`, "a"},
		{"as the value", `:value "b"`, `:value "a"`, "a"},
	} {
		text := "{:process 0 :type :invoke :f :acquire " + c.one + "}\n{:process 1 :type :invoke :f :acquire " + c.other + "}\n" +
			"{:process 0 :type :ok :f :acquire " + c.one + "}\n{:process 1 :type :ok :f :acquire " + c.other + "}\n" +
			"{:process 2 :type :invoke :f :acquire " + c.other + "}\n"
		if _, ok := judgedAs(t, cli.AsExpected, text, "--value lock"); ok.Models[0].Lock != "" {
			t.Errorf("%s: the lock %q is named, and nothing is wrong", c.how, ok.Models[0].Lock)
		}
		text += "{:process 2 :type :ok :f :acquire " + c.other + "}\n"
		said, data := judgedAs(t, cli.NotAsExpected, text, "--value lock")
		m := data.Models[0]
		if m.Lock != c.named || !strings.HasPrefix(m.Reason, fmt.Sprintf("Of lock %q: two holders at once", c.named)) || len(m.Window) != 4 {
			t.Errorf("%s: %+v", c.how, m)
		}
		if !strings.Contains(said, fmt.Sprintf("Not a valid mutex. Of lock %q: two holders at once: process 1", c.named)) ||
			strings.Contains(said, "3:1 ") || !strings.Contains(said, "4:1 ") {
			t.Errorf("%s:\n%s", c.how, said)
		}
	}
}

// The excerpt has the fewest ops that show the violation, with their lines and indices from the file, whatever
// surrounds them.
func TestExcerptIsTheSmallestThatShowsTheViolation(t *testing.T) {
	var text strings.Builder
	index := 100
	op := func(process int, kind, f string) { // each token is the index, and so larger than those before
		value := "nil"
		if kind == "ok" && f == "acquire" {
			value = fmt.Sprintf("{:fence %d}", index)
		}
		fmt.Fprintf(&text, "{:index %d :process %d :type :%s :f :%s :value %s}\n", index, process, kind, f, value)
		index += 10
	}
	turn := func(process int) {
		for _, f := range []string{"acquire", "release"} {
			op(process, "invoke", f)
			op(process, "ok", f)
		}
	}
	for i := range 50 {
		turn(i % 3)
	}
	op(7, "invoke", "acquire") // line 201, index 2100
	op(8, "invoke", "acquire")
	op(7, "ok", "acquire")
	op(8, "ok", "acquire")
	op(7, "invoke", "release")
	op(7, "ok", "release")
	for i := range 50 {
		turn(i % 3)
	}
	for _, model := range []string{"mutex", "fenced-mutex", "reentrant-mutex", "plain-mutex"} {
		said, data := judgedAs(t, cli.NotAsExpected, text.String(), "--model "+model)
		window, err := json.Marshal(data.Models[0].Window)
		if err != nil || len(data.Models[0].Window) != 4 || !strings.Contains(string(window), `{"index":2100,`) || !*data.Models[0].Confirmed {
			t.Errorf("%s: %s %v", model, window, err)
		}
		for _, want := range []string{
			"  201:1        2100   7        invoke  acquire", "  204:1        2130   8        ok      acquire", "2120", "2130", "process 7", "process 8",
			"These 4 ops alone have no legal order (porcupine agrees):",
		} {
			if !strings.Contains(strings.ReplaceAll(said, "\n", " "), want) && !strings.Contains(said, want) {
				t.Errorf("%s: it does not say %q:\n%s", model, want, said)
			}
		}
	}
}

const twoAtOnce = "{:process 0 :type :invoke :f :acquire}{:process 0 :type :ok :f :acquire}" +
	"{:process 1 :type :invoke :f :acquire}{:process 1 :type :ok :f :acquire}"

// What a failed release means decides what a renewal after it shows.
func TestARenewalAfterAFailedRelease(t *testing.T) {
	const acquired, tried, renewed = "{:process 0 :type :invoke :f :acquire}{:process 0 :type :ok :f :acquire}",
		"{:process 0 :type :invoke :f :release}{:process 0 :type :fail :f :release}",
		"{:process 0 :type :invoke :f :renew}{:process 0 :type :ok :f :renew}"
	const unknown = "{:process 0 :type :invoke :f :acquire}{:process 0 :type :info :f :acquire}" +
		"{:process 2 :type :invoke :f :renew}{:process 2 :type :ok :f :renew}" +
		"{:process 2 :type :invoke :f :release}{:process 2 :type :fail :f :release}" +
		"{:process 1 :type :invoke :f :acquire}{:process 1 :type :ok :f :acquire}"
	for _, c := range []struct {
		text, flags string
		want        int
	}{
		{acquired + tried + renewed, "", cli.AsExpected},
		{acquired + tried + renewed, "--failed-release ends", cli.NotAsExpected},
		{acquired + renewed + tried, "--failed-release ends", cli.AsExpected},
		{acquired + acquired + tried + renewed, "--failed-release ends --model reentrant-mutex", cli.AsExpected},
		{acquired + tried + renewed, "--model lease", cli.NotAsExpected},
		{unknown, "--clients 2", cli.NotAsExpected},
		{unknown, "--clients 2 --failed-release ends", cli.AsExpected},
	} {
		name := filepath.Join(t.TempDir(), "history")
		write(t, name, c.text)
		if out, errs, code := lockstorm(append([]string{"check", name}, strings.Fields(c.flags)...)...); code != c.want {
			t.Errorf("%s\n%s: exit %d, want %d\n%s%s", c.text, c.flags, code, c.want, out, errs)
		}
	}
}
