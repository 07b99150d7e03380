package histories

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/suites"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A checked is the verdicts on a recorded history, as JSON.
type checked struct {
	SchemaVersion int             `json:"schema_version"`
	Verdict       checker.Verdict `json:"verdict"`         // the worst of those below
	Ops           int             `json:"ops"`             // of clients
	Notes         []string        `json:"notes,omitempty"` // the reading of unusual parts of the history
	Models        []modelChecked  `json:"models"`
}

// A modelChecked is the verdict under one model.
type modelChecked struct {
	Model     string            `json:"model"`
	Lock      string            `json:"lock,omitempty"` // the lock of the verdict, if the history names locks
	Verdict   checker.Verdict   `json:"verdict"`
	Reason    string            `json:"reason"`              // empty if it holds
	Window    []json.RawMessage `json:"window"`              // of a violation: ops of history.jsonl
	Confirmed *bool             `json:"confirmed,omitempty"` // of a violation: porcupine alone finds it too
}

// A Judged is the verdict of a model on a recording, with the smallest excerpt that shows a violation.
type Judged struct {
	blackbox.Result
	Excerpt blackbox.Excerpt
}

// describe returns the verdicts of the models on a recording as JSON data.
func describe(r *codec.Recording, results []Judged) checked {
	c := checked{SchemaVersion: checker.SchemaVersion, Verdict: Worst(results), Ops: len(r.History),
		Notes: notes(r, results), Models: []modelChecked{}}
	for _, result := range results {
		m := modelChecked{
			Model: result.Model, Lock: result.Lock, Verdict: result.Verdict,
			Reason: withOriginalIndices(r, result.Result), Window: []json.RawMessage{},
		}
		if result.Verdict == checker.Violated {
			m.Confirmed = &result.Excerpt.Confirmed
		}
		for _, i := range result.Excerpt.Ops {
			m.Window = append(m.Window, r.AppendOp(nil, i))
		}
		c.Models = append(c.Models, m)
	}
	return c
}

// Worst returns the worst verdict of several models.
func Worst(results []Judged) checker.Verdict {
	worst := checker.Holds
	for _, r := range results {
		worst = max(worst, r.Verdict)
	}
	return worst
}

// Entries returns the verdicts for a pipeline, one for each model. The command judges the file of that name, and lacks
// only the model.
func Entries(name, command string, r *codec.Recording, results []Judged) (all []suites.Entry) {
	for i, m := range describe(r, results).Models {
		e := suites.Entry{Title: m.Model + " of " + name, Class: name, Name: m.Model, File: name,
			Verdict: scenarios.Unknown, Command: command + " --model " + m.Model}
		if m.Reason != "" {
			e.Wrong = []string{strings.TrimSuffix(m.Reason, ".")}
		}
		view := campaign.View{Model: m.Model}
		view.Add(results[i].Verdict)
		e.Seen = []campaign.View{view}
		switch results[i].Verdict {
		case checker.Holds:
			e.Verdict = scenarios.Pass
		case checker.Violated:
			e.Verdict = scenarios.Fail
		}
		all = append(all, e)
	}
	return all
}

// The forms in which a reason names ops, such as "index 7" or "indices 7 and 9", and clients.
var (
	indices   = regexp.MustCompile(`\b(?:index|indices) \d+(?:(?:, | and )\d+)*`)
	processes = regexp.MustCompile(`\b(?:[Tt]he client of p|[Pp])rocess \d+`)
	numeral   = regexp.MustCompile(`\d+`)
)

// withOriginalIndices returns a reason with the indices of the recording, and the owners that it names. It keeps the
// name of the lock, which may look like an index.
func withOriginalIndices(r *codec.Recording, result blackbox.Result) string {
	lock := fmt.Sprintf("Of lock %q: ", result.Lock)
	reason, named := strings.CutPrefix(result.Reason, lock)
	if !named {
		lock = ""
	}
	reason = indices.ReplaceAllStringFunc(reason, func(s string) string {
		return numeral.ReplaceAllStringFunc(s, func(n string) string {
			i, err := strconv.Atoi(n)
			if err != nil || i >= len(r.History) {
				return n
			}
			return strconv.Itoa(r.Index(i))
		})
	})
	return lock + processes.ReplaceAllStringFunc(reason, func(s string) string {
		process, err := strconv.Atoi(numeral.FindString(s))
		if err != nil || len(r.Owners) == 0 {
			return s
		}
		who := r.Who(process)
		if s[0] == 'P' || s[0] == 'T' {
			return wording.Capital(who)
		}
		return who
	})
}

// Document reports the verdicts of the models on a recording of that name.
func Document(name string, r *codec.Recording, results []Judged) *reports.Document {
	d := &reports.Document{Title: "Verdicts on " + wording.Plain(name), Data: describe(r, results)}
	d.Rich(reports.Span{Text: name, Look: "code"}, reports.Span{Text: ": " + recorded(r)})
	for _, note := range notes(r, results) {
		d.Paragraph(note)
	}
	models := &reports.Table{Columns: reports.Columns("model", "verdict")}
	for _, result := range results {
		models.Rows = append(models.Rows, []reports.Cell{{Text: result.Model},
			{Text: result.Verdict.String(), Class: result.Verdict.String()}})
	}
	d.Table("", models)
	for _, result := range results {
		if result.Verdict == checker.Holds {
			continue
		}
		reason := withOriginalIndices(r, result.Result)
		says := reports.Span{Text: "Not a valid", Look: "bold"}
		if result.Verdict == checker.Unknown {
			says.Text = "Unknown for"
		}
		d.Rich(says, reports.Span{Text: " "}, reports.Span{Text: result.Model, Look: "code"}, reports.Span{Text: ". " + reason})
		if excerpt := minimal(r, result); excerpt != "" {
			d.Below(excerpt)
		}
	}
	return d
}

// fewLocks is how many names of locks a report lists.
const fewLocks = 8

func recorded(r *codec.Recording) string {
	seen, locks := map[string]bool{}, []string(nil)
	for i := range r.History {
		seen[process(r, i)] = true
		if name := r.History[i].Lock; name != "" && len(locks) <= fewLocks && !slices.Contains(locks, name) {
			locks = append(locks, name)
		}
	}
	for i := range locks {
		locks[i] = wording.Shorten(locks[i], 40)
	}
	text := wording.Count(len(r.History), "op", "ops") + " of " + wording.Count(len(seen), "process", "processes")
	if len(r.Owners) > 0 && !r.Named {
		text += " and " + wording.Count(len(r.Owners), "owner", "owners")
	}
	switch n := len(locks); {
	case n > fewLocks:
		text += fmt.Sprintf(", on more than %d locks: %s, ...", fewLocks, strings.Join(locks[:fewLocks], ", "))
	case n > 0:
		text += fmt.Sprintf(", on %s: %s", wording.Count(n, "lock", "locks"), strings.Join(locks, ", "))
	}
	if r.Skipped > 0 {
		text += "; " + wording.Count(r.Skipped, "op of no client was", "ops of no client were") + " skipped"
	}
	return text
}

// notes describes the reading of unusual parts of a recording.
func notes(r *codec.Recording, results []Judged) (all []string) {
	if r.Sorted {
		all = append(all, "The ops are ordered by index, not as in the file.")
	}
	if r.Falls > 0 {
		all = append(all, fmt.Sprintf(
			"Times go back in %s, first at %v, by up to %v. The ops are not ordered by time.",
			wording.Count(r.Falls, "place", "places"), r.Fell, r.FellBy))
	}
	if r.IDs {
		all = append(all,
			"Values that are strings number the operations and name no locks, as the returned uid shows.")
	}
	if r.Falses > 0 {
		all = append(all, fmt.Sprintf("%s false, and %s read as fail.",
			wording.Count(r.Falses, "ok returned", "oks returned"), wording.Either(r.Falses, "was", "were")))
	}
	if r.Nils > 0 && r.HasValues() {
		all = append(all, fmt.Sprintf("%s nil, and %s taken to show nothing.",
			wording.Count(r.Nils, "read returned", "reads returned"), wording.Either(r.Nils, "was", "were")))
	}
	fenced := func(j Judged) bool { return strings.HasSuffix(j.Model, "fenced-mutex") }
	if n := r.Tokenless; n > 0 && slices.ContainsFunc(results, fenced) {
		all = append(all, fmt.Sprintf("%s no fencing token, so %s not ordered by token.",
			wording.Count(n, "successful acquire returned", "successful acquires returned"),
			wording.Either(n, "it is", "they are")))
	}
	if len(r.Unread) > 0 {
		all = append(all, "Unknown keys were ignored: "+unread(r.Unread)+".")
	}
	if len(r.Owners) > 0 && !r.Named {
		all = append(all, "The holder of a lock is the owner or token that its ops name, whatever the process.")
	}
	return all
}

// unread lists unknown keys, each with a count.
func unread(keys []codec.Unread) string {
	var all []string
	for _, u := range keys {
		in := wording.Count(u.Times, "op", "ops")
		if u.InValue {
			in = wording.Count(u.Times, "value", "values")
		}
		all = append(all, fmt.Sprintf("%s (in %s, first at %v)", wording.Shorten(u.Key, 40), in, u.First))
	}
	return strings.Join(all, ", ")
}

// largestTable is how many ops a table lists. The window of a register begins with all its writes.
const largestTable = 60

// minimal describes the excerpt of a violation, with its table.
func minimal(r *codec.Recording, j Judged) string {
	x := &j.Excerpt
	if len(x.Ops) == 0 {
		return ""
	}
	says := fmt.Sprintf("These %d ops alone have no legal order", len(x.Ops))
	if !x.Minimal {
		says = fmt.Sprintf("These %d ops, perhaps not the fewest, have no legal order", len(x.Ops))
	}
	if x.Confirmed {
		says += " (porcupine agrees)"
	} else {
		says += " (porcupine could not confirm that within its limits)"
	}
	if len(x.Ops) <= largestTable {
		return reports.Screen{}.Wrap(says+":") + window(r, x.Ops)
	}
	return reports.Screen{}.Wrap(says+
		". They are too many to print here; --format json prints them. The last ops in conflict:") +
		window(r, j.Ops[max(0, len(j.Ops)-largestTable):])
}

// window returns the table of some ops, each with its place in the file.
func window(r *codec.Recording, ops []int) string {
	if len(ops) == 0 {
		return ""
	}
	t := &reports.Table{Columns: reports.Columns("line:column", "index", "process", "type", "f", "lock", "value")}
	if !slices.ContainsFunc(ops, func(i int) bool { return r.History[i].Lock != "" }) {
		t.Columns[5].Kind = "table"
	}
	for _, i := range ops {
		o := r.History[i]
		t.Add(r.Place(i).String(), strconv.Itoa(r.Index(i)), process(r, i), o.Type.String(), o.F.String(),
			wording.Shorten(o.Lock, 30), wording.Shorten(valueOf(r, o), 60))
	}
	return t.Text(reports.Screen{})
}

// process returns the number of the i-th op's process, or its name.
func process(r *codec.Recording, i int) string {
	if r.Named {
		return strings.TrimPrefix(r.Who(r.History[i].Process), "process ")
	}
	return r.ProcessName(i)
}

// valueOf describes the value of an op, and its error.
func valueOf(r *codec.Recording, o checker.Op) string {
	if r.HasValues() && (o.F == checker.Read || o.F == checker.Write || o.F == checker.CompareAndSet) {
		return dataOf(r, o)
	}
	var parts []string
	versioned := o.F == checker.Read && o.Type == checker.OK || o.F == checker.Write && o.Type <= checker.OK
	for _, n := range [...]struct {
		name  string
		value uint64
		shown bool // even as 0
	}{{"fence", o.Value.Fence, false}, {"plain", o.Value.Plain, versioned}, {"fenced", o.Value.Fenced, versioned}} {
		if n.value != 0 || n.shown {
			parts = append(parts, fmt.Sprintf("%s %d", n.name, n.value))
		}
	}
	if o.Value.Shared {
		parts = append(parts, "shared")
	}
	if o.Error != "" && o.Type != checker.Invoke { // an error is of what came back
		parts = append(parts, quoted(o.Error))
	}
	return strings.Join(parts, ", ")
}

// dataOf describes the values of an op on a register of values.
func dataOf(r *codec.Recording, o checker.Op) string {
	switch {
	case o.Type > checker.OK:
		return quoted(o.Error)
	case o.F == checker.Read && o.Type == checker.Invoke:
		return ""
	case o.F == checker.CompareAndSet && o.Type == checker.Invoke:
		return r.Values[o.Value.Expected] + " to " + r.Values[o.Value.Data]
	case o.F == checker.CompareAndSet || o.F == checker.Write && o.Type == checker.OK:
		return ""
	}
	return r.Values[o.Value.Data]
}

// quoted returns a text in quotes, and nothing for an empty one.
func quoted(text string) string {
	if text == "" {
		return ""
	}
	return strconv.Quote(text)
}

// Models lists the models with the requirements of each, for a screen.
func Models(s reports.Screen, all []blackbox.Model) string {
	t := &reports.Table{Bare: true,
		Columns: []reports.Column{{Head: "model"}, {Head: "requires", Kind: "prose"}}}
	for _, m := range all {
		t.Add(m.Name, m.Says)
	}
	return t.Text(s)
}
