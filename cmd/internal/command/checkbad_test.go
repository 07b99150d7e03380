package command

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

// good is a valid operation, for others to follow.
const good = "{:process 0 :type :invoke :f :acquire}\n{:process 0 :type :ok :f :acquire}\n"

// timed is the same with an index and a time.
const timed = "{:process 0 :type :invoke :f :acquire :index 4 :time 8}\n{:process 0 :type :ok :f :acquire :index 6 :time 9}\n"

// row is an op of process 1 with something in it that may be wrong; it follows good, so that it is in line 3.
func row(field string) string { return good + "{:process 1 :type :invoke :f :acquire " + field + "}" }

// An input that can't be read gets no verdict: one line with its place, what was found and what would be right, exit
// 254.
func TestUnreadableHistoryGetsNoVerdict(t *testing.T) {
	for _, c := range []struct{ name, text, says string }{
		{"an empty file", "", "1:1: found the end of the text, and no op; want a history of at least one"},
		{"blanks", " \n\n ,", "3:3: found the end of the text, and no op"},
		{"a comment", "; nothing yet\n", "2:1: found the end of the text, and no op"},
		{"an empty vector", "[]", "1:3: found the end of the text, and no op"},
		{"nobody but the nemesis", "{:process :nemesis :type :info :f :kill}", "1:41: found the end of the text, and nothing but what is of no client, 1 times; want ops with an integer as their process"},
		{"truncated EDN", good + "{:process 1 :type :inv", `3:23: found the end of the text; want '}', which closes the '{' at 3:1`},
		{"a truncated vector", "[" + good, `3:1: found the end of the text; want ']', which closes the vector`},
		{"a truncated string", row(`:error "tim`), `3:51: found the end of the text; want a quote, which closes the string at 3:46`},
		{"truncated JSON", `{"process":0,"type":"invoke","f":"acquire"`, `1:43: found the end of the text; want '}'`},
		{"a truncated JSON array", `[{"process":0,"type":"invoke","f":"acquire"}`, `1:45: found the end of the text; want ']'`},
		{"unbalanced forms", row(":value [1 2}"), `3:50: found '}'; want ']', which closes the '[' at 3:46`},
		{"one bracket too many", good + "]", `3:1: found "]"; want a form`},
		{"a key without a value", row(":value"), "3:45: found '}' after a key; want a value for it first"},
		{"a second vector", "[" + good + "]\n[]", `4:1: found "[" after the vector that the text began with; want nothing more`},
		{"a binary file", "\x7fELF\x02\x01\x01\x00\x00", "1:1: found byte 0x7f; want a form"},
		{"UTF-16", "\xff\xfe{\x00:\x00", "1:1: found bytes that are not UTF-8"},
		{"zeroes", strings.Repeat("\x00", 100), "1:1: found byte 0x00; want a form"},
		{"a text", "Dear reader,\n", "1:1: found a symbol, Dear; want an op, as a map"},
		{"a number", "42", "1:1: found an integer, 42; want an op, as a map"},
		{"a vector of vectors", "[[:acquire 0]]", "1:2: found a vector, [:acquire 0]; want an op"},
		{"a tag that is none of an op", "#inst \"2026\"", "1:1: found a tagged element with the tag #inst; want an op"},
		{"JSON after EDN", good + `{"process":1,"type":"invoke"}`, `3:20: found ":"; want a keyword, such as :ok`},
		{"EDN after JSON", `{"process":0,"type":"invoke","f":"acquire"}` + "\n{:process 0}", `2:2: found ":"; want a key in quotes`},
		{"JSON lines in an array without commas", `[{"process":0,"type":"invoke","f":"acquire"}` + "\n{}]", `2:1: found "{"; want a comma`},
		{"no process", "{:type :invoke :f :acquire}", "1:1: found an op without a process; want the integer of its client"},
		{"no type", "{:process 0 :f :acquire}", "1:1: found an op without a type; want one of invoke, ok, fail, info"},
		{"no function", "{:process 0 :type :invoke}", "1:1: found an op without a function, f; want one of acquire, release, read, write, renew, cas"},
		{"an unknown function", good + "{:process 1 :type :invoke :f :add}", "3:30: found a keyword, :add as a function, f; want one of acquire"},
		{"an unknown function in JSON", `[{"process":0,"type":"invoke","f":"txn"}]`, `1:35: found a string, "txn" as a function`},
		{"an unknown type", "{:process 1 :type :okay :f :acquire}", "1:19: found a keyword, :okay as a type; want one of invoke"},
		{"a type in capitals", "{:process 1 :type :OK :f :acquire}", "1:19: found a keyword, :OK as a type"},
		{"a type that is a number", "{:process 1 :type 1 :f :acquire}", "1:19: found an integer, 1 as a type"},
		{"a negative process", "{:process -1 :type :invoke :f :acquire}", "1:11: found -1 as the process; want the number of a client, from 0"},
		{"a process that is a float", "{:process 1.0 :type :invoke :f :acquire}", "1:11: found a float, 1.0 as the process"},
		{"a process beyond 63 bits", "{:process 9223372036854775808 :type :invoke :f :acquire}", "1:11: found 9223372036854775808 as the process; want at most 9223372036854775807"},
		{"a time that is NaN", "{:process 0 :type :invoke :f :acquire :time ##NaN}", "1:45: found a symbolic value, ##NaN as the time; want an integer: nanoseconds"},
		{"a time that is NaN, in JSON", `{"process":0,"type":"invoke","f":"acquire","time":NaN}`, `1:51: found "NaN"; want a value`},
		{"a time that is a float", "{:process 0 :type :invoke :f :acquire :time 1.5}", "1:45: found a float, 1.5 as the time; want a whole number of nanoseconds, such as 1500000 for 1.5 ms; or leave all times out"},
		{"a client without a process", "{:process nil :type :invoke :f :acquire}", "1:1: found an op without a process; want the integer of its client"},
		{"a time that is an instant", "{:process 0 :type :invoke :f :acquire :time #inst \"2026\"}", "1:45: found a tagged element, #inst \"2026\" as the time"},
		{"a negative time", "{:process 0 :type :invoke :f :acquire :time -5}", "1:45: found -5 as the time; want nanoseconds since the recording began"},
		{"an index in some ops only", row(":index 2"), "3:1: found an op with an index, unlike those before"},
		{"a negative index", "{:process 0 :type :invoke :f :acquire :index -1}", "1:46: found -1 as the index; want its place in the history, from 0"},
		{"an index that comes again", timed + "{:process 1 :type :invoke :f :acquire :index 6 :time 9}", "3:46: found 6 as the index, after 6 in line 2; want indices that rise"},
		{"an index beyond 63 bits", "{:process 0 :type :invoke :f :acquire :index 99999999999999999999}", "1:46: found 99999999999999999999 as the index; want at most"},
		{"a field twice", "{:process 0 :type :invoke :f :acquire :type :ok}", "1:39: found :type a second time; want it once"},
		{"an invoke twice", good + "{:process 0 :type :invoke :f :release}\n{:process 0 :type :invoke :f :release}",
			"4:1: process 0 invokes release while its release of line 3 is open; want an ok, fail or info for that first"},
		{"an ok without an invoke", "{:process 0 :type :ok :f :acquire}", "1:1: process 0 has nothing open for this ok; want an invoke of acquire before it"},
		{"an ok twice", good + "{:process 0 :type :ok :f :acquire}", "3:1: process 0 has nothing open for this ok"},
		{"an ok of something else", good + "{:process 1 :type :invoke :f :acquire}\n{:process 1 :type :ok :f :release}",
			"4:1: this ok is of release, but process 1 has acquire open, of line 3; want that closed"},
		{"a process that goes on after an info", good + "{:process 1 :type :invoke :f :acquire}\n{:process 1 :type :info :f :acquire}\n\n{:process 1 :type :invoke :f :release}",
			"6:1: process 1 is gone since the info at line 4; want a new process number for its client"},
		{"a number in the value of an invoke", row(":value 5"), "3:46: found 5 as the value of this invoke of acquire; want it in a map, as {:lock 5} or {:fence 5}"},
		{"a value of three", row(":value [1 2 3]"), "3:46: found a vector, [1 2 3] as the value; want nil, a map, or a tuple [lock value]"},
		{"a tuple in a tuple", row(":value [1 [2 3]]"), "3:49: found a vector, [2 3] as the value of this invoke"},
		{"a negative fencing token", row(":value {:fence -1}"), "3:54: found -1 as the fencing token; want 0 or more"},
		{"a fencing token that is a float", row(":value {:fence 1.5}"), "3:54: found a float, 1.5 as the fencing token; want an integer"},
		{"a fencing token that is quoted", row(`:value {:fence "33"}`), `3:54: found a string, "33" as the fencing token; want an integer`},
		{"a fencing token beyond 64 bits", row(":value {:fence 18446744073709551616}"), "3:54: found 18446744073709551616 as the fencing token; want at most"},
		{"a fencing token twice", row(":value {:fence 1 :fence 2}"), "3:63: found the fencing token a second time; want it once"},
		{"two permits at once", row(":value {:permits 2}"), "3:56: found an integer, 2 as the number of permits; want 1, and a separate op for each permit"},
		{"a lock with two names", row(`:lock "a" :value {:lock :b}`), `3:63: found the lock "b", and "a" in the same op; want one`},
		{"a lock whose name is a list", row(":key (1)"), "3:44: found a list, (1) as the name of the lock"},
		{"a lock without letters", row(`:lock ""`), "3:45: found an empty lock name; want a name, or no lock"},
		{"a lock's name in some ops only", row(`:lock "a"`), "3:1: found an op that names the lock a, unlike the ops before"},
		{"another lock than was asked for", `{"process":0,"type":"invoke","f":"lock","key":"a"}` + "\n" + `{"process":0,"type":"ok","f":"lock","key":"b"}`,
			`2:1: found the lock "b" in what closes the acquire of line 1, which names the lock a`},
		{"a register's value", "{:process 0 :type :invoke :f :cas :value 3}", "1:42: found an integer, 3 as the value of a cas; want the pair [expected new]"},
		{"no op that the model is about", "{:process 0 :type :invoke :f :read}", "1:1: found a history without any acquire, release or renew, which mutex is about"},
	} {
		for _, file := range []string{"", ".gz"} {
			name := filepath.Join(t.TempDir(), "history"+file)
			write(t, name, pack(t, c.text, file))
			out, errs, code := lockstorm("check", name)
			want := "lockstorm: " + name + ":" + c.says
			if code != cli.BadInput || out != "" || strings.Count(errs, "\n") != 1 || !strings.HasPrefix(errs, want) {
				t.Errorf("%s%s: exit %d\n got %s%swant %s", c.name, file, code, errs, out, want)
			}
		}
	}
}

// pack compresses a text in the format that the end of a name says.
func pack(t *testing.T, text, how string) string {
	t.Helper()
	var b bytes.Buffer
	if how == "" {
		return text
	}
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDamagedCompressedHistoryIsRejected(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"\x1f\x8b", "1:1: found gzip that can't be read"},
		{"\x1f\x8bnot at all", "1:1: found gzip that can't be read"},
		{pack(t, good, ".gz")[:40], "can't be read further: unexpected EOF"},
		{pack(t, good, ".gz")[:60] + "\x00\x00\x00\x00\x00\x00\x00\x00", "can't be read further"},
		{"\x28\xb5\x2f\xfd\x00\x90", `1:1: found zstd, and want plain text or gzip; unpack it first: "zstd -d FILE"`},
	} {
		name := filepath.Join(t.TempDir(), "history")
		write(t, name, c.text)
		out, errs, code := lockstorm("check", name)
		if code != cli.BadInput || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, c.says) {
			t.Errorf("%q: exit %d\n got %s%swant %s", c.text, code, errs, out, c.says)
		}
	}
}

// A stretch reads as a beginning, followed by n copies of one byte.
func stretch(begin string, b byte, n int64) io.Reader {
	return io.MultiReader(strings.NewReader(begin), io.LimitReader(repeated(b), n))
}

// A repeated is a byte for ever.
type repeated byte

func (s repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(s)
	}
	return len(p), nil
}

// Two gigabytes in one line, or a megabyte that becomes gigabytes when it is decompressed, end after the first MiB.
func TestLineOfTwoGigabytesTakesLittleMemory(t *testing.T) {
	const much = 2 << 30
	bomb := filepath.Join(t.TempDir(), "bomb")
	f, err := os.Create(bomb)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(z, stretch(row(`:error "`), 'a', much/16)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	packed, err := os.ReadFile(bomb)
	if err != nil || len(packed) > much/1000 {
		t.Fatalf("%d bytes, %v", len(packed), err)
	}
	for name, c := range map[string]struct {
		in   io.Reader
		want string
	}{
		"a string":      {stretch(row(`:error "`)[:len(row(`:error "`))-1], 'a', much), "3:1: found a form longer than 1 MiB; want a shorter one"},
		"a JSON string": {stretch(`{"process":0,"error":"`, 'a', much), "1:1: found a form longer than 1 MiB; want a shorter one"},
		"a number":      {stretch(`{:process 1`, '1', much), "1:1: found a form longer than 1 MiB; want a shorter one"},
		"blanks":        {stretch(good, ' ', much), "found nothing but blanks and comments for more than 1 MiB"},
		"brackets":      {stretch(good, '(', much), "3:102: found something nested deeper than 100; want it flatter"},
		"decompressed":  {bytes.NewReader(packed), "3:1: found a form longer than 1 MiB; want a shorter one"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := cli.ReadHistory("-", c.in, codec.Reading{})
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 40<<20 {
			t.Errorf("%s: took %d bytes", name, took)
		}
	}
}

func TestTooManyOpsAreRejected(t *testing.T) {
	for most, want := range map[int]string{1: "2:1: found more than 1 ops; want fewer, or a larger limit", 2: ""} {
		_, err := cli.ReadHistory("-", strings.NewReader(good), codec.Reading{Ops: most})
		if (err != nil) != (want != "") || err != nil && err.Error() != want {
			t.Errorf("%d: %v", most, err)
		}
	}
}

func TestBadCheckFlagsGetOneLineErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.edn")
	write(t, file, good)
	for args, says := range map[string]string{
		"":                                                  "takes one FILE, not 0; - is the standard input",
		file + " " + file:                                   "takes one FILE, not 2",
		"nowhere.edn":                                       "nowhere.edn can't be read: no such file or directory",
		t.TempDir():                                         "has no history; want files that end in .edn, .json or .jsonl",
		file + " --model mutxe":                             `there is no model "mutxe"; did you mean mutex`,
		file + " --model non-reentrant-cp-lock":             `there is no model "non-reentrant-cp-lock"; for that of Jepsen choose --model mutex`,
		file + " --model OwnerAwareMutex":                   "for that of Jepsen choose --model mutex",
		file + " --model cp-cas-long":                       "choose --model cas-register --initial 0",
		file + " --model xyzzy":                             "want one of mutex, reentrant-mutex",
		file + " --model=":                                  "the model is missing",
		file + " --model mutex,":                            `there is no model ""`,
		file + " --model mutex,lease --model mutex":         "mutex is there twice",
		file + " --format xml":                              "is not one of text, markdown, html, json, csv",
		file + " --input yaml":                              "not one of jsonl, json, edn",
		file + " --input json":                              `history.edn:1:2: found ":"; want a key in quotes`,
		file + " --clients 0":                               "--clients: 0 is not positive",
		file + " --limit 0":                                 "--limit: 0 is not positive",
		file + " --permits -3":                              "--permits: -3 is not positive",
		file + " --steps 0":                                 "--steps: 0 is not positive",
		file + " --memory 0":                                "--memory: 0 is not positive",
		file + " --memory 9000000000":                       "too much; give up to 1048576",
		file + " --max-ops 0":                               "--max-ops: 0 is not positive",
		file + " --max-ops 1":                               "history.edn:2:1: found more than 1 ops",
		file + " --failed-release maybe":                    "not one of holds, ends",
		file + " --model lease --failed-release holds":      "under lease, a failed release shows that the hold had ended",
		file + " --model lease-timed":                       "--least: lease-timed needs the minimum length of a lease; give one such as --least 10s; or choose lease",
		file + " --model lease-timed --least -1s":           "--least: -1s is negative",
		file + " --model lease-timed --least 10":            "must be a time such as 10m",
		file + " --model lease-timed --least 1s":            "history.edn:1:1: found an op without a time, which lease-timed goes by; want nanoseconds in all",
		file + " --value name":                              "--value: \"name\" is not one of lock, owner, token, ignore",
		file + " --model plain-mutex --failed-release ends": "doesn't know whose hold",
		file + " --model register":                          "1:1: found a history without any read, write or cas, which register is about",
		file + " --list-models " + file:                     "takes one FILE, not 2",
	} {
		out, errs, code := lockstorm(append([]string{"check"}, strings.Fields(args)...)...)
		if code != cli.BadInput || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, says) {
			t.Errorf("check %s\nexit %d, want 254 and one line that says %q: %s%s", args, code, says, out, errs)
		}
	}
}
