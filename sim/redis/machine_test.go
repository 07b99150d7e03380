package redis

import (
	_ "embed" // the oracle's sandbox
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2/server"
	"pgregory.net/rapid"
)

// The oracle is the EVAL of miniredis, which builds a new Lua state for each call, and a sandbox in Lua around each
// script. A node did this before it had its own machine.
//
//go:embed testdata/sandbox.lua
var oracleSandbox string

// consult adds the oracle to a node, as a command.
func consult(n *Node) {
	err := n.srv.Register("ORACLE", func(p *server.Peer, _ string, args []string) {
		n.srv.SetPreHook(func(q *server.Peer, name string, args ...string) bool {
			return (name != "EVAL" || q != p) && n.guard(q, name, args...)
		})
		n.srv.Dispatch(p, append([]string{"EVAL"}, args...))
		p.Resp3, p.SwitchResp3 = false, nil
	})
	if err != nil {
		panic(err)
	}
}

// consulting spells EVAL so that the oracle carries it out.
func consulting(command []string) []string {
	if command[0] != "EVAL" {
		return command
	}
	var b strings.Builder
	for line := range strings.Lines(oracleSandbox) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "--") {
			b.WriteString(line + " ")
		}
	}
	return append([]string{"ORACLE", b.String() + command[1] + "\nend, '" + digest(command[1]) + "')"}, command[2:]...)
}

// A machine's errors are better than the oracle's: they have the line of the script, and the script's name once.
var (
	inLine = regexp.MustCompile(`(user_script)?:\d+: (Lua redis lib|Please specify|Script attempted)`)
	named2 = regexp.MustCompile(` script: [0-9a-f]{40}, &c\.?`)
)

func leveled(reply any) any {
	switch r := reply.(type) {
	case Error:
		return Error(named2.ReplaceAllString(inLine.ReplaceAllString(string(r), "$2"), ""))
	case string:
		return named2.ReplaceAllString(inLine.ReplaceAllString(r, "$2"), "")
	case []any:
		list := []any{}
		for _, part := range r {
			list = append(list, leveled(part))
		}
		return list
	}
	return reply
}

// agrees has a machine, which has run what it has run, and the oracle run a script, and compares reply, keys and lives.
func (r *rig) agrees(command []string) {
	r.tb.Helper()
	if _, err := readLua(command[1]); err != nil {
		r.fails("ERR Error compiling script (new function): user_script line:", command...)
		return
	}
	got, want := r.nodes[0].Serve(command), r.nodes[1].Serve(consulting(command))
	if g, w := leveled(got), leveled(want); !equal(g, w) {
		r.tb.Fatalf("%q:\ngot  %#v\nwant %#v", command, g, w)
	}
	r.agree()
}

// A grammar of scripts: a name may become each of its entries.
var grammar = map[string][]string{
	"script": {"STMT return EXPR", "STMT STMT return EXPR", "STMT STMT STMT", "return EXPR", "MEDDLE STMT return EXPR", "STMT MEDDLE return EXPR",
		"local function f(n) if n <= 0 then return EXPR end return f(n - 1) end STMT return f(3)"},
	"STMT": {"local t = {EXPR, EXPR} STMT", "local s = EXPR STMT", "redis.call(COMMAND)", "redis.pcall(COMMAND)", "if EXPR then STMT else STMT end",
		"for i = 1, 3 do STMT end", "local t = {} for i = 1, #ARGV do t[i] = ARGV[i] end STMT", "local t = redis.pcall(COMMAND) STMT",
		"while true do STMT break end", "repeat STMT until true", "local t = {} table.insert(t, EXPR) STMT", "local s = 'x' .. TEXT", "error(EXPR)",
		"local a, b = pcall(redis.call, COMMAND) if not a then return b end", "if EXPR then return EXPR end",
		"for k, v in pairs({a = 1, b = EXPR}) do STMT end", "for i, v in ipairs({EXPR, EXPR}) do STMT end", "assert(EXPR)"},
	"EXPR": {"NUMBER", "TEXT", "nil", "true", "false", "TEXT == TEXT", "NUMBER < NUMBER", "not EXPR", "EXPR and EXPR", "EXPR or EXPR", "{EXPR, EXPR, EXPR}",
		"{ok = TEXT}", "{err = TEXT}", "{}", "redis.call(COMMAND)", "redis.pcall(COMMAND)", "redis.error_reply(TEXT)", "redis.status_reply(TEXT)",
		"unpack({EXPR, EXPR})", "cjson.encode({NUMBER, TEXT})", "cjson.encode({a = NUMBER, b = TEXT})", `cjson.decode('{"b":[1,2],"a":{"d":1,"c":null}}')`,
		"cjson.decode(TEXT)", "type(EXPR)", "tostring(EXPR)", "tonumber(TEXT)", "#TEXT", "#KEYS", "t", "s", "t[1]", "string.format('%s %d', TEXT, NUMBER)",
		"string.format('%s', EXPR)", "math.random(NUMBER)", "math.random()", "redis.sha1hex(TEXT)", "select('#', EXPR, EXPR)", "next({EXPR})",
		"redis.call(COMMAND) or EXPR", "(redis.call(COMMAND))", "...", "os.clock()", "redis.LOG_WARNING", "table.concat({TEXT, NUMBER}, ',')"},
	"NUMBER": {"0", "1", "3", "-1", "3.99", "250", "1e300", "0/0", "-1/0", "#ARGV", "tonumber(ARGV[2])", "NUMBER + NUMBER", "NUMBER % 3", "math.floor(NUMBER)",
		"math.max(NUMBER, NUMBER)", "redis.call('INCR', KEYS[1])", "redis.call('PTTL', KEYS[1])", "redis.call('STRLEN', KEYS[1])"},
	"TEXT": {"'x'", "''", "'MINE so'", "'-a b'", "'two\\nlines'", "KEYS[1]", "ARGV[1]", "TEXT .. TEXT", "TEXT .. NUMBER", "string.sub(TEXT, 1, 2)", "string.upper(TEXT)",
		"string.rep(TEXT, 2)", "(TEXT):lower()", "string.gsub(TEXT, 'x', 'y')", "tostring(NUMBER)", "type(TEXT)", "redis.call('GET', KEYS[1])",
		"redis.call('HGET', 'h', 'f')"},
	"COMMAND": {"'GET', KEYS[1]", "'get', 'j'", "'SET', KEYS[1], ARGV[1]", "'SET', KEYS[1], ARGV[1], 'PX', ARGV[2]", "'SET', KEYS[1], TEXT, 'NX', 'PX', 5",
		"'DEL', KEYS[1]", "'PEXPIRE', KEYS[1], ARGV[2]", "'PTTL', KEYS[1]", "'INCR', 'j'", "'EXISTS', KEYS[1], 'j'", "'RPUSH', 'l', TEXT, NUMBER", "'LRANGE', 'l', 0, -1",
		"'HSET', 'h', 'f', TEXT", "'HGETALL', 'h'", "'HINCRBY', 'h', 'g', 1", "'ZADD', 'z', 1, TEXT", "'ZRANGE', 'z', 0, -1", "'SADD', 's', TEXT", "'SMEMBERS', 's'",
		"'TIME'", "'NOSUCH', TEXT", "'GET'", "'EVAL', 'return 1', 0", "'MULTI'", "'PUBLISH', 'c', TEXT", "'SELECT', 1", "EXPR", "", "'SPOP', 's'", "'RANDOMKEY'",
		"'MGET', KEYS[1], 'j'", "'SET', KEYS[1]", "unpack(ARGV)", "'TYPE', KEYS[1]", "'BZMPOP', 0, 1, 'z', 'MIN'", "'SET', KEYS[1], 1.5", "'PING'", "'ECHO', TEXT"},
	"MEDDLE": {"string.upper = nil", "string.extra = 1", "redis.call = redis.pcall", "redis.x = {}", "KEYS[1] = 'other'", "KEYS = {}", "ARGV = nil",
		"x = 1", "_G.x = 1", "rawset(_G, 'x', 1)", "rawset(string, 'x', 1)", "setmetatable(_G, nil)", "setmetatable(string, {__index = math})",
		"setmetatable(_G, {__index = function() return 1 end}) x = y", "getmetatable('').__index = function() return 'no' end", "getmetatable('').x = 1",
		"string.__index.y = 1", "('x').__index.y = 1", "table.insert(redis, 1)", "table.sort(math)", "table.remove(string)", "cjson.decode = function() return 'mine' end",
		"cjson.encode = nil", "loadstring('string.x = 1')()", "load(function() return nil end)", "setfenv(1, {redis = redis})",
		"getfenv().x = 1", "math.randomseed(7)", "math.random = 4", "pcall = nil",
		"type = nil pairs = nil select = nil", "string.format = nil", "table.concat = nil", "unpack = nil", "os.clock = 1", "server.pcall = nil",
		"local c = coroutine.create(function(a) STMT coroutine.yield(a) end) coroutine.resume(c, 1)", "coroutine.wrap(function() redis.call(COMMAND) end)()",
		"pcall(error, {err = 'X'})", "xpcall(function() error('x') end, function(e) return e end)", "redis.setresp(3)", "redis.setresp(4)", "redis.log(1, 'x')",
		"redis.replicate_commands()", "redis.set_repl(1)", "collectgarbage()", "print('x')", "local t = setmetatable({}, {__index = function() error('x') end}) return t.x",
		"return setmetatable({}, {__tostring = function() return 'me' end})", "error(setmetatable({}, {__tostring = function() return 'me' end}))",
		"table.foo = 1", "local m = math m.pi = 3", "string.len, string.byte = string.byte, string.len", "if x then end", "return nosuch", "local s = string s.new = 1 s.new = nil"},
}

var words2 = regexp.MustCompile(`[A-Z]{4,}`)

// breaks are scripts that change what the oracle's sandbox uses while it runs another.
var breaks = []string{"string.gsub = nil error('x')", "error = nil", "tostring = type", "math.floor = math.ceil", "setfenv(0, {})", "setfenv(1, {})", "getfenv(0).string = nil",
	"setfenv(pcall, {})", "setfenv(tostring, {})", "string, math, table, cjson, redis = nil", "tostring({}, setfenv(2, {}))", "setfenv(3, {})",
	"tostring(setmetatable({}, {__tostring = function() setfenv(2, {}) setfenv(3, {}) return 'x' end}))", "string.format = tostring",
	"local t = string t.format = nil", "for k in pairs(redis) do redis[k] = nil end", "for k in pairs(_G) do _G[k] = nil end", "pcall(function() setfenv(3, {}) end)"}

// grow draws a text for a name of the grammar.
func grow(t *rapid.T, name string, depth int) string {
	choices := grammar[name]
	if depth > 3 {
		choices = choices[:min(3, len(choices))]
	}
	text := rapid.SampledFrom(choices).Draw(t, name)
	return words2.ReplaceAllStringFunc(text, func(word string) string {
		if _, is := grammar[word]; !is || depth > 6 {
			if is {
				return map[string]string{"STMT": "", "EXPR": "1"}[word]
			}
			return word
		}
		return grow(t, word, depth+1)
	})
}

// realScripts are those that locks of this module and libraries send.
func realScripts(tb testing.TB) (texts []string) {
	source, err := os.ReadFile("../../scenarios/locks/redissonkinds.go")
	if err != nil {
		tb.Fatal(err)
	}
	for _, quoted := range regexp.MustCompile("(?s)`[^`]*redis\\.call[^`]*`").FindAllString(string(source), -1) {
		texts = append(texts, strings.Trim(quoted, "`"))
	}
	if len(texts) < 6 {
		tb.Fatalf("only %d scripts were found", len(texts))
	}
	for _, s := range Scripts {
		texts = append(texts, s.Text)
	}
	return append(texts,
		`if redis.call("GET", KEYS[1]) == ARGV[1] then redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2]) return "OK" `+
			`else return redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", ARGV[2]) end`, // go-zero
		`local held = redis.call('get', KEYS[1]); if held ~= ARGV[1] then return 0 else return redis.call('del', KEYS[1]) end`)
}

// A machine that has run anything does what a new one does, which is what the EVAL of miniredis does.
func TestAMachineThatHasRunAnythingDoesWhatMiniredisDoes(t *testing.T) {
	texts := realScripts(t)
	rapid.Check(t, func(t *rapid.T) {
		r := rigged(t, Config{Watch: "k", Interpret: true}, Config{Watch: "k", Interpret: true})
		defer r.close()
		consult(r.nodes[1])
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			command := []string{"EVAL", "", "1"}
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				move(t, r)
				continue
			case 1, 2:
				r.same(ordinary(t))
				continue
			case 3: // it would break the oracle's sandbox, which is what this is about
				r.do("EVAL", rapid.SampledFrom(breaks).Draw(t, "break"), "0")
				continue
			case 4:
				command[1], command[2] = rapid.SampledFrom(texts).Draw(t, "text"), "4"
				command = append(command, "k", "channel", "l", "z", values.Draw(t, "value"), "100", "5", "7", "2", "1")
			default:
				command[1] = grow(t, "script", 0)
				command = append(command, keys.Draw(t, "key"), values.Draw(t, "value"), lives.Draw(t, "life"))
			}
			r.agrees(command)
		}
	})
}

// The stack of a used machine is as deep as a new one's, in calls and in values.
func TestAMachineIsAsDeepAsANewOne(t *testing.T) {
	r := rigged(t, Config{Interpret: true}, Config{Interpret: true})
	t.Cleanup(r.close)
	consult(r.nodes[1])
	for depth := 240; depth < 260; depth++ {
		r.agrees([]string{"EVAL", fmt.Sprintf("local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end return f(%d)", depth), "0"})
	}
	const within = "return coroutine.wrap(function() local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end return f(%d) end)()"
	for depth := 245; depth < 260; depth++ {
		r.agrees([]string{"EVAL", fmt.Sprintf(within, depth), "0"})
	}
	r.agrees([]string{"EVAL", "return {os.clock(), tostring(os.clock())}", "0"})
	for _, text := range []string{"local t = {} for i = 1, %d do t[i] = i end return {unpack(t)}", "return select('#', unpack({}, 1, %d))"} {
		for n := 4900; n < 5150; n += 7 {
			r.agrees([]string{"EVAL", fmt.Sprintf(text, n), "0"})
		}
	}
}

// A script that leaves nothing behind keeps the machine, and one that might does not.
func TestAMachineIsKeptAsLongAsItIsGood(t *testing.T) {
	r := once(t, Config{})
	for text, kept := range map[string]bool{
		"return redis.call('GET', 'k')":                true,
		"local t = {1} t[2] = 2 return t":              true,
		"return redis.error_reply('x')":                true,
		"redis.pcall('NOSUCH')":                        true,
		"return redis.call('NOSUCH')":                  false,
		"string.x = 1":                                 false,
		"string.len = string.byte":                     false,
		"local s = string s.len = nil":                 false,
		"local s = string s.x = 1 s.x = nil return #s": true,
		"table.insert(math, 1)":                        false,
		"('x').__index.y = 1":                          false,
		"KEYS = nil":                                   false,
		"return _G":                                    false,
		"return pcall(error)":                          true,
		"setmetatable(string, {})":                     false,
		"rawset(string, 'x', 1)":                       false,
		"return setmetatable({}, {__index = error})":   true,
		"return xpcall(error, error)":                  false,
		"return loadstring('string.x = 1')()":          false,
		"return function() string.x = 1 end":           true,
		"return (function() string.x = 1 end)()":       false,
	} {
		r.nodes[0].machine = nil
		r.do("EVAL", "return 1", "0")
		r.do("EVAL", text, "0")
		if got := r.nodes[0].machine != nil; got != kept {
			t.Errorf("%s: kept: %v, want %v", text, got, kept)
		}
	}
}

func TestNamesThatAreUsualAreSorted(t *testing.T) {
	if !slices.IsSorted(usual) {
		t.Error("they are looked up by bisection")
	}
}
