package redis

import (
	"testing"
	"time"
)

// A script is known by its text alone. Were the text changed by one byte, clients that hold the old name would go
// astray.
func TestKnownScriptsKeepTheirNames(t *testing.T) {
	for i, want := range []string{"6fbe84d1140fd2047394924af9d845b83c070bec", "e50f848e374a94192aa6f2e444e7eb8acc16501d", "", "", "", "",
		"e950836ed1e694540c503ef9972b8de518044d3b", "d75bb8b5bd13532ddedd17762e772346e39b321e", "b6b55c439e02c6f52ffb8be7ec8c0d0ac816ea79"} {
		if got := Scripts[i].sha; want != "" && got != want {
			t.Errorf("%s: got %s, want %s", Scripts[i].Name, got, want)
		}
	}
}

func TestOnlyTheOwnerReleasesAndExtends(t *testing.T) {
	for name, c := range map[string]Config{"native": {Watch: "k"}, "interpreted": {Watch: "k", Interpret: true}} {
		t.Run(name, func(t *testing.T) {
			r := once(t, c)
			release, extend := Scripts[0].Text, Scripts[1].Text
			r.expect("OK", "SET k mine NX PX 1000")
			r.at(100 * time.Millisecond)
			r.replies(int64(0), "EVAL", extend, "1", "k", "theirs", "5000")
			r.replies(int64(0), "EVAL", release, "1", "k", "theirs")
			r.replies(int64(1), "EVAL", extend, "1", "k", "mine", "5000")
			r.lived("mine 0s 5.101s")
			r.at(200 * time.Millisecond)
			r.replies(int64(1), "EVALSHA", Scripts[0].sha, "1", "k", "mine")
			r.replies(int64(0), "EVALSHA", Scripts[0].sha, "1", "k", "mine")
			r.lived("mine 0s 0.2s")
			r.expect(int64(1), "RPUSH k mine")
			r.fails("WRONGTYPE ", "EVAL", release, "1", "k", "mine")
			r.fails("WRONGTYPE ", "EVAL", extend, "1", "k", "mine", "5000")
		})
	}
}

func TestScriptErrorsBeginAsInRedis(t *testing.T) {
	r := once(t, Config{})
	r.expect(int64(1), "RPUSH list a")
	for script, want := range map[string]string{
		"return redis.call('GET', 'list')":                      "WRONGTYPE Operation against",
		"return redis.call('GET')":                              "ERR wrong number of arguments for 'get' command script: ",
		"return redis.call('NOSUCH')":                           "ERR Unknown Redis command called from script script: ",
		"return redis.call('EVAL', 'return 1', 0)":              "ERR This Redis command is not allowed from script script: ",
		"return nosuch":                                         "ERR user_script: Script attempted to access nonexistent global variable 'nosuch'",
		"nosuch = 1":                                            "ERR user_script: Script attempted to create global variable 'nosuch'",
		"\n\nerror('boo')":                                      "ERR user_script:3: boo script: ",
		"error({err = 'MINE so'})":                              "MINE so script: ",
		"return redis.error_reply('MINE so')":                   "MINE so",
		"local ok, e = pcall(redis.call, 'X') return {err = e}": "ERR Unknown Redis command called from script",
		"return +":                  "ERR Error compiling script (new function): user_script",
		"end) (function() return 1": "ERR Error compiling script (new function): user_script",
		"local t = {} t[1] = redis.pcall('X') return t[1]": "ERR Unknown Redis command called from script",
	} {
		r.fails(want, "EVAL", script, "0")
	}
}

func TestScriptMayEndInAComment(t *testing.T) {
	r := once(t, Config{})
	r.replies(int64(1), "EVAL", "return 1 -- done", "0")
	r.replies(nil, "EVAL", "-- nothing", "0")
	r.replies(nil, "EVAL", "", "0")
}

// A script's result has a form in Redis, or becomes nil; nothing brings the node down.
func TestScriptMayReturnAnything(t *testing.T) {
	r := once(t, Config{})
	for script, want := range map[string]any{
		"return":                           nil,
		"return false":                     nil,
		"return true":                      int64(1),
		"return 3.99":                      int64(3),
		"return 'x', 'y'":                  "x",
		"return {1, false, {'x'}, nil, 5}": []any{int64(1), nil, []any{"x"}},
		"return {ok = 'fine'}":             "fine",
		"return {err = 'BAD so'}":          Error("BAD so"),
		"return print":                     Error("ERR user_script: Script attempted to access nonexistent global variable 'print' script: "),
		"return error":                     nil,
		"return {1, error}":                []any{int64(1), nil},
		"return coroutine.create(function() end)": nil,
		"return 0/0": int64(-1 << 63),
		"return setmetatable({}, {__index = function() return 1 end})": []any{},
	} {
		got := r.do("EVAL", script, "0")
		if e, bad := got.(Error); bad && want != nil {
			got = e[:min(len(e), len(want.(Error)))]
		}
		if !equal(got, want) {
			t.Errorf("%s: got %#v, want %#v", script, got, want)
		}
	}
	r.do("EVAL", "local t = {} t[1] = t return t", "0")
	r.do("EVAL", "redis.setresp(3) error('x')", "0")
	r.do("EVAL", "redis.setresp(3) string.gsub = nil error('x')", "0")
	r.expect(nil, "GET none")
}

func TestScriptCommandsAnswerAsRedis(t *testing.T) {
	r := once(t, Config{})
	for _, c := range []struct {
		want any
		args []string
	}{
		{Error("ERR wrong number of arguments for 'eval' command"), []string{"EVAL", "return 1"}},
		{Error("ERR wrong number of arguments for 'evalsha' command"), []string{"EVALSHA", "x"}},
		{Error("ERR value is not an integer or out of range"), []string{"EVAL", "return 1", "x"}},
		{Error("ERR Number of keys can't be negative"), []string{"EVAL", "return 1", "-1"}},
		{Error("ERR Number of keys can't be greater than number of args"), []string{"EVAL", "return +", "1"}},
		{Error("NOSCRIPT No matching script. Please use EVAL."), []string{"EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "0"}},
		{"e0e1f9fabfc9d4800c877a703b823ac0578ff8db", []string{"script", "load", "return 1"}},
		{[]any{int64(1), int64(0)}, []string{"SCRIPT", "EXISTS", "E0E1F9FABFC9D4800C877A703B823AC0578FF8DB", "x"}},
		{int64(1), []string{"evalsha", "E0E1F9FABFC9D4800C877A703B823AC0578FF8DB", "0"}},
		{Error("ERR wrong number of arguments for 'script' command"), []string{"SCRIPT"}},
		{Error("ERR wrong number of arguments for 'script|load' command"), []string{"SCRIPT", "LOAD"}},
		{Error("ERR wrong number of arguments for 'script|exists' command"), []string{"SCRIPT", "exists"}},
		{Error("ERR SCRIPT FLUSH only support SYNC|ASYNC option"), []string{"SCRIPT", "FLUSH", "NOW"}},
		{Error("ERR unknown subcommand 'foo'. Try SCRIPT HELP."), []string{"SCRIPT", "foo"}},
		{"OK", []string{"SCRIPT", "FLUSH", "async"}},
		{[]any{int64(0)}, []string{"SCRIPT", "EXISTS", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db"}},
	} {
		r.replies(c.want, c.args...)
	}
}

// Each run of a script draws the same; the commands of a node draw on from where they were.
func TestChanceInScriptsIsTheNodesOwn(t *testing.T) {
	r := rigged(t, Config{}, Config{})
	t.Cleanup(r.close)
	r.same([]string{"SADD", "s", "a", "b", "c", "d", "e", "f"})
	r.same([]string{"SADD", "t", "d", "e", "f", "g", "h"})
	script := []string{"EVAL", "return {math.random(1000000), math.random(6), math.random() * 1000}", "0"}
	first := r.do(script...)
	r.nodes[1].Serve(script)
	seen := map[any]bool{}
	for range 50 {
		r.same(script)
		r.replies(first, script...)
		r.nodes[1].Serve(script)
		for _, command := range []string{"RANDOMKEY", "SRANDMEMBER s", "SINTER s t", "SUNION s t", "SDIFF s t"} {
			r.same(words(command))
			r.same([]string{"EVAL", "return redis.call(unpack(ARGV))", "0", words(command)[0], words(command)[len(words(command))-1]})
		}
		key := r.do("RANDOMKEY")
		r.nodes[1].Serve([]string{"RANDOMKEY"})
		seen[key] = true
	}
	if len(seen) != 2 {
		t.Errorf("RANDOMKEY gave %v of two keys", seen)
	}
	r.same([]string{"SPOP", "s", "3"})
	r.same([]string{"SPOP", "t"})
}

// A lock that was taken twice and is released once lives on for the time that the release names.
func TestAReleaseThatLeavesALockRenewsIt(t *testing.T) {
	r := once(t, Config{Watch: "k"})
	for range 2 {
		r.replies(nil, "EVAL", hashTake, "1", "k", "a", "5000")
	}
	r.replies(int64(1), "EVAL", hashFree, "2", "k", "channel", "a", "9000")
	r.replies(int64(9000), "PTTL", "k")
}
