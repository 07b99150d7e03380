package suites_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/suites"
)

// What was written is read as it was.
func TestSuiteRoundTrips(t *testing.T) {
	for _, s := range []suites.Suite{mixed(), killed()} {
		text := string(reports.JSON(s))
		read, err := suites.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(reports.JSON(read)); got != text {
			t.Errorf("it becomes\n%s", got)
		}
		if got, want := read.Document().Markdown(), s.Document().Markdown(); got != want {
			t.Errorf("its document is\n%s\nwant\n%s", got, want)
		}
	}
}

// A file that is no suite, or that lost or changed a verdict, is rejected with the place.
func TestInvalidSuiteFileIsRejectedWithItsPlace(t *testing.T) {
	mixed, killed := string(reports.JSON(mixed())), string(reports.JSON(killed()))
	changed := func(text, old, now string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("there is no %s in it", old)
		}
		return strings.Replace(text, old, now, 1)
	}
	for _, c := range []struct{ text, says string }{
		{"", "line 1, column 1: unexpected end"},
		{"{\n  \"seed\": x\n}", "line 2, column 11: invalid character 'x'"},
		{"[]", "it is a JSON array; want the object that lockstorm test --format json writes"},
		{"{}", "schema_version is 0, and this Lockstorm reads version 1"},
		{`{"schema_version": 2, "scenarios": 1}`, "scenarios is a JSON number"},
		{`{"schema_version": 1, "verdict": "pass"}`, "it has neither scenarios nor mutants"},
		{changed(mixed, `"schema_version": 1`, `"schema_version": 2`), "schema_version is 2"},
		{changed(mixed, `"verdict": "fail"`, `"verdict": "pass"`), "verdict is pass, and that of all together is fail"},
		{changed(mixed, `"verdict": "unknown"`, `"verdict": "pass"`), "scenarios[2]: verdict is pass, and the counts give unknown"},
		{changed(mixed, `"verdict": "unknown"`, `"verdict": "good"`), `scenarios[2]: there is no verdict "good"`},
		{changed(mixed, `"verdict": "unknown"`, `"was": "unknown"`), "scenarios[2]: verdict is pass"},
		{changed(mixed, `"pass": 17`, `"pass": 18`), "scenarios[1]: runs is 20, and pass, fail and unknown are 18, 2 and 1"},
		{changed(mixed, `"pass": 17`, `"pass": "17"`), "scenarios[1].pass is a JSON string"},
		{changed(killed, `"verdict": "pass"`, `"verdict": "fail"`), "mutants[0]: verdict is fail, and wrong has 0 sentences"},
		{changed(killed, `"mutant_caught": 19`, `"mutant_caught": 0`), "mutants[0]: verdict is pass, and of 20 runs"},
		{changed(killed, `"mutant_caught": 19`, `"mutant_caught": 21`), "mutants[0]: runs is 20, reference_survived 20 and mutant_caught 21"},
	} {
		if _, err := suites.Parse([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.60q: %v\nwant %s", c.text, err, c.says)
		}
	}
}
