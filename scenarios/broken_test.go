package scenarios_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/lockstorm/lockstorm/scenarios"
)

// brokenFiles are wrong in one way each, or in several. Their errors are in testdata/broken.txt.
var brokenFiles = []struct{ name, text string }{
	{"empty", ""},
	{"only spaces", "  \n\n"},
	{"only comments", "# nothing\n# more\n"},
	{"only a document marker", "---\n"},
	{"a list", "- a\n- b\n"},
	{"a word", "hello\n"},
	{"a number", "5\n"},
	{"two documents", "title: a\n---\ntitle: b\n"},
	{"no title", "clients: 2\n"},
	{"an empty title", "title: \"\"\n"},
	{"a title that is nothing", "title:\nclients: 2\n"},
	{"a title of many characters", "title: " + strings.Repeat("ü", 301) + "\n"},
	{"a title that colours the terminal", "title: \"\\e[31mred\"\n"},
	{"a title that is a number", "title: 5\n"},
	{"a title that is a large number", "title: 1e+30\nabout: 99999999999999999999\n"},
	{"a title that is a list", "title: [a, b]\n"},

	{"what can't be read, beside what can and makes no sense", "title: a\nclients: 0\nlock: {ttl: abc, timeuot: 5ms}\n" +
		"nodes: 999\nschedule: |\n  at 1s puase c1\nexpect: {beliefs: holds}\nhorizon: 2y\n"},
	{"unknown mark", "title: a\nschedule: |\n  when c1 acquires pause c1\n"},
	{"mark of a node", "title: a\nschedule: |\n  when n1 acquired pause c1\n"},
	{"unknown key", "title: a\nnodez: 3\n"},
	{"unknown key like none", "title: a\nxyzzy: 3\n"},
	{"unknown key in a section", "title: a\nlock:\n  tll: 5s\n"},
	{"a universe off its grid", "title: a\nnetwork: {latency: 1ms..1ms, tick: 1ms}\nlock: {ttl: 20ms, timeout: 5500us, retry: {min: 4ms, max: 6ms}}\n" +
		"work: {work: 2500us..2500us}\nexplore: {late: [1500us], deviations: 1}\n"},
	{"a universe with a bound and without", "title: a\nnetwork: {latency: 1ms..1ms, tick: 1ms}\nexplore: {unbounded: true, lost: true, deviations: 1}\n"},
	{"a universe in which nothing can be chosen", "title: a\nnetwork: {latency: 1ms..1ms, tick: 1ms}\nexplore: {deviations: 1, most: 1}\n"},
	{"a universe with faults that are none there", "title: a\nnetwork: {latency: 1ms..1ms, tick: 1ms}\nexplore:\n  most: 1\n" +
		"  faults: [paus c1 for 3ms, pause holder for 3ms, pause minority for 3ms, slow c1>n1 by 5ms, stall-disk n1 for 7ms, drift clients +0ppm, jump c9 +3ms, at 3s pause c1]\n"},
	{"unknown key two sections down", "title: a\nlock:\n  retry: {attemptz: 3}\n"},
	{"unknown key in a mutant", "title: a\nmutants:\n  - {nam: m, name: n, set: {lock.ttl: 5s}, breaks: [tokens], within: 1}\n"},
	{"unknown key in a bound", "title: a\nbounds:\n  - settin: lock.ttl\n"},
	{"key in the wrong section", "title: a\nttl: 5s\nwork: {clients: 2}\n"},
	{"key in capitals", "Title: a\n"},
	{"key twice", "title: a\nclients: 2\nclients: 3\n"},
	{"key twice in a section", "title: a\nlock:\n  ttl: 5s\n  ttl: 6s\n"},
	{"key that is a number", "title: a\n5: b\n"},
	{"key that is a list", "title: a\n[a]: b\n"},
	{"key that is nothing", "title: a\n: b\n"},
	{"question mark key", "? {a: b}\n: c\n"},

	{"word for a number", "title: a\nclients: two\n"},
	{"text for a number", "title: a\nclients: \"2\"\n"},
	{"list for a number", "title: a\nclients: [1]\n"},
	{"mapping for a number", "title: a\nclients: {a: 1}\n"},
	{"nothing for a number", "title: a\nclients:\n"},
	{"fraction for a number", "title: a\nclients: 2.5\n"},
	{"exponent for a number", "title: a\nsteps: 1e6\n"},
	{"hex for a number", "title: a\nclients: 0x10\n"},
	{"octal for a number", "title: a\nclients: 0o10\n"},
	{"binary for a number", "title: a\nclients: 0b11\n"},
	{"underscores in a number", "title: a\nsteps: 5_000_000\n"},
	{"not a number", "title: a\nclients: .nan\nnetwork: {loss: .NaN}\n"},
	{"infinity", "title: a\nclients: .inf\nnetwork: {loss: -.inf}\n"},
	{"number beyond counting", "title: a\nclients: 99999999999999999999\nsteps: 9223372036854775808\n"},
	{"negative first token", "title: a\nfencing: {first: -1}\n"},
	{"first token too large", "title: a\nfencing: {first: 18446744073709551616}\n"},
	{"first token too large for JSON", "title: a\nfencing: {first: 9007199254740992}\n"},
	{"yes for true", "title: a\nwork: {recheck: yes}\n"},
	{"number for true", "title: a\nwork: {recheck: 1}\ninterpret: \"true\"\n"},
	{"word of a list misspelt", "title: a\nlock: {contact: sequentia}\n"},
	{"word that is not one of the list", "title: a\nlock: {kind: zookeeper}\npersistence: disk\n"},
	{"number for a word", "title: a\nlock: {kind: 1}\n"},
	{"fencing source unknown", "title: a\nfencing: {source: nod}\n"},
	{"fencing node not there", "title: a\nfencing: {source: node, node: 6}\n"},
	{"equality without a mark", "title: a\nfencing: {check: equality, reads_mark: false}\n"},

	{"clients: none", "title: a\nclients: 0\n"},
	{"clients: too many", "title: a\nclients: 1000000000\n"},
	{"nodes: none", "title: a\nnodes: 0\n"},
	{"failover without a replica", "title: a\nnodes: 1\nlock: {kind: failover}\n"},
	{"failover that waits for more replicas than there are", "title: a\nnodes: 3\nlock:\n  kind: failover\n  failover: {wait: 3}\n"},
	{"two raft servers", "title: a\nnodes: 2\nlock: {kind: etcd}\n"},
	{"seven raft servers", "title: a\nnodes: 7\nlock: {kind: zookeeper}\n"},
	{"raft that beats too seldom", "title: a\nnodes: 3\nlock: {kind: etcd}\nraft: {heartbeat: 2s, election: 1s}\n"},
	{"row lock with nodes", "title: a\nnodes: 3\nlock: {kind: sql-row-lock}\nstorage: {engine: sql}\n"},
	{"row lock without a database", "title: a\nnodes: 0\nlock: {kind: sql-row-lock}\n"},
	{"option of another lock", "title: a\nlock:\n  kind: redlock\n  session: {check: key}\n"},
	{"option that a row lock has not", "title: a\nnodes: 0\nstorage: {engine: sql}\nlock:\n  kind: sql-row-lock\n  quorum: 1\n"},
	{"replicas for a lock without any", "title: a\nreplicas: {down_after: 5s}\n"},
	{"raft for a lock without it", "title: a\nraft: {eager: true}\n"},
	{"token of a lock that gives none", "title: a\nfencing: {source: lock}\n"},
	{"tokens of raft servers", "title: a\nnodes: 3\nlock: {kind: etcd}\nfencing: {source: node, node: 1}\n"},
	{"versions of storage that can't be asked first", "title: a\nfencing: {check: version, atomic: false}\n"},
	{"nodes: too many", "title: a\nnodes: 101\n"},
	{"quorum of more than all", "title: a\nlock: {quorum: 6}\n"},
	{"quorum of a single node", "title: a\nlock: {kind: single, quorum: 2}\n"},
	{"negative attempts", "title: a\nlock: {retry: {attempts: -1}, renew: {attempts: -2}}\n"},
	{"no cycles", "title: a\nwork: {cycles: 0}\n"},
	{"no steps", "title: a\nsteps: 0\n"},

	{"number for a time", "title: a\nlock: {ttl: 10}\n"},
	{"unit unknown", "title: a\nlock: {ttl: 10 parsecs}\n"},
	{"unit with a space", "title: a\nlock: {ttl: 10 s}\n"},
	{"days", "title: a\nhorizon: 1d\n"},
	{"time with an exponent", "title: a\nlock: {ttl: 1e9s}\n"},
	{"time without its last unit", "title: a\nlock: {ttl: 10m10}\n"},
	{"negative time", "title: a\nlock: {ttl: -10s, drift_constant: -1ms}\nwork: {stagger: -1s}\n"},
	{"no TTL", "title: a\nlock: {ttl: 0s}\n"},
	{"TTL of microseconds", "title: a\nlock: {ttl: 1500us}\n"},
	{"timeout longer than the TTL", "title: a\nlock:\n  ttl: 1s\n  timeout: 2s\n"},
	{"time beyond a year", "title: a\nhorizon: 9000h\n"},
	{"time beyond counting", "title: a\nlock: {patience: 99999999h}\n"},
	{"range the wrong way round", "title: a\nnetwork: {latency: 5ms..1ms}\nlock: {retry: {min: 2s, max: 1s}}\n"},
	{"range with a dash", "title: a\nwork: {think: 1ms-2ms}\n"},
	{"range of three", "title: a\nwork: {think: 1ms..2ms..3ms}\n"},
	{"percent", "title: a\nnetwork: {loss: 5%}\n"},
	{"share above one", "title: a\nnetwork: {loss: 1.5}\nlock: {drift_factor: -0.1}\n"},
	{"share of seven decimals", "title: a\nnetwork: {loss: 0.0000001}\n"},

	{"clock of a host not there", "title: a\nclocks: {n9: +5ppm, n1: +5ppm}\n"},
	{"clock that is a word", "title: a\nclocks: {n1: fast}\n"},
	{"clock in percent", "title: a\nclocks: {n1: 5%}\n"},
	{"clock without a unit", "title: a\nclocks: {n1: 800}\n"},
	{"clock too fast", "title: a\nclocks: {n1: +500000ppm}\n"},
	{"clock beyond counting", "title: a\nclocks: {n1: +99999999999999999999ppm}\n"},
	{"clocks as a list", "title: a\nclocks: [n1]\n"},
	{"clock twice", "title: a\nclocks:\n  n1: +5ppm\n  n1: +6ppm\n"},

	{"fault unknown", "title: a\nschedule: |\n  at 1s explode c1\n"},
	{"fault misspelt", "title: a\nschedule: |\n  at 1s puase c1\n"},
	{"fault on a host not there", "title: a\nschedule: |\n  at 1s pause c9\n"},
	{"fault with a negative time", "title: a\nschedule: |\n  at -1s pause c1\n"},
	{"fault with a wrong unit", "title: a\nschedule: |\n  at 1 pause c1\n  at 2s for 5parsecs pause c1\n"},
	{"fault past the horizon", "title: a\nschedule: |\n  at 1h pause c1\n"},
	{"fault past a horizon that was set", "title: a\nhorizon: 5s\nschedule: |\n  # a comment\n\n  at 1s pause c1\n  at 6s pause c1\n"},
	{"fault that does nothing", "title: a\nschedule: |\n  at 1s jump n1 +0s\n"},
	{"fault with a mark but no host", "title: a\nschedule: |\n  when acquired pause c1\n"},
	{"fault with something after it", "title: a\nschedule: |\n  at 1s pause c1 c2\n"},
	{"partition with a host twice", "title: a\nschedule: |\n  at 1s partition c1 | c1 n1\n"},
	{"partition with a host twice by its role", "title: a\nschedule: |\n  at 1s partition nodes | n1 c1\n"},
	{"partition of one group", "title: a\nschedule: |\n  at 1s partition c1 n1\n"},
	{"several faults are wrong", "title: a\nschedule: |\n\n    at 1s pause c1\n    at x\n    when c1\n"},
	{"several faults are wrong for this cast", "title: a\nclients: 1\nschedule: |\n    at 1s pause c2\n    at 2s pause c1\n    at 3s pause n7\n"},
	{"schedule on the key's line", "title: a\nschedule: at 1s explode c1\n"},
	{"schedule in quotes", "title: a\nschedule: \"at 1s pause c1\\nat 2s explode c1\\n\"\n"},
	{"schedule in quotes over several lines", "title: a\nschedule: 'at 1s\n\n  explode\n\n  c1'\n"},
	{"schedule folded", "title: a\nschedule: >\n  at 1s pause c1\n  at 2s pause c1\n"},
	{"schedule as a list", "title: a\nschedule:\n  - at 1s pause c1\n"},
	{"schedule as nothing", "title: a\nschedule:\n"},
	{"schedule not indented", "title: a\nschedule: |\nat 1s pause c1\n"},
	{"schedule with keep and more after it", "title: a\nschedule: |+\n  at 1s pause c9\n\nnodez: 3\n"},
	{"schedule too long", "title: a\nschedule: |\n" + strings.Repeat("  at 1s pause c1\n", 501)},

	{"an allowance as long as the TTL", "title: a\nlock: {drift_factor: 1}\n"},
	{"an allowance longer than the TTL", "title: a\nlock: {ttl: 1s, drift_constant: 2s}\n"},
	{"a TTL of no more than the allowance", "title: a\nlock: {ttl: 2ms, timeout: 1ms}\n"},
	{"a margin as long as the session", "title: a\nnodes: 3\nlock: {kind: etcd, session: {margin: 1}}\n"},
	{"a wait that WAIT can't count", "title: a\nlock: {kind: failover, failover: {wait: 1, wait_timeout: 1500us}}\n"},
	{"schedule indented further than it says", "title: a\nschedule: |2\n    at 1s pause c9\n    at 2s pause c1\n"},
	{"schedule indented further, and a word is wrong", "title: a\nschedule: |2\n    at 1s pause c1\n    at 2s puase c1\n"},
	{"fault for no time", "title: a\nschedule: |\n  at 1s pause c1 for 0s\n"},
	{"slew with an end", "title: a\nschedule: |\n  at 1s slew n1 +1s at 500ppm for 5s\n"},
	{"fault on the far end of a link", "title: a\nschedule: |\n  at 1s slow c1>n9 by 5ms\n"},
	{"fault timed on a host not there", "title: a\nschedule: |\n  at 1s restart n1 for 5s on n11\n"},
	{"fault on a host of which another is the beginning", "title: a\nschedule: |\n  when c1 acquired partition c1 | c12\n"},
	{"space that is none", "title: a\nschedule: |\n  at 1s pause\u00a0c1\n"},
	{"colon without a space", "title: a\nclients : 3\nnodes:5\n"},
	{"brace without its end", "title: a\nlock: {ttl: 10s\nnodes: 3\n"},
	{"key further in than its neighbours", "title: a\n  clients: 3\n"},
	{"property unknown", "title: a\nexpect: {believe: holds}\n"},
	{"property that is a happening", "title: a\nexpect: {contended: holds}\n"},
	{"property twice", "title: a\nexpect: {belief: holds, belief: violated}\n"},
	{"verdict unknown", "title: a\nexpect: {belief: maybe}\n"},
	{"verdict that nobody can want", "title: a\nexpect: {belief: unknown}\n"},
	{"expect as a list", "title: a\nexpect: [belief]\n"},
	{"nothing happened", "title: a\nsometimes: []\n"},
	{"nothing happened to the lock", "title: a\nschedule: |\n  at 0s partition clients | nodes\nsometimes: [fault-struck]\n"},
	{"happening unknown", "title: a\nsometimes: [contendet]\n"},
	{"happening that is a property", "title: a\nsometimes: [contended, belief]\n"},
	{"happenings as a word", "title: a\nsometimes: contended\n"},
	{"happening that is a number", "title: a\nsometimes: [contended, 5]\n"},
	{"a schedule, and its strike not awaited", "title: a\nschedule: |\n  at 1s pause c1\nsometimes: [contended]\n"},

	{"mutants as a mapping", "title: a\nmutants: {name: m}\n"},
	{"mutant of nothing", "title: a\nmutants:\n  -\n"},
	{"mutant that says nothing", "title: a\nmutants:\n  - {}\n"},
	{"mutant that changes nothing", "title: a\nmutants:\n  - name: m\n    set: {}\n    breaks: [tokens]\n    within: 1\n"},
	{"mutant with an unknown setting", "title: a\nmutants:\n  - name: m\n    set: {lock.tll: 5s}\n    breaks: [tokens]\n    within: 1\n"},
	{"mutant with a wrong value", "title: a\nmutants:\n  - name: m\n    set: {lock.ttl: soon}\n    breaks: [tokens]\n    within: 1\n"},
	{"mutant with a value out of range", "title: a\nmutants:\n  - name: m\n    set: {lock.quorum: 9}\n    breaks: [tokens]\n    within: 1\n"},
	{"mutant with a list for a value", "title: a\nmutants:\n  - name: m\n    set: {lock.ttl: [5s]}\n    breaks: [tokens]\n    within: 1\n"},
	{"mutant that breaks an unknown property", "title: a\nmutants:\n  - name: m\n    set: {lock.ttl: 5s}\n    breaks: [token]\n    within: 1\n"},
	{"mutant that breaks what is broken", "title: a\nexpect: {tokens: violated}\nmutants:\n  - name: m\n    set: {lock.ttl: 5s}\n    breaks: [tokens]\n    within: 1\n"},
	{"mutant within no run", "title: a\nmutants:\n  - name: m\n    set: {lock.ttl: 5s}\n    breaks: [tokens]\n    within: 0\n"},
	{"two mutants of a name", "title: a\nmutants:\n" + strings.Repeat("  - name: m\n    set: {lock.ttl: 5s}\n    breaks: [tokens]\n    within: 1\n", 2)},

	{"bound of an unknown setting", "title: a\nbounds:\n  - {setting: lock.tll, from: 1s, to: 2s, property: belief, formula: restart-delay}\n"},
	{"bound of no width", "title: a\nbounds:\n  - {setting: lock.ttl, from: 2s, to: 2s, property: belief, formula: restart-delay}\n"},
	{"bound with an unknown formula", "title: a\nbounds:\n  - {setting: lock.ttl, from: 1s, to: 2s, property: belief, formula: fast-nod}\n"},
	{"bound with an unknown property", "title: a\nbounds:\n  - {setting: lock.ttl, from: 1s, to: 2s, property: believe, formula: fast-node}\n"},
	{"bound of a word", "title: a\nbounds:\n  - {setting: lock.kind, from: single, to: redlock, property: belief, formula: fast-node}\n"},
	{"bound with an end out of range", "title: a\nbounds:\n  - {setting: lock.ttl, from: 0s, to: 2s, property: belief, formula: fast-node}\n"},
	{"bound that says nothing", "title: a\nbounds:\n  - {}\n"},

	{"tab before a key", "title: a\n\tclients: 3\n"},
	{"tab in a section", "title: a\nlock:\n\tttl: 5s\n"},
	{"tab in a schedule", "title: a\nschedule: |\n\tat 1s pause c1\n"},
	{"indentation that does not fit", "title: a\nlock:\n    ttl: 5s\n  clock: wall\n"},
	{"colon in a title", "title: a: b\n"},
	{"quote without its end", "title: \"a\nclients: 2\n"},
	{"bracket without its end", "title: a\nsometimes: [contended\n"},
	{"brace without its beginning", "title: a\nlock: }\n"},
	{"anchor", "title: a\nlock: &l {ttl: 5s}\n"},
	{"anchor that recurs", "title: a\nlock: &l {ttl: *l}\n"},
	{"alias without its anchor", "title: *t\n"},
	{"laughs by the billion", "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\ntitle: *c\n"},
	{"merge key", "title: a\nlock:\n  <<: {ttl: 5s}\n"},
	{"tag for binary", "title: !!binary aGVsbG8=\n"},
	{"tag of one's own", "title: a\nlock: !foo {ttl: 5s}\n"},
	{"directive", "%YAML 1.2\n---\nclients: two\n"},
	{"block of text for a number", "title: a\nclients: |\n  2\n"},
	{"block of text for a time", "title: a\nlock:\n  ttl: |\n    10s\n"},
	{"text of several lines for a word", "title: a\npersistence: none\n  at all\n"},
	{"reserved character", "title: @a\nclients: two\n"},

	{"nested brackets", "title: " + strings.Repeat("[", 1000)},
	{"nested braces", "title: " + strings.Repeat("{a: ", 100)},
	{"nested dashes", strings.Repeat("- ", 500) + "a\n"},
	{"nested questions", strings.Repeat("? ", 500) + "a\n"},
	{"ten megabytes of nesting", strings.Repeat("[", 10<<20)},
	{"ten megabytes of lines", strings.Repeat("a:\n", 10<<20/3)},
	{"a long line", "title: " + strings.Repeat("a", 3000)},
	{"many lines", "title: a\n" + strings.Repeat("# c\n", 5000)},
	{"many empty lines", "title: a\nabout: |\n  b\n" + strings.Repeat("\n", 30_000)},
	{"binary junk", "\x7fELF\x02\x01\x01\x00\x00"},
	{"a NUL in it", "title: a\nclients: \x002\n"},
	{"an escape in it", "title: a\x1b[31m\n"},
	{"Latin 1", "title: a\nabout: f\xfcr\n"},
	{"UTF-16", utf16Of("title: a\n")},
	{"a BOM, and more that is wrong", "\ufefftitle: a\nclients: two\n"},
	{"CRLF, and more that is wrong", "title: a\r\nclients: two\r\nschedule: |\r\n  at 1s pause c1\r\n  at 2s pause c9\r\n"},
	{"several things", "title: a\nclients: two\nnodez: 3\nlock: {ttl: 5, kind: redlok}\nschedule: |\n  at x\n  at y\nexpect: {belief: maybe}\n"},
}

// utf16Of returns a text as Windows editors may keep it.
func utf16Of(text string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

// A broken file is rejected with all its problems, each with its place, and soon.
func TestBrokenFilesAreRefusedWithTheirPlace(t *testing.T) {
	said := "What Parse says of broken files, all of it; the files themselves stand in broken_test.go, shortened here. Each line has the\n" +
		"place, what was found, and what would be right.\n"
	names := map[string]bool{}
	for _, f := range brokenFiles {
		if names[f.name] {
			t.Errorf("two files are called %s", f.name)
		}
		names[f.name] = true
		d, err := parseTimed(f.text)
		if d > judgedWithin {
			t.Errorf("%s: it took %s", f.name, d)
		}
		if err == nil {
			t.Errorf("%s: it was accepted", f.name)
			continue
		}
		placed(t, []byte(f.text), err)
		text := strconv.QuoteToGraphic(f.text)
		if len(text) > 300 {
			text = fmt.Sprintf("%.100s… (%d bytes)", text, len(f.text))
		}
		said += fmt.Sprintf("\n# %s\n%s\n%s\n", f.name, text, err)
	}
	if len(names) < 80 {
		t.Errorf("%d files are few", len(names))
	}
	if *update {
		if err := os.WriteFile("testdata/broken.txt", []byte(said), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile("testdata/broken.txt")
	if err != nil {
		t.Fatal(err)
	}
	was, is := strings.Split(string(kept), "\n"), strings.Split(said, "\n")
	for i := range max(len(was), len(is)) {
		if i >= len(was) || i >= len(is) || was[i] != is[i] {
			t.Fatalf("testdata/broken.txt differs from line %d on; -update writes it anew\nwas %.300q\nis  %.300q", i+1, was[min(i, len(was)-1)], is[min(i, len(is)-1)])
		}
	}
}

// Files that are odd, and sound.
func TestOddFilesAreRead(t *testing.T) {
	for _, text := range []string{
		"title: a\r\nclients: 2\r\nschedule: |\r\n  at 1s pause c1\r\n\r\n  at 2s pause c2\r\n",
		"\ufefftitle: a\nclients: 2\nschedule: |\n  at 1s pause c1\n  at 2s pause c2\n",
		"---\ntitle: a\nclients: 2\nschedule: |+\n  at 1s pause c1\n  at 2s pause c2\n...\n",
		"{title: a, clients: 2, schedule: \"at 1s pause c1\\nat 2s pause c2\"}",
		"# c\n\"title\": 'a' # c\nclients:   +2\nschedule: |2-\n  at 1s pause c1 # first\n\n  # second\n    at 2s pause c2",
		"%YAML 1.2\n---\ntitle: a\nclients: 2\nschedule: |\n  at 1s pause c1\n  at 2s pause c2\n",
	} {
		s, err := scenarios.Parse("dir/my.yaml", []byte(text))
		if err != nil || s.ID != "my" || s.Title != "a" || s.Clients != 2 || s.Faults.String() != "at 1s pause c1\nat 2s pause c2\n" {
			t.Errorf("%q: %v, %q %q %d %q", text, err, s.ID, s.Title, s.Clients, s.Faults)
		}
	}
}
