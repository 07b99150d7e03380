package redis

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/sim/simtest"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// A rival is a connection to a real Redis server.
type rival struct {
	tb   testing.TB
	conn net.Conn
	in   *bufio.Reader
}

// realServer starts a Redis server for the length of a test, which is skipped where there is none.
func realServer(t *testing.T) *rival { return realServerWith(t, nil, "--appendonly", "no") }

// realServerWith is realServer in this environment, nil for the test's own, and with more of a configuration.
func realServerWith(t *testing.T, environ []string, config ...string) *rival {
	path := need.Program(t, "no Node is compared with a real server", "redis-server")
	need.Loopback(t, "no Node is compared with a real server")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal("no port on 127.0.0.1 to run redis-server at: ", err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	listener.Close()
	server := exec.Command(path, append([]string{"--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", t.TempDir()}, config...)...)
	server.Env = environ
	simtest.Tie(server)
	if err := server.Start(); err != nil {
		t.Fatal("redis-server does not start: ", err)
	}
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
	})
	for range 100 {
		if conn, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			t.Cleanup(func() { conn.Close() })
			return &rival{t, conn, bufio.NewReader(conn)}
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("redis-server does not answer at port ", port)
	return nil
}

// do sends a command and returns the reply in a Node's form.
func (r *rival) do(args ...string) any {
	fmt.Fprintf(r.conn, "*%d\r\n", len(args))
	for _, a := range args {
		fmt.Fprintf(r.conn, "$%d\r\n%s\r\n", len(a), a)
	}
	return r.read()
}

func (r *rival) read() any {
	line, err := r.in.ReadString('\n')
	if err != nil {
		r.tb.Fatal("redis-server hung up: ", err)
	}
	kind, line := line[0], strings.TrimSuffix(line[1:], "\r\n")
	size, _ := strconv.ParseInt(line, 10, 64)
	switch {
	case kind == '+':
		return line
	case kind == '-':
		return Error(line)
	case kind == ':':
		return size
	case size < 0:
		return nil
	case kind == '$':
		b := make([]byte, size+2)
		if _, err := io.ReadFull(r.in, b); err != nil {
			r.tb.Fatal("redis-server hung up: ", err)
		}
		return string(b[:size])
	}
	list := make([]any, size)
	for i := range list {
		list[i] = r.read()
	}
	return list
}

// alike reports whether a Node's reply means what the server's does. Time runs on in the real world, so what is left of
// a life may differ; and versions of Redis word errors differently, so only the first word counts, by which clients
// act.
func alike(server, node any) bool {
	switch s := server.(type) {
	case Error:
		n, ok := node.(Error)
		return ok && firstWord(s) == firstWord(n)
	case int64:
		n, ok := node.(int64)
		return ok && (s == n || s > 1000 && s <= n && n-s < 60_000)
	}
	return equal(server, node)
}

func firstWord(e Error) string {
	word, _, _ := strings.Cut(string(e), " ")
	return word
}

// Replies that must be equal to the letter: errors that clients look at, and the odd corners of numbers.
func TestNodeAnswersAsARealServer(t *testing.T) {
	server, r := realServer(t), once(t, Config{})
	long := strings.Repeat("x", 200)
	for _, command := range [][]string{
		words("SET k a NX PX 100000"), words("SET k b NX PX 100000"), words("GET k"), words("TTL k"),
		words("SET k a NX PX 0"), words("SET k a NX PX -1"), words("SET k a NX PX +5"), words("SET k a NX PX 05"),
		words("SET k a NX PX 1.5"), words("SET k a NX PX x"), words("SET k a NX PX 9223372036854775807"),
		words("SET k a NX PX 9223372036854775808"), {"SET", "k", "a", "NX", "PX", ""}, words("SET k a NX PX"),
		words("SET k a PX 5 EX 5"), words("SET k a NX XX"), words("SET k a FOO"), words("SET k a KEEPTTL PX 5"), words("SET k a PX"), words("GETEX k PX"), words("SET k"), words("SETEX k 0 a"), words("PSETEX k -1 a"),
		words("PEXPIRE k 9223372036854775807"), words("PEXPIRE k +5"), words("PEXPIRE k"), words("PEXPIRE none 5"),
		words("EXPIRE k 9223372036854775807"), words("GETEX k PX 0"), words("GETEX k PX 9223372036854775807"),
		words("GET"), words("GET k k"), words("DEL"), words("DEL k none"), words("PTTL k"), words("INCR n"), words("INCR n n"),
		words("SET k a PXAT 1"), words("EXISTS k"), words("SET k a"), words("PTTL k"), words("GETEX k PXAT 1"), words("EXISTS k"),
		words("SET k a"), words("EXPIREAT k 1"), words("EXISTS k"),
		words("RPUSH l a"), words("GET l"), words("INCR l"), words("SET l a NX PX 100000"), words("SETNX l a"), words("TYPE l"), words("GETEX l PX 100000"), words("PTTL l"), words("GETEX l PERSIST"), words("GETEX l FOO"), words("GETEX"),
		words("SET f 1.5"), words("INCR f"), words("SET m 9223372036854775807"), words("INCR m"),
		// Commands of locks that were made before SET had its options, or that count on the client's clock.
		words("SETNX s a"), words("PTTL s"), words("SETNX s b"), words("PEXPIRE s 100000"), words("PTTL s"), words("GET s"),
		words("SET s b PX 200000"), words("PTTL s"), words("SET s c NX PXAT 2840140800000"), words("GET s"), words("PTTL s"),
		words("SET s c NX PXAT 1"), words("GET s"), words("DEL s"), words("SET s c NX PXAT 2840140800000"), words("GET s"),
		words("PEXPIRE s 100000"), words("PTTL s"), words("DEL s"), words("SET s d NX PXAT 1"), words("EXISTS s"), words("SETNX s e"), words("PTTL s"),
		words("SET s d NX PXAT 0"), words("SET s d NX PXAT -1"), words("SET s d NX PXAT x"), words("SET s d NX PXAT"), words("SET s d NX PX 5 PXAT 5"),
		{"EVALSHA", Scripts[1].sha, "1", "s", "e", "100000"}, {"EVAL", Scripts[1].Text, "1", "s", "x", "100000"}, words("PTTL s"),
		{"EVALSHA", Scripts[1].sha, "1", "s", "e", "100000"}, words("PTTL s"), {"EVALSHA", Scripts[1].sha, "1", "none", "e", "100000"},
		words("NOSUCH"), words("nosuch a b"), {"no such", "a b", ""}, {""}, {"a\r\nb", "c\nd"}, {"a\x00b", "c\x00d"},
		{long, long, "b"}, {"foo", long[:100], long}, {"foo", "a", "b", "c", "d"},
		words("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0"), words("EVALSHA x 0"), words("EVALSHA x"),
		{"EVAL", "return 1"}, {"EVAL", "return 1", "x"}, {"EVAL", "return 1", "-1"}, {"EVAL", "return 1", "1"}, {"EVAL", "return 1", "0"},
		words("EVALSHA E0E1F9FABFC9D4800C877A703B823AC0578FF8DB 0"), words("SCRIPT EXISTS e0e1f9fabfc9d4800c877a703b823ac0578ff8db x"),
		words("SCRIPT"), words("SCRIPT LOAD"), words("SCRIPT EXISTS"), words("SCRIPT FLUSH NOW"), words("SCRIPT foo"),
		{"SCRIPT", "LOAD", Scripts[0].Text}, {"EVALSHA", Scripts[0].sha, "1", "k", "a"}, words("SCRIPT FLUSH ASYNC"),
		{"EVALSHA", Scripts[0].sha, "1", "k", "a"}, words("PING"), words("PING x"), words("ECHO x"),
	} {
		if want, got := server.do(command...), r.do(command...); !alike(want, got) || isError(want) && want != got {
			t.Errorf("%q: the server says %#v, the node %#v", command, want, got)
		}
	}
}

// The wording of a script's errors differs between versions; their beginning does not.
func TestScriptsOnANodeAnswerAsOnARealServer(t *testing.T) {
	server, r := realServer(t), once(t, Config{})
	server.do(words("RPUSH list a")...)
	r.do(words("RPUSH list a")...)
	for _, script := range []string{
		"return redis.call('GET', 'list')", "return redis.pcall('GET', 'list')", "return redis.call('NOSUCH')", "return redis.pcall('NOSUCH')",
		"return redis.call('BLPOP', 'none', 0)", "return redis.call('GET')", "return redis.call('EVAL', 'return 1', 0)", "return redis.call()",
		"return redis.call('GET', {})", "return nosuch", "nosuch = 1", "error('boo')", "error({err = 'MINE so'})", "return {err = 'MINE so'}",
		"return redis.error_reply('MINE so')", "return redis.error_reply('MINE')", "return redis.status_reply('fine')", "return print('x')",
		"return +", "end) (function() return 1", "return 1 -- done", "", "return error", "return {1, error, 2}", "return {1, false, 'x', nil, 5}",
		"return 3.99", "return -3.99", "return 'x', 'y'", "return {ok = 'fine'}", "return {{}, {1}}", "return true", "return false",
		"return redis.call('SET', 'k', 'a', 'NX', 'PX', 100000)", "return redis.call('SET', 'k', 'a', 'NX', 'PX', '100000')",
		"return redis.call('SET', 'k', 'a', 'PX', 'x')", "return redis.call('SET', 'k', 'a', 'PX', '0')", "return redis.call('PTTL', 'k')", "return redis.call('TTL', 'k')",
		"return setmetatable({}, {__index = function() return 1 end})", "return {math.random(1, 1), type(math.random())}",
		"local ok, e = pcall(redis.call, 'GET', 'list') return {ok, type(e), e}", "local ok, e = pcall(error, 'x') return {ok, type(e)}",
		"return cjson.encode({1, {a = 'b'}})", "return cjson.decode('[1,{\"a\":[2]}]')[2].a", "return redis.sha1hex('')", "return #KEYS + #ARGV",
		"return redis.call('ECHO', 12)", "return redis.call('ECHO', 1e15)", "return redis.call('SUNION', 'nosuch')", "return require", "return dofile", "return io",
	} {
		if want, got := server.do("EVAL", script, "0"), r.do("EVAL", script, "0"); !alike(want, got) {
			t.Errorf("%s: the server says %#v, the node %#v", script, want, got)
		} else if want != nil && isError(want) && want != got {
			t.Logf("worded differently: %s\n\tserver: %s\n\tnode:   %s", script, want, got)
		}
	}
}

// unhurried makes the lives in a command so long that the speed of this machine does not matter.
func unhurried(args []string) []string {
	for i := 1; i < len(args); i++ {
		life := args[i-1] == "PX" || args[0] == "PEXPIRE" && i == 2 || strings.HasPrefix(args[0], "EVAL") && i == lifeOf(args)
		if n, err := strconv.Atoi(args[i]); life && err == nil && n > 0 && n <= 100 {
			args[i] += "000000"
		}
	}
	return args
}

// lifeOf returns where a script has its life: after the keys and a value, but redislock's has an offset before it.
func lifeOf(args []string) int {
	keys, _ := strconv.Atoi(args[min(2, len(args)-1)])
	if args[1] == redislockObtain || args[1] == digest(redislockObtain) {
		return 5 + keys
	}
	return 4 + keys
}

func TestNodeAgreesWithARealServer(t *testing.T) {
	server := realServer(t)
	undated := slices.DeleteFunc(slices.Clone(Scripts), func(s Script) bool { return s.dated() }) // the server's clock is right
	rapid.Check(t, func(t *rapid.T) {
		r := rigged(t, Config{})
		defer r.close()
		server.do("FLUSHALL")
		server.do("SCRIPT", "FLUSH")
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			args := unhurried(rapid.OneOf(rapid.Custom(ordinary), rapid.Custom(func(t *rapid.T) []string { return script(t, undated) })).
				Filter(func(a []string) bool { return !strings.Contains(strings.Join(a, " "), "PXAT") }).Draw(t, "command"))
			if want, got := server.do(args...), r.do(args...); !alike(want, got) {
				t.Fatalf("%q: the server says %#v, the node %#v", args, want, got)
			}
			for _, probe := range []string{"GET k", "PTTL k", "TYPE k", "GET j", "PTTL j", "TYPE j"} {
				if want, got := server.do(words(probe)...), r.do(words(probe)...); !alike(want, got) {
					t.Fatalf("after %q: %s: the server says %#v, the node %#v", args, probe, want, got)
				}
			}
		}
	})
}
