package arithmetic_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios/arithmetic"
)

// answers is a program: what it answers to each function, with its arguments.
func answers(to map[string]func(n []int) string) func(string) (string, error) {
	return func(question string) (string, error) {
		words := strings.Fields(question)
		f, ok := to[words[0]]
		if !ok {
			return "unknown", nil
		}
		var n []int
		for _, w := range words[1:] {
			var x int
			if _, err := fmt.Sscan(w, &x); err != nil {
				return "", err
			}
			n = append(n, x)
		}
		return f(n), nil
	}
}

func TestProgramIsAskedOnlyForItsFunctions(t *testing.T) {
	r, err := arithmetic.Asked(answers(map[string]func([]int) string{
		"quorum":   func(n []int) string { return fmt.Sprint((n[0] + 1) / 2) },
		"validity": func(n []int) string { return fmt.Sprintf("%d.25", n[0]-n[1]-n[0]/100-2) },
	}))
	if err != nil || r.Wins != nil || r.Sent != nil {
		t.Fatal(err, r)
	}
	found, err := arithmetic.Find(r, 1000, 1)
	if err != nil || len(found) != 1 || found[0].Law.Name != "quorums-meet" || found[0].Numbers.Nodes != 2 {
		t.Error(err, found)
	}
}

func TestSenselessAnswerIsAnErrorAndNoFlaw(t *testing.T) {
	asked := 0
	for _, c := range []struct {
		name, want string
		ask        func(string) (string, error)
	}{
		{"no function", "answers unknown to every question", answers(nil)},
		{"text", `"quorum 5": the program answers "many", and it should be a whole number`, answers(map[string]func([]int) string{
			"quorum": func([]int) string { return "many" }})},
		{"empty", `and it should be yes or no`, answers(map[string]func([]int) string{"wins": func([]int) string { return "" }})},
		{"ends at once", `"quorum 5": gone`, func(string) (string, error) { return "", errors.New("gone") }},
		{"ends later", "gone", func(q string) (string, error) {
			if asked++; asked > 20 {
				return "", errors.New("gone")
			}
			return answers(map[string]func([]int) string{"validity": func(n []int) string { return fmt.Sprint(n[0] / 2) }})(q)
		}},
	} {
		r, err := arithmetic.Asked(c.ask)
		if err == nil {
			var found []arithmetic.Flaw
			found, err = arithmetic.Find(r, 1000, 1)
			if found != nil {
				t.Errorf("%s: flaws %v", c.name, found)
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// Numbers too long for a machine are times too, such as those that Python has.
func TestHugeAnswerIsTheLongestTime(t *testing.T) {
	r, err := arithmetic.Asked(answers(map[string]func([]int) string{
		"validity": func(n []int) string { return "18446744073709551615000" }}))
	if err != nil {
		t.Fatal(err)
	}
	found, err := arithmetic.Find(r, 100, 1)
	if err != nil || len(found) == 0 || found[0].Law.Name != "validity-within-key" {
		t.Error(err, found)
	}
}
