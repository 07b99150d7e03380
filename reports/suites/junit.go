package suites

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// The elements of a JUnit report, as Jenkins, GitLab and GitHub's actions read them.
type (
	junitSuites struct {
		XMLName  xml.Name `xml:"testsuites"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Time     string   `xml:"time,attr"`
		Suite    junitSuite
	}
	junitSuite struct {
		XMLName  xml.Name `xml:"testsuite"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Skipped  int      `xml:"skipped,attr"`
		Time     string   `xml:"time,attr"`
		Cases    []junitCase
	}
	junitCase struct {
		XMLName xml.Name    `xml:"testcase"`
		Class   string      `xml:"classname,attr"`
		Name    string      `xml:"name,attr"`
		File    string      `xml:"file,attr,omitempty"`
		Time    string      `xml:"time,attr"`
		Views   *junitViews `xml:"properties"`
		Failure *junitIssue `xml:"failure"`
		Error   *junitIssue `xml:"error"`
		Skip    *junitIssue `xml:"skipped"`
		Out     string      `xml:"system-out,omitempty"`
	}
	junitViews struct {
		All []junitView `xml:"property"`
	}
	junitView struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitIssue struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Body    string `xml:",chardata"`
	}
)

// JUnit returns a suite of that name as JUnit XML, with a case for each scenario, mutant or model. An unknown verdict
// is an error, not a skip, because a pipeline must not accept it. The story of a run that was not as expected is the
// case's output. Its properties are the verdicts of a linearizability checker, and which promises were not tested. took
// has the time of each, or is nil. Skipped scenarios are skipped cases.
func JUnit(name string, entries []Entry, took []time.Duration, skipped ...Skipped) []byte {
	x := junitSuite{Name: name, Tests: len(entries) + len(skipped), Skipped: len(skipped)}
	var total time.Duration
	for i, e := range entries {
		c := junitCase{Class: e.Class, Name: e.Name, File: e.File, Time: seconds(0)}
		if i < len(took) {
			c.Time = seconds(took[i])
			total += took[i]
		}
		if len(e.Seen)+len(e.Untested) > 0 {
			c.Views = &junitViews{}
		}
		for k := range e.Seen {
			c.Views.All = append(c.Views.All, junitView{e.Seen[k].Name(), words(&e.Seen[k])})
		}
		if len(e.Untested) > 0 {
			c.Views.All = append(c.Views.All, junitView{checker.Untested, strings.Join(e.Untested, ", ")})
		}
		switch e.Verdict {
		case scenarios.Pass:
		case scenarios.Fail:
			x.Failures++
			c.Failure = issue(&e, "not-as-expected")
		default:
			x.Errors++
			c.Error = issue(&e, "unknown")
		}
		c.Out = e.Story
		x.Cases = append(x.Cases, c)
	}
	for _, k := range skipped {
		source, name, _ := strings.Cut(k.Scenario, "/")
		skip := junitIssue{Message: k.Why, Type: "skipped"}
		x.Cases = append(x.Cases, junitCase{Class: source, Name: name, File: k.File, Time: seconds(0), Skip: &skip})
	}
	x.Time = seconds(total)
	all := junitSuites{
		Name: "lockstorm", Tests: x.Tests, Failures: x.Failures, Errors: x.Errors, Time: x.Time, Suite: x,
	}
	b, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		panic("reports: " + err.Error()) // these types always marshal
	}
	b = bytes.ReplaceAll(b, []byte("&#xA;"), []byte("\n")) // for readers of the file
	return append([]byte(xml.Header), append(b, '\n')...)
}

// issue returns a failure or an error. Its body also has the command that shows it.
func issue(e *Entry, kind string) *junitIssue {
	return &junitIssue{
		Message: strings.Join(e.Wrong, "; "), Type: kind,
		Body: "\n" + strings.Join(e.Wrong, ".\n") + ".\nSee it: " + e.Command + "\n",
	}
}

// words returns in how many runs a view had each verdict; of one run, its verdict.
func words(v *campaign.View) string {
	if v.Runs == 1 {
		return v.Verdict().String()
	}
	var parts []string
	for _, verdict := range []checker.Verdict{checker.Violated, checker.Unknown, checker.Holds} {
		if n := v.With(verdict); n > 0 {
			parts = append(parts, fmt.Sprintf("%s in %d", verdict, n))
		}
	}
	return wording.List(parts) + " of " + wording.Count(v.Runs, "run", "runs")
}

func seconds(d time.Duration) string {
	ms := d.Round(time.Millisecond).Milliseconds()
	return fmt.Sprintf("%d.%03d", ms/1000, ms%1000)
}
