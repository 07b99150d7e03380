package redis

import (
	_ "embed" // sandbox.lua
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	luajson "github.com/alicebob/miniredis/v2/gopher-json"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
	luaparse "github.com/yuin/gopher-lua/parse"
)

// A machine runs the Lua scripts of one node. Making one costs more than most scripts, so a node keeps its machine as
// long as a new one would do the same: a script that may have left something in it costs the machine. See habits.
type machine struct {
	state  *lua.LState
	reseed *lua.LFunction // is called before each script
	show   *lua.LFunction // tostring, as scripts have it
	shared []shared
}

// A shared table is one that all scripts find, with its first contents.
type shared struct {
	table *lua.LTable
	holds map[lua.LValue]lua.LValue
}

//go:embed sandbox.lua
var sandboxText string

var sandbox = func() *lua.FunctionProto {
	proto, err := compile(sandboxText)
	if err != nil {
		panic("redis: sandbox.lua: " + err.Error())
	}
	flatten(proto)
	return proto
}()

// flatten moves all lines of a function to the first one, so that no error shows a client the lines of the sandbox.
func flatten(p *lua.FunctionProto) {
	for i := range p.DbgSourcePositions {
		p.DbgSourcePositions[i] = 1
	}
	for _, inner := range p.FunctionPrototypes {
		flatten(inner)
	}
}

// readLua reads a script. Errors name it as Redis does.
func readLua(text string) ([]ast.Stmt, error) {
	return luaparse.Parse(strings.NewReader(text), "user_script")
}

// compile compiles a script. Positions in its errors begin with a colon, where Redis puts its name.
func compile(text string) (*lua.FunctionProto, error) {
	chunk, err := readLua(text)
	if err != nil {
		return nil, err
	}
	return lua.Compile(chunk, "")
}

// libraries are the parts of Lua's own library that scripts have, in the order in which Lua opens them.
var libraries = []struct {
	name string
	open lua.LGFunction
}{
	{lua.LoadLibName, lua.OpenPackage}, {lua.BaseLibName, lua.OpenBase}, {lua.CoroutineLibName, lua.OpenCoroutine},
	{lua.TabLibName, lua.OpenTable}, {lua.StringLibName, lua.OpenString}, {lua.MathLibName, lua.OpenMath},
}

// newMachine returns a machine as deep as the EVAL of miniredis leaves to a script.
func (n *Node) newMachine() *machine {
	full := lua.Options{CallStackSize: lua.CallStackSize, RegistrySize: lua.RegistrySize}
	rest := lua.Options{CallStackSize: full.CallStackSize - 2, RegistrySize: full.RegistrySize - 22, SkipOpenLibs: true}
	m := &machine{state: lua.NewState(rest)}
	m.state.Options = full // for each coroutine
	l, globals := m.state, m.state.G.Global
	for _, lib := range libraries {
		m.build(l.NewFunction(lib.open), lua.LString(lib.name))
	}
	globals.RawSetString("cjson", m.build(l.NewFunction(luajson.Loader)))
	globals.RawSetString("KEYS", l.NewTable())
	globals.RawSetString("ARGV", l.NewTable())
	redis := l.SetFuncs(l.NewTable(), n.functions())
	for level, name := range []string{"LOG_DEBUG", "LOG_VERBOSE", "LOG_NOTICE", "LOG_WARNING"} {
		// float: Lua has no other numbers
		redis.RawSetString(name, lua.LNumber(level))
	}
	globals.RawSetString("redis", redis)
	globals.RawSetString("server", redis)
	// float: as above
	globals.RawSetString("os", l.SetFuncs(l.NewTable(), map[string]lua.LGFunction{"clock": pushes(lua.LNumber(42))}))
	m.reseed = m.build(l.NewFunctionFromProto(sandbox)).(*lua.LFunction)
	m.show = globals.RawGetString("tostring").(*lua.LFunction)
	globals.Metatable = l.SetFuncs(l.NewTable(), map[string]lua.LGFunction{
		"__newindex": forbids("create"), "__index": forbids("access nonexistent"),
	})
	for _, name := range []string{"cjson", "redis", "os", lua.TabLibName, lua.StringLibName, lua.MathLibName} {
		s := shared{globals.RawGetString(name).(*lua.LTable), map[lua.LValue]lua.LValue{}}
		s.table.ForEach(func(k, v lua.LValue) { s.holds[k] = v })
		m.shared = append(m.shared, s)
	}
	return m
}

// build calls a function that builds the machine. It can't fail.
func (m *machine) build(f *lua.LFunction, args ...lua.LValue) lua.LValue {
	if err := m.state.CallByParam(lua.P{Fn: f, NRet: 1, Protect: true}, args...); err != nil {
		panic("redis: a machine for scripts can't be built: " + err.Error())
	}
	defer m.state.Pop(1)
	return m.state.Get(-1)
}

// forbids is for the names of globals that no script may create or read.
func forbids(deed string) lua.LGFunction {
	return func(l *lua.LState) int {
		name := l.Get(2).Type().String()
		if lua.LVCanConvToString(l.Get(2)) {
			name = l.Get(2).String()
		}
		l.Error(lua.LString("Script attempted to "+deed+" global variable '"+name+"'"), 1)
		return 0
	}
}

func pushes(v lua.LValue) lua.LGFunction {
	return func(l *lua.LState) int {
		l.Push(v)
		return 1
	}
}

// functions are the functions of the table redis.
func (n *Node) functions() map[string]lua.LGFunction {
	return map[string]lua.LGFunction{
		"call": func(l *lua.LState) int {
			v := n.called(l)
			if t, is := v.(*lua.LTable); is && t.RawGetString("err") != lua.LNil {
				l.Error(t, 0)
			}
			l.Push(v)
			return 1
		},
		"pcall": func(l *lua.LState) int {
			l.Push(n.called(l))
			return 1
		},
		"error_reply": func(l *lua.LState) int {
			kind, text, long := strings.Cut(strings.TrimPrefix(textOf(l), "-"), " ")
			if !long {
				kind, text = "ERR", kind
			}
			l.Push(tagged(l, "err", kind+" "+text))
			return 1
		},
		"status_reply": func(l *lua.LState) int {
			l.Push(tagged(l, "ok", textOf(l)))
			return 1
		},
		"sha1hex": func(l *lua.LState) int {
			onlyOne(l)
			l.Push(lua.LString(digest(lua.LVAsString(l.Get(1)))))
			return 1
		},
		"log": func(l *lua.LState) int {
			l.CheckInt(1)
			l.CheckString(2)
			return 0
		},
		"setresp": func(l *lua.LState) int {
			if v := l.CheckInt(1); v != 2 && v != 3 {
				l.Error(lua.LString("RESP version must be 2 or 3"), 1)
			}
			return 0
		},
		"set_repl": func(l *lua.LState) int {
			onlyOne(l)
			return 1
		},
		"replicate_commands": pushes(lua.LTrue),
	}
}

func textOf(l *lua.LState) string {
	text, is := l.Get(1).(lua.LString)
	if !is {
		l.Error(lua.LString("wrong number or type of arguments"), 1)
	}
	return string(text)
}

func onlyOne(l *lua.LState) {
	if l.GetTop() != 1 {
		l.Error(lua.LString("wrong number of arguments"), 1)
	}
}

func tagged(l *lua.LState, tag, text string) *lua.LTable {
	t := l.CreateTable(0, 1)
	t.RawSetString(tag, lua.LString(text))
	return t
}

// called carries out the command of redis.call and redis.pcall.
func (n *Node) called(l *lua.LState) lua.LValue {
	args := make([]string, l.GetTop())
	for i := range args {
		v := l.Get(i + 1)
		if !lua.LVCanConvToString(v) {
			l.Error(lua.LString("Lua redis lib command arguments must be strings or integers"), 1)
		}
		args[i] = v.String()
	}
	if len(args) == 0 {
		l.Error(lua.LString("Please specify at least one argument for this redis lib call"), 1)
	}
	switch reply := n.attempt(args).(type) {
	case Error:
		if strings.HasPrefix(string(reply), "ERR unknown command") {
			reply = "ERR Unknown Redis command called from script"
		}
		return tagged(l, "err", string(reply))
	case string:
		if n.status {
			return tagged(l, "ok", reply)
		}
		return lua.LString(reply)
	default:
		return toLua(l, reply)
	}
}

// toLua returns a reply, or a part of one, as scripts see it.
func toLua(l *lua.LState, reply any) lua.LValue {
	switch r := reply.(type) {
	case string:
		return lua.LString(r)
	case int64:
		// float: Lua has no other numbers
		return lua.LNumber(r)
	case []any:
		t := l.CreateTable(len(r), 0)
		for _, part := range r {
			t.Append(toLua(l, part))
		}
		return t
	}
	return lua.LFalse
}

// ready compiles a script if necessary. It returns, as an error reply, why it can't be compiled.
func (c *cached) ready() (wrong any) {
	if c.proto == nil && c.broken == "" {
		if proto, err := compile(c.text); err != nil {
			c.broken = uncompiled(err)
		} else {
			if !strings.Contains(c.text, "arg") {
				// Otherwise each call makes a table for Lua 5.0 that costs as much as a command.
				proto.IsVarArg &^= lua.VarArgNeedsArg
			}
			c.proto = proto
			c.habits.look(proto)
		}
	}
	if c.broken != "" {
		return c.broken
	}
	return nil
}

func uncompiled(err error) Error {
	return inline("ERR Error compiling script (new function): " + err.Error())
}

// Habits are what a script might do to the machine that runs it.
type habits struct {
	writes  bool // it writes into tables, perhaps shared ones
	meddles bool // it may change what intact does not check
}

// usual are the names of globals that a script may use without meddling. It can reach no other functions, and these
// change nothing but a table that they are given.
var usual = []string{
	"ARGV", "KEYS", "assert", "cjson", "error", "getmetatable", "ipairs", "math", "next", "os", "pairs", "pcall",
	"rawequal", "rawget", "rawset", "redis", "select", "server", "setmetatable", "string", "table", "tonumber",
	"tostring", "type", "unpack",
}

// writing are those that may change a table.
var writing = []string{"rawset", "setmetatable", "table"}

// look adds what a function might do. For the layout of instructions see gopher-lua's opcode.go.
func (h *habits) look(p *lua.FunctionProto) {
	for _, code := range p.Code {
		switch int(code >> 26) {
		case lua.OP_SETGLOBAL:
			h.meddles = true
		case lua.OP_GETGLOBAL:
			name := p.Constants[code&0x3ffff].String()
			_, is := slices.BinarySearch(usual, name)
			h.meddles = h.meddles || !is
			h.writes = h.writes || slices.Contains(writing, name)
		case lua.OP_SETTABLE, lua.OP_SETTABLEKS:
			h.writes = true
		}
	}
	for _, inner := range p.FunctionPrototypes {
		h.look(inner)
	}
}

// intact reports whether the shared tables have their first contents.
func (m *machine) intact() bool {
	for _, s := range m.shared {
		found, same := 0, s.table.Metatable == lua.LNil
		s.table.ForEach(func(k, v lua.LValue) { found, same = found+1, same && s.holds[k] == v })
		if !same || found != len(s.holds) {
			return false
		}
	}
	return true
}

// interpret runs a script in Lua.
func (n *Node) interpret(c *cached, keys int, args []string) (reply any) {
	if wrong := c.ready(); wrong != nil {
		n.status = false
		return wrong
	}
	if n.machine == nil {
		n.machine = n.newMachine()
	}
	m := n.machine
	n.machine = nil // unless it is as good as new
	now := n.lend()
	value, err := m.run(c.proto, args[1:1+keys], args[1+keys:])
	n.takeBack(now)
	if err != nil {
		n.status = false
		return m.failure(err, c.sha)
	}
	if !c.habits.meddles && (!c.habits.writes || m.intact()) {
		n.machine = m
	}
	reply, n.status = fromLua(value, 0)
	return reply
}

// run runs a script, and returns its first result.
func (m *machine) run(p *lua.FunctionProto, keys, args []string) (lua.LValue, error) {
	l, globals := m.state, m.state.G.Global
	globals.RawSetString("KEYS", listed(l, keys))
	globals.RawSetString("ARGV", listed(l, args))
	l.Push(m.reseed)
	l.Call(0, 0)
	l.Push(l.NewFunctionFromProto(p))
	if err := l.PCall(0, 1, nil); err != nil {
		return nil, err
	}
	value := l.Get(-1)
	l.SetTop(0)
	return value, nil
}

func listed(l *lua.LState, words []string) *lua.LTable {
	t := l.CreateTable(len(words), 0)
	for _, w := range words {
		t.Append(lua.LString(w))
	}
	return t
}

// failure is the reply to a script that failed. An error of a command keeps its first word, by which clients recognize
// it.
func (m *machine) failure(failed error, sha string) Error {
	why, raised := failed.Error(), (*lua.ApiError)(nil)
	if errors.As(failed, &raised) {
		if t, is := raised.Object.(*lua.LTable); is && lua.LVCanConvToString(t.RawGetString("err")) {
			return inline(t.RawGetString("err").String() + suffix(sha))
		}
		why = m.shown(raised.Object)
	}
	why = inScript.ReplaceAllString(why, "user_script: Script")
	if strings.HasPrefix(why, ":") {
		why = "user_script" + why
	}
	return inline("ERR " + why + suffix(sha))
}

// inScript is where an error about a global names its line, which Redis does not.
var inScript = regexp.MustCompile(`^:\d+: Script`)

func suffix(sha string) string { return " script: " + sha + ", on @user_script." }

// shown is the result of tostring, if that works.
func (m *machine) shown(v lua.LValue) string {
	if lua.LVCanConvToString(v) {
		return v.String()
	}
	if m.state.CallByParam(lua.P{Fn: m.show, NRet: 1, Protect: true}, v) != nil {
		return v.Type().String()
	}
	return m.state.Get(-1).String()
}

// inline is the text of an error or a status, without line breaks.
func inline(text string) Error {
	return Error(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, text))
}

// fromLua returns the result of a script as a reply, and whether that is a status. A value that Redis has no form for
// is nil. The depth of a reply is bounded.
func fromLua(v lua.LValue, depth int) (reply any, status bool) {
	switch v := v.(type) {
	// float: it is made whole
	case lua.LNumber:
		// float: it is made whole
		return whole(v), false
	case lua.LString:
		return string(v), false
	case lua.LBool:
		if v {
			return int64(1), false
		}
	case *lua.LTable:
		return replyOf(v, depth)
	}
	return nil, false
}

// whole returns a number as Redis replies it: without its fraction, and the smallest integer where it is out of range.
// float: a conversion is the same on every machine where it fits
func whole(v lua.LNumber) int64 {
	// float: as above
	if v > math.MinInt64 && v < math.MaxInt64 {
		// float: as above
		return int64(v)
	}
	return math.MinInt64
}

func replyOf(t *lua.LTable, depth int) (reply any, status bool) {
	if text, is := t.RawGetString("err").(lua.LString); is {
		return inline(string(text)), false
	}
	if text, is := t.RawGetString("ok").(lua.LString); is {
		return string(inline(string(text))), true
	}
	if depth > 50 {
		return Error("ERR reached lua stack limit"), false
	}
	list := []any{}
	for i := 1; t.RawGetInt(i) != lua.LNil; i++ {
		part, _ := fromLua(t.RawGetInt(i), depth+1)
		list = append(list, part)
	}
	return list, false
}
