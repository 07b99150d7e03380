package scenarios_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/scenarios"
)

func TestSchemaAndDecoderAcceptTheCatalogue(t *testing.T) {
	schema := compiled(t)
	for _, id := range scenarios.IDs() {
		s, _ := scenarios.Find(id)
		for _, text := range [][]byte{fileOf(id), s.YAML(), s.Commented()} {
			if err := bySchema(t, schema, text); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
	}
}

func TestSchemaAndDecoderAcceptEveryWrittenFile(t *testing.T) {
	schema := compiled(t)
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		for _, text := range [][]byte{s.YAML(), s.Commented()} {
			again, err := scenarios.Parse("x.yaml", text)
			if err != nil || !reflect.DeepEqual(again, s) {
				t.Fatalf("it does not come back: %v\n%s\n%+v\n%+v", err, text, s, again)
			}
			if err := bySchema(t, schema, text); err != nil {
				t.Fatalf("the schema refuses it: %v\n%s", err, text)
			}
		}
	})
}

// deeper are the rules that Parse knows and no schema can express. If Parse finds only these, the schema may accept;
// otherwise both reject the file.
var deeper = regexp.MustCompile(`^(` + strings.Join([]string{
	`clocks\.\S*: no host is named`,                                                                                      // which depends on how many there are
	`clocks\.\S*: \S+ is out of range; give up to \+450000ppm`,                                                           // a rate is text
	`(schedule|fault\.\d+): `, `found .*; want (“at|one of|groups|the end of the line|an? (host|instant|duration|mark))`, // a separate text
	`\S+: \S+ is (not positive|negative)`, `\S+: \S+ is out of range; give up to a year$`, `bounds\.\d+\.formula: \S+ is a law for something else`, // times, which are text
	`\S+: min \S+ and max \S+ are not a range`, `horizon: \S+ is out of range`,
	`lock\.ttl: \S+ is not a whole number of milliseconds`, `lock\.timeout: \S+ is not less than lock\.ttl`,
	`lock\.quorum: \d+ votes are more than`, `lock\.\S+: an allowance of \S+ leaves nothing`, `fencing\.node: there is no node`, `fencing\.first: 0 is out of range`, // one value bounds another
	`fencing\.reads_mark: `, `sometimes: (there is a schedule, but a run|a run in which no client acquired)`,
	`mutants\.\d+\.set: `, `bounds\.\d+\.(from|to|setting): `, // values of settings, each with its own form
	`mutants\.\d+\.breaks\.\d+: \S+ already breaks`, `mutants\.\d+\.name: there are two mutants named`,
	`search\.(most|within|away|vary\.\d+): `,
	`nodes: (a master needs|\d+ servers can't|\d+ are too)`, `work\.readers: (lock\.kind|\d+ is more than the number)`, `storage\.(engine|idle): lock\.kind`, `lock\.(drift_constant|patience|renew\.every|failover\.wait_timeout|redisson\.wait|session\.(keep_alive|poll)): lock\.kind`,
	`fencing\.(source|atomic): `, `(replicas|raft): lock\.kind`, `(raft|replicas|lock\.failover|lock\.session|lock\.redisson)\.\w+: `,
	`\S+: \S+ is not on the grid of`, `\S+: (the wait|it) is drawn between`, `explore\.(deviations: (messages may change|unbounded allows)|most: there are no faults|(faults|once|late)\.\d+: |once: there are)`,
	`network\.latency: \S+ is not a multiple of network\.tick`, `network\.tick: \S+ is too short`,
	`the title has \d+ characters`, // once spaces are counted as one
}, "|") + `)`)

// Each document is one of the catalogue's with one thing changed, anywhere. A schema that rejects what Parse accepts is
// wrong. One that accepts what Parse rejects is wrong too, except for deeper rules.
func TestSchemaAndDecoderRejectTheSame(t *testing.T) {
	schema := compiled(t)
	refused, accepted := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s, _ := scenarios.Find(rapid.SampledFrom(scenarios.IDs()).Draw(t, "id"))
		before := fileOf(s.ID)
		if rapid.Bool().Draw(t, "whole") {
			before = s.YAML()
		}
		for range 5 {
			tree := decoded(t, before)
			edit(t, &tree)
			switch bySchema, err := judged(t, schema, encoded(t, tree)); {
			case err == nil:
				accepted++
			case bySchema != nil:
				refused++
			}
		}
	})
	t.Logf("%d were refused by both, and %d accepted", refused, accepted)
	if refused < 10 || accepted == 0 {
		t.Errorf("%d were refused by both, and %d accepted: that proves little", refused, accepted)
	}
}

// Chance seldom comes by some of the rules. The broken files have one each, where JSON can say what they say.
func TestSchemaAndDecoderRejectTheSameBrokenFiles(t *testing.T) {
	schema := compiled(t)
	seen, refused := 0, 0
	for _, f := range brokenFiles {
		var tree any
		if len(f.text) > 2000 || yaml.Unmarshal([]byte(f.text), &tree) != nil {
			continue
		}
		text, err := json.MarshalIndent(tree, "", " ")
		if err != nil {
			continue // it is no number
		}
		seen++
		if bySchema, _ := judged(t, schema, text); bySchema != nil {
			refused++
		}
	}
	t.Logf("%d of %d were refused by the schema", refused, seen)
	if refused < 50 {
		t.Errorf("only %d of %d were refused by the schema", refused, seen)
	}
}

// An option that is of no use to a lock may have its usual value, and no other.
func TestTheSchemaKnowsWhichLockHasAnOption(t *testing.T) {
	schema := compiled(t)
	for text, ok := range map[string]bool{
		"lock: {session: {check: key}}":                                       false,
		"lock: {session: {check: both}}":                                      true,
		"lock: {kind: redlock, session: {check: key}}":                        false,
		"lock: {kind: etcd, session: {check: key}}\nnodes: 3":                 true,
		"lock: {kind: etcd, quorum: 2}\nnodes: 3":                             false,
		"lock: {kind: redisson-red, quorum: 3}":                               true,
		"lock: {quorum: 3}":                                                   true,
		"lock: {kind: redisson, renew: {check: false}}":                       false,
		"lock: {kind: redisson, renew: {attempts: 3}}":                        true,
		"raft: {eager: true}":                                                 false,
		"lock: {kind: zookeeper}\nnodes: 3\nraft: {eager: true}":              true,
		"replicas: {min_good: 1}":                                             false,
		"lock: {kind: failover}\nreplicas: {min_good: 1}":                     true,
		"lock: {kind: failover, drift_factor: 0.02, counter: {before: true}}": false,
	} {
		bySchema, byDecoder := judged(t, schema, encoded(t, decoded(t, []byte("title: a\n"+text+"\n"))))
		if (bySchema == nil) != ok || (byDecoder == nil) != ok {
			t.Errorf("%s: %v, %v", text, bySchema, byDecoder)
		}
	}
}

// judged returns the verdicts of both, which must agree but for what is deeper.
func judged(t fataler, schema *jsonschema.Schema, text []byte) (bySchema, byDecoder error) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	bySchema = schema.Validate(doc)
	_, byDecoder = scenarios.Parse("x.yaml", text)
	switch {
	case byDecoder == nil && bySchema != nil:
		t.Fatalf("the decoder accepts it, and the schema says %v\n%s", bySchema, text)
	case byDecoder != nil && bySchema == nil && !onlyDeeper(byDecoder):
		t.Fatalf("the schema accepts it, and the decoder says %v\n%s", byDecoder, text)
	}
	return bySchema, byDecoder
}

func onlyDeeper(err error) bool {
	for _, err := range err.(interface{ Unwrap() []error }).Unwrap() {
		var e *scenarios.FileError
		if !errors.As(err, &e) || !deeper.MatchString(e.Problem) {
			return false
		}
	}
	return true
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(scenarios.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("scenario.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("scenario.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func bySchema(t fataler, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(encoded(t, decoded(t, text))))
	if err != nil {
		t.Fatalf("%v", err)
	}
	return s.Validate(doc)
}

func decoded(t fataler, text []byte) (tree any) {
	t.Helper()
	if err := yaml.Unmarshal(text, &tree); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return tree
}

// encoded returns JSON, which is YAML too.
func encoded(t fataler, tree any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(tree); err != nil {
		t.Fatalf("%v", err)
	}
	return b.Bytes()
}

// edit changes one thing in a document: it goes down into it, for some way that is drawn.
func edit(t *rapid.T, at *any) {
	down := rapid.IntRange(0, 4).Draw(t, "go on") > 0
	switch tree := (*at).(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(tree))
		if down && len(keys) > 0 {
			key := rapid.SampledFrom(keys).Draw(t, "key")
			v := tree[key]
			edit(t, &v)
			tree[key] = v
			return
		}
		editMap(t, tree, keys)
	case []any:
		switch {
		case down && len(tree) > 0:
			edit(t, &tree[rapid.IntRange(0, len(tree)-1).Draw(t, "item")])
		case len(tree) > 0 && rapid.Bool().Draw(t, "shorten"):
			*at = tree[:len(tree)-1]
		default:
			*at = append(tree, value(t))
		}
	default:
		*at = value(t)
	}
}

// editMap drops a key, adds one, or renames one.
func editMap(t *rapid.T, tree map[string]any, keys []string) {
	names := []string{"title", "clients", "nodez", "lock", "ttl", "sometimes", "mutants", "expect", "belief", "blackbox", "mutex", "blackbox.mutex", "set", "n1", "schedule", "", "Title", "steps"}
	name := rapid.SampledFrom(names).Draw(t, "name")
	if len(keys) == 0 || rapid.Bool().Draw(t, "add") {
		tree[name] = value(t)
		return
	}
	old := rapid.SampledFrom(keys).Draw(t, "old")
	if rapid.Bool().Draw(t, "rename") {
		tree[name] = tree[old]
	}
	if name != old {
		delete(tree, old)
	}
}

// value draws any value, often one that would be right somewhere, and often one that is just beyond.
func value(t *rapid.T) any {
	return rapid.SampledFrom([]any{
		nil, true, false, 0, 1, -1, 3, 5, 99, 100, 101, 1000, 5_000_000, 1.5, 0.01, 0.000001, 0.0000001, -0.5, 1.000001, 1e30,
		json.Number("9223372036854775807"), json.Number("9223372036854775808"), json.Number("18446744073709551615"), json.Number("18446744073709551616"),
		"", " ", "a", "a\n b", "\x1b[31m", "5", "true", "null", "holds", "violated", "unknown", "belief", "single", "redlock", "ideal", "none", "lowest", "fault-struck", "contended",
		"10s", "300ms", "-5s", "0s", "0", "1h2m3s", "1.5ms", ".5s", "1.s", "10", "10m10", "1e9s", "10 s", "5us", "5µs", "1ms..20ms", "5ms..1ms", "1ms..", "..", "99999999h",
		"+800ppm", "-0.5ppm", "800", "5%", "+0.0001ppm", "+9999999ppm", "parallel", "sequential", "mono", "wall", "at 1s pause c1", "at", "when any acquired pause holder for 1s",
		[]any{}, []any{"contended"}, []any{"belief"}, []any{1}, []any{map[string]any{}}, map[string]any{}, map[string]any{"ttl": "5s"}, map[string]any{"n1": "+5ppm"},
		map[string]any{"lock.ttl": "5s"}, []any{map[string]any{"name": "m", "set": map[string]any{"lock.ttl": "5s"}, "breaks": []any{"tokens"}, "within": 1}},
	}).Draw(t, "value")
}

// drawScenario draws a sound scenario: one of the catalogue with prose and settings of chance.
func drawScenario(t *rapid.T) scenarios.Scenario {
	s := scenarios.Base()
	if rapid.Bool().Draw(t, "from the catalogue") {
		s, _ = scenarios.Find(rapid.SampledFrom(scenarios.IDs()).Draw(t, "id"))
	}
	s.ID, s.Title = "x", drawProse(t, "title", 8)
	if s.Title == "" {
		s.Title = "a"
	}
	s.About, s.Source, s.Claim.Says = drawProse(t, "about", 60), drawProse(t, "source", 10), drawProse(t, "says", 30)
	for _, host := range rapid.SliceOfNDistinct(rapid.SampledFrom(s.Hosts()), 0, 3, rapid.ID[string]).Draw(t, "hosts") {
		if !slices.ContainsFunc(s.Clocks, func(r scenarios.Rate) bool { return r.Host == host }) {
			s.Clocks = append(s.Clocks, scenarios.Rate{Host: host})
		}
	}
	settings := scenarios.Settings(&s)
	for range rapid.IntRange(0, 8).Draw(t, "settings") {
		key := rapid.SampledFrom(settings).Draw(t, "setting").Key
		changed := s
		err := changed.Set(key + "=" + fmt.Sprint(value(t)))
		if err == nil && changed.Check() == nil {
			s = changed
		}
	}
	return s
}

// drawProse draws words that YAML may take for something else.
func drawProse(t *rapid.T, name string, most int) string {
	words := rapid.SliceOfN(rapid.SampledFrom([]string{
		"a", "lock", "#", "-", ":", "a:", "'", `"`, `\`, "[x]", "{", "}", "&a", "*a", "!b", "|", ">", "%", "@", "`", "5", "1e3", "0x1F", "0o7", "true", "no", "~", "null", ".inf", "é", "“so”",
		"---", "...", "<<", "?", "2016-02-08", "1:30", "a,", "=", "\u00a0b", "x\u2028y", "\ufeff", "日本",
	}), 0, most).Draw(t, name)
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}
