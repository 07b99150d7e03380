package redis

import (
	"crypto/sha1" //nolint:gosec // it is how Redis names a script
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Script is a Lua script that the node runs natively. Run must do what Text does; a test holds them together.
type Script struct {
	Name       string
	Text       string
	Keys, Args int // how many it takes; called with others, it is interpreted
	sha        string
	run        func(n *Node, keys, args []string) (reply any, ok bool)
}

// SHA is the name by which EVALSHA calls the script.
func (s *Script) SHA() string { return s.sha }

// Scripts are the well-known scripts of locks.
var Scripts = named([]Script{
	{
		Name: "compare and delete",
		Text: `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`,
		Keys: 1, Args: 1, run: compareAndDelete,
	},
	{
		Name: "compare and extend",
		Text: `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0`,
		Keys: 1, Args: 2, run: compareAndExtend,
	},
})

func named(scripts []Script) []Script {
	for i := range scripts {
		scripts[i].sha = digest(scripts[i].Text)
	}
	return scripts
}

func digest(text string) string {
	sum := sha1.Sum([]byte(text)) //nolint:gosec // see above
	return hex.EncodeToString(sum[:])
}

// compareAndDelete frees a lock if it is still the caller's.
func compareAndDelete(n *Node, keys, args []string) (any, bool) {
	if mine, ok := n.compare(keys[0], args[0]); !mine {
		return int64(0), ok
	}
	n.words = [3]string{"DEL", keys[0]}
	return n.del(n.words[:2]), true
}

// compareAndExtend gives a lock a new life if it is still the caller's.
func compareAndExtend(n *Node, keys, args []string) (any, bool) {
	if _, err := strconv.ParseInt(args[1], 10, 64); err != nil {
		return nil, false
	}
	if mine, ok := n.compare(keys[0], args[0]); !mine {
		return int64(0), ok
	}
	n.words = [3]string{"PEXPIRE", keys[0], args[1]}
	return n.pexpire(n.words[:]), true
}

// compare tells whether a key has this value. It is not ok where GET fails: the interpreter knows best how a script
// reports that, and nothing has been changed yet.
func (n *Node) compare(key, value string) (equal, ok bool) {
	n.words = [3]string{"GET", key}
	switch reply := n.dispatch(n.words[:2]).(type) {
	case Error:
		return false, false
	case string:
		return reply == value, true
	}
	return false, true
}

// A cached script is one that the node has seen since it went on.
type cached struct{ sha, text string }

// remember puts a script into the cache.
func (n *Node) remember(text string) string {
	for i := range Scripts {
		if Scripts[i].Text == text {
			return n.keep(cached{Scripts[i].sha, text})
		}
	}
	return n.keep(cached{digest(text), text})
}

func (n *Node) keep(c cached) string {
	if !slices.Contains(n.scripts, c) {
		n.scripts = append(n.scripts, c)
	}
	return c.sha
}

// eval is EVAL script numkeys key … arg ….
func (n *Node) eval(args []string) any {
	if len(args) < 3 {
		return arity("eval")
	}
	if err := n.compiles(args[1]); err != nil {
		return err
	}
	return n.invoke(cached{n.remember(args[1]), args[1]}, args[2:])
}

// evalSHA is EVALSHA sha1 numkeys key … arg ….
func (n *Node) evalSHA(args []string) any {
	if len(args) < 3 {
		return arity("evalsha")
	}
	sha := strings.ToLower(args[1])
	for _, c := range n.scripts {
		if c.sha == sha {
			return n.invoke(c, args[2:])
		}
	}
	return Error("NOSCRIPT No matching script. Please use EVAL.")
}

// invoke runs a script: natively if it is known and fits, else interpreted.
func (n *Node) invoke(c cached, args []string) any {
	keys, err := strconv.Atoi(args[0])
	switch {
	case err != nil:
		return Error("ERR value is not an integer or out of range")
	case keys < 0:
		return Error("ERR Number of keys can't be negative")
	case keys > len(args)-1:
		return Error("ERR Number of keys can't be greater than number of args")
	}
	for i := range Scripts {
		s := &Scripts[i]
		if n.config.Interpret || s.sha != c.sha || s.Keys != keys || s.Args != len(args)-1-keys {
			continue
		}
		if reply, ok := s.run(n, args[1:1+keys], args[1+keys:]); ok {
			return reply
		}
	}
	return n.interpret(c.text, args)
}

// interpret runs a script in Lua.
func (n *Node) interpret(text string, args []string) any {
	n.srv.SetPreHook(n.guard)
	defer n.srv.SetPreHook(nil)
	return n.full(append([]string{"EVAL", prelude + text}, args...))
}

// prelude takes from a script what would make two runs differ: it shares the process's random generator and clock with
// all others. It stands on the script's first line, so that line numbers stay right.
var prelude = strings.ReplaceAll(`do
local s = 20160208
math.randomseed = function(x) s = x % 2147483647 end
math.random = function(m, n)
s = (s * 16807 + 11) % 2147483647
local r = s / 2147483647
if not m then return r end
if not n then m, n = 1, m end
return m + math.floor(r * (n - m + 1))
end
os.clock = function() return 0 end
end
`, "\n", " ")

// compiles tells, as an error reply, why a script does not compile.
func (n *Node) compiles(text string) any {
	for i := range Scripts {
		if Scripts[i].Text == text {
			return nil
		}
	}
	reply := n.dispatch([]string{"SCRIPT", "LOAD", text})
	if err, bad := reply.(Error); bad {
		return err
	}
	return nil
}

// script is SCRIPT LOAD, EXISTS and FLUSH.
func (n *Node) script(args []string) any {
	if len(args) < 2 {
		return arity("script")
	}
	switch sub := strings.ToUpper(args[1]); {
	case sub == "LOAD" && len(args) == 3:
		if err := n.compiles(args[2]); err != nil {
			return err
		}
		return n.remember(args[2])
	case sub == "EXISTS" && len(args) > 2:
		list := make([]any, len(args)-2)
		for i, sha := range args[2:] {
			list[i] = int64(0)
			if slices.ContainsFunc(n.scripts, func(c cached) bool { return c.sha == strings.ToLower(sha) }) {
				list[i] = int64(1)
			}
		}
		return list
	case sub == "FLUSH" && len(args) <= 3:
		n.scripts = n.scripts[:0]
		return "OK"
	}
	return Error(fmt.Sprintf("ERR unknown subcommand or wrong number of arguments for '%.128s'. Try SCRIPT HELP.", args[1]))
}

func arity(command string) Error {
	return Error("ERR wrong number of arguments for '" + command + "' command")
}
