package explore_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

const (
	modelsFolder = "tla"
	printed      = "tla/tlc.txt" // what TLC printed
	compared     = "tla/compared.csv"
)

// promised is the promise that an invariant of the specifications is.
var promised = map[string]string{"OneHolder": "belief", "OneValid": "validity", "KeyKept": "quorum", "NoLostUpdate": "storage", "FencedUpdate": "fenced"}

// A model is a file of constants: one universe, for TLC and for an exploration.
type model struct {
	name, spec string
	constants  map[string]string
	invariants []string
	text       string
}

var (
	constant   = regexp.MustCompile(`(?m)^  (\w+) = (.+)$`)
	invariants = regexp.MustCompile(`(?m)^INVARIANTS (.+)$`)
)

func models(t *testing.T) (all []model) {
	t.Helper()
	files, err := filepath.Glob(modelsFolder + "/*.cfg")
	if err != nil || len(files) == 0 {
		t.Fatal("no models:", err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		m := model{name: strings.TrimSuffix(filepath.Base(f), ".cfg"), constants: map[string]string{}, text: string(text)}
		for _, spec := range []string{"Lease", "Redlock", "Fencing"} {
			if strings.HasPrefix(m.name, spec) {
				m.spec = spec
			}
		}
		for _, c := range constant.FindAllStringSubmatch(m.text, -1) {
			m.constants[c[1]] = c[2]
		}
		m.invariants = strings.Fields(invariants.FindStringSubmatch(m.text)[1])
		all = append(all, m)
	}
	return all
}

func (m *model) number(t *testing.T, name string) int {
	t.Helper()
	n, err := strconv.Atoi(m.constants[name])
	if err != nil {
		t.Fatalf("%s: %s is %q, and should be a number", m.name, name, m.constants[name])
	}
	return n
}

// ms returns the members of a set of ticks, as times.
func (m *model) ms(name string) (all []scenarios.Value) {
	for _, n := range strings.FieldsFunc(m.constants[name], func(r rune) bool { return strings.ContainsRune("{}, ", r) }) {
		all = append(all, scenarios.Value(n+"ms"))
	}
	return all
}

// universe returns the settings and bounds of redlock/small that make the universe of a model.
func (m *model) universe(t *testing.T) (set []string, x scenarios.Explore) {
	t.Helper()
	set = []string{
		"lock.ttl=" + m.constants["TTL"] + "ms", "lock.drift_constant=" + m.constants["Allowance"] + "ms",
		"lock.timeout=" + m.constants["Timeout"] + "ms", "lock.retry.min=" + m.constants["Retry"] + "ms", "lock.retry.max=" + m.constants["Retry"] + "ms",
	}
	var work int
	if m.spec == "Fencing" {
		work = m.number(t, "Busy")
		set = append(set, "work.storage_timeout="+m.constants["Patience"]+"ms", "fencing.reads_mark="+strings.ToLower(m.constants["ReadsMark"]))
	} else {
		work = m.number(t, "Work") - 4 // a read and a write take two ticks each
	}
	set = append(set, fmt.Sprintf("work.work=%dms..%dms", work, work))
	if m.spec != "Redlock" {
		set = append(set, "lock.kind=single", "nodes=1")
	}
	if m.constants["Wall"] == "TRUE" {
		set = append(set, "lock.clock=wall")
	}
	if m.constants["Disk"] == "TRUE" {
		set = append(set, "persistence=aof-always")
	}
	x = scenarios.Explore{Most: m.number(t, "Faults"), Deviations: m.number(t, "Messages"), Ticks: true}
	if x.Deviations > 0 {
		x.Late, x.Behind, x.Lost = m.ms("LateBy"), true, true
	}
	for name, form := range map[string]string{ // order: each model has faults of one kind
		"Pauses": "pause clients for %s", "Restarts": "restart nodes for %s",
		"ServerSteps": "jump nodes +%s", "ClientSteps": "jump clients -%s",
	} {
		for _, v := range m.ms(name) {
			x.Faults = append(x.Faults, scenarios.Value(fmt.Sprintf(form, v)))
		}
	}
	return set, x
}

// A finding is what TLC or an exploration says of a model: the fewest deviations that break each promise, and how many
// different states there are.
type finding struct {
	least  map[string]int // by promise; without those that hold
	states string
}

// explored explores the universe of a model.
func (m *model) explored(t *testing.T) finding {
	t.Helper()
	set, bounds := m.universe(t)
	names := []string{"continuity"} // it always holds here, so the exploration does not end at what breaks
	for _, i := range m.invariants {
		names = append(names, promised[i])
	}
	_, rep := explored(t, func(x *scenarios.Explore) { *x = bounds }, set, names...)
	f := finding{map[string]int{}, strconv.Itoa(rep.Extent().States)}
	for _, v := range rep.Verdicts {
		switch {
		case v.Verdict == checker.Violated:
			f.least[v.Property] = v.Level
		case v.Verdict != checker.Holds:
			t.Errorf("%s: %s is %s", m.name, v.Property, v.Verdict)
		}
	}
	return f
}

var (
	ran      = regexp.MustCompile(`(?m)^== (\w+), Messages = (\d+), Faults = (\d+): .*$`)
	violated = regexp.MustCompile(`Invariant (\w+) is violated`)
	distinct = regexp.MustCompile(`(\d+) distinct states found, 0 states left`)
	spoken   = regexp.MustCompile(`(?m)^(Error: .*violated.*|Model checking completed.*|\d+ states generated,.*|The depth.*)$`)
	version  = regexp.MustCompile(`(?m)^TLC2 Version.*$`)
)

// checked returns what TLC found of each model, from what it printed: first for the smallest bounds.
func checked(t *testing.T, text string) map[string]finding {
	t.Helper()
	all := map[string]finding{}
	at := append(ran.FindAllStringSubmatchIndex(text, -1), []int{len(text)})
	for i := range at[:len(at)-1] {
		run := text[at[i][0]:at[i+1][0]]
		head := ran.FindStringSubmatch(run)
		f, known := all[head[1]]
		if !known {
			f.least = map[string]int{}
		}
		if v := violated.FindStringSubmatch(run); v != nil {
			messages, _ := strconv.Atoi(head[2])
			faults, _ := strconv.Atoi(head[3])
			f.least[promised[v[1]]] = messages + faults
		}
		if d := distinct.FindStringSubmatch(run); d != nil {
			f.states = d[1]
		}
		all[head[1]] = f
	}
	return all
}

// classPath returns a class path with tlc2.TLC, if LOCKSTORM_TLC names one.
func classPath(t *testing.T) string {
	t.Helper()
	const untried = "TLC checks no specification"
	path := os.Getenv("LOCKSTORM_TLC")
	if path == "" {
		need.Possible(t, untried, errors.New("LOCKSTORM_TLC names no class path with tlc2.TLC: see tla/README.md"))
	}
	java := need.Program(t, untried, "java")
	if out, err := exec.Command(java, "-cp", path, "tlc2.TLC").CombinedOutput(); !version.Match(out) {
		t.Fatalf("LOCKSTORM_TLC is %s, and should be a class path with tlc2.TLC: %v", path, err)
	}
	return path
}

// tlc runs TLC on a specification with a model of this text, and returns what it printed.
func tlc(t *testing.T, classes, spec, model string) string {
	t.Helper()
	dir := t.TempDir()
	config := filepath.Join(dir, "model.cfg")
	if err := os.WriteFile(config, []byte(model), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("java", "-XX:+UseSerialGC", "-cp", classes, "tlc2.TLC", "-workers", "1", "-metadir", dir,
		"-noGenerateSpecTE", "-config", config, modelsFolder+"/"+spec+".tla").CombinedOutput()
	if !distinct.Match(out) && !violated.Match(out) {
		t.Fatalf("TLC on %s: %v\n%s\n%s", spec, err, model, out)
	}
	return string(out)
}

// check asks TLC about a model: within smaller bounds first, and without an invariant once it is violated. So the first
// bounds that violate one are the smallest, and the last run visits all states.
func (m *model) check(t *testing.T, classes string, b *strings.Builder) {
	t.Helper()
	messages, faults := m.number(t, "Messages"), m.number(t, "Faults")
	left := slices.Clone(m.invariants)
	for level := range messages + faults + 1 {
		for f := range min(level, faults) + 1 {
			for level-f <= messages {
				text := constant.ReplaceAllStringFunc(m.text, func(line string) string {
					switch name, _, _ := strings.Cut(strings.TrimSpace(line), " "); name {
					case "Messages":
						return fmt.Sprintf("  Messages = %d", level-f)
					case "Faults":
						return fmt.Sprintf("  Faults = %d", f)
					}
					return line
				})
				text = invariants.ReplaceAllString(text, strings.Repeat("INVARIANTS "+strings.Join(left, " "), min(1, len(left))))
				out := tlc(t, classes, m.spec, text)
				fmt.Fprintf(b, "\n== %s, Messages = %d, Faults = %d: %s\n", m.name, level-f, f, strings.Join(left, " "))
				for _, line := range spoken.FindAllString(out, -1) {
					fmt.Fprintln(b, line)
				}
				v := violated.FindStringSubmatch(out)
				if v == nil {
					break
				}
				left = slices.DeleteFunc(left, func(name string) bool { return name == v[1] })
			}
		}
	}
}

// hash returns the hash of all specifications and models.
func hash(t *testing.T) string {
	t.Helper()
	h := sha256.New()
	for _, pattern := range []string{"*.cfg", "*.tla"} {
		files, err := filepath.Glob(filepath.Join(modelsFolder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(h, "%s %d\n%s", filepath.Base(f), len(text), text)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// TLC, where there is one, prints what is in the file.
func TestTLCPrintsTheSame(t *testing.T) {
	classes := classPath(t)
	var b strings.Builder
	first := ""
	for _, m := range models(t) {
		m.check(t, classes, &b)
		if first == "" {
			first = version.FindString(tlc(t, classes, m.spec, m.text))
		}
	}
	text := fmt.Sprintf("%s\nspecifications and models: sha256 %s\n%s", first, hash(t), b.String())
	old, err := os.ReadFile(printed)
	if *update {
		err = os.WriteFile(printed, []byte(text), 0o600)
	} else if _, was, _ := strings.Cut(string(old), "\n"); !strings.HasSuffix(text, "\n"+was) {
		t.Errorf("%s is not current: run this test with -update, and look at it\n%s", printed, text)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// What TLC printed is about these files, and an exploration of each model finds the same.
func TestExplorerAgreesWithTLC(t *testing.T) {
	text, err := os.ReadFile(printed)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "sha256 "+hash(t)+"\n") {
		t.Fatalf("%s is about other specifications or models: run TestTLCPrintsTheSame with -update", printed)
	}
	found := checked(t, string(text))
	rows := [][]string{{"model", "promise", "deviations, TLC", "deviations, explore", "states, TLC", "states, explore"}}
	said := func(f *finding, promise string) string {
		if least, broken := f.least[promise]; broken {
			return strconv.Itoa(least)
		}
		return "holds"
	}
	for _, m := range models(t) {
		a, b := found[m.name], m.explored(t)
		for _, name := range m.invariants {
			p := promised[name]
			row := []string{m.name, p, said(&a, p), said(&b, p), a.states, b.states}
			rows = append(rows, row)
			if row[2] != row[3] {
				t.Errorf("%s: %s: TLC says %s, and the exploration %s", m.name, p, row[2], row[3])
			}
		}
	}
	inCSV(t, compared, rows)
}
