package redis

import (
	"crypto/sha1" //nolint:gosec // Redis identifies a script by it
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/alicebob/miniredis/v2"
	lua "github.com/yuin/gopher-lua"
)

// A Script is a Lua script that the node runs natively. Its Go code must do what Text does; a test compares them.
type Script struct {
	Name       string
	Text       string
	Keys, Args int    // how many it takes; called with others, it is interpreted
	sha        string // by which EVALSHA calls it
	outline    string // equal for every script that does the same in the same steps
	run        func(n *Node, keys, args []string) (reply any, ok bool)
}

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
	{Name: "take a hash", Text: hashTake, Keys: 2, Args: 2, run: takeHash},
	{Name: "free a hash", Text: hashFree, Keys: 2, Args: 2, run: freeHash},
	{Name: "renew a hash", Text: hashRenew, Keys: 2, Args: 2, run: renewHash},
	{Name: "set and count", Text: setAndCount, Keys: 2, Args: 3, run: takeAndCount},
	{Name: "redsync: delete", Text: redsyncDelete, Keys: 1, Args: 1, run: deleteOrReportGone},
	{Name: "redsync: touch", Text: redsyncTouch, Keys: 1, Args: 2, run: compareAndExtend},
	{Name: "redsync: touch or set", Text: redsyncTouchOrSet, Keys: 1, Args: 2, run: extendOrTake},
	{Name: "redislock: obtain", Text: redislockObtain, Keys: 1, Args: 3, run: obtain},
	{Name: "redislock: refresh", Text: redislockRefresh, Keys: 1, Args: 2, run: compareAndExtend},
	{Name: "redislock: release", Text: redislockRelease, Keys: 1, Args: 1, run: compareAndDelete},
	{Name: "redislock: pttl", Text: redislockPTTL, Keys: 1, Args: 1, run: leftOfMine},
	{Name: "rueidislock: acquire", Text: rueidislockAcquire, Keys: 1, Args: 2, run: takeUntil},
	{Name: "rueidislock: extend", Text: rueidislockExtend, Keys: 1, Args: 2, run: extendUntil},
	{Name: "rueidislock: delete", Text: rueidislockDelete, Keys: 1, Args: 1, run: compareAndDelete},
	{
		Name: "look, compare and delete",
		Text: `local owner = redis.call('GET', KEYS[1]) if owner == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`,
		Keys: 1, Args: 1, run: compareAndDelete,
	},
	{Name: "asynq: enqueue", Text: asynqEnqueue, Keys: 3, Args: 4, run: enqueueTask},
	{Name: "asynq: delete", Text: asynqDelete, Keys: 2, Args: 3, run: deleteTask},
})

func named(scripts []Script) []Script {
	for i := range scripts {
		scripts[i].sha, scripts[i].outline = digest(scripts[i].Text), outline(scripts[i].Text)
	}
	return scripts
}

func digest(text string) string {
	sum := sha1.Sum([]byte(text)) //nolint:gosec // see above
	return hex.EncodeToString(sum[:])
}

// compareAndDelete releases the caller's lock.
func compareAndDelete(n *Node, keys, args []string) (any, bool) {
	if mine, ok := n.compare(keys[0], args[0]); !mine {
		return int64(0), ok
	}
	n.tap("DEL", keys[0])
	n.db.Del(keys[0])
	n.deleted(keys[0])
	return int64(1), true
}

// compareAndExtend extends the caller's lock.
func compareAndExtend(n *Node, keys, args []string) (any, bool) {
	if !short(args[1]) {
		return nil, false
	}
	if mine, ok := n.compare(keys[0], args[0]); !mine {
		return int64(0), ok
	}
	return n.pexpire([]string{"PEXPIRE", keys[0], args[1]}), true
}

// compare reports whether a key has this value. It is not ok where GET would fail: then the script is interpreted, and
// reports the error like Redis. Nothing has changed yet.
func (n *Node) compare(key, value string) (equal, ok bool) {
	n.tap("GET", key)
	got, err := n.db.Get(key)
	if err == nil {
		return got == value, true
	}
	return false, errors.Is(err, miniredis.ErrKeyNotFound)
}

// tap passes a command to Config.OnCommand.
func (n *Node) tap(args ...string) {
	if n.config.OnCommand != nil {
		n.config.OnCommand(slices.Clone(args))
	}
}

// A cached script is one that the node has seen since it was last on again.
type cached struct {
	text, sha string
	native    *Script            // nil for one that is interpreted
	proto     *lua.FunctionProto // the compiled script; nil until it is needed
	broken    Error              // why it can't be compiled; empty when it can
	habits    habits
}

// readMax is how many scripts a node keeps. Few clients send more than a handful; some write their arguments into the
// text.
const readMax = 1000

// load adds a script to the cache, or returns, as an error reply, why it can't be read.
func (n *Node) load(text string) (c *cached, wrong any) {
	c = n.read[text]
	if c == nil {
		c = &cached{text: text, sha: digest(text), native: knownAs(text)}
		if c.native == nil {
			if _, err := readLua(text); err != nil {
				return nil, uncompiled(err)
			}
		}
		if len(n.read) >= readMax {
			clear(n.read)
		}
		n.read[text] = c
	}
	if !slices.Contains(n.scripts, c) {
		n.scripts = append(n.scripts, c)
	}
	return c, nil
}

// knownAs returns the known script with the same text or the same outline; nil if there is none. Another text may do
// the same in other steps: then it is interpreted.
func knownAs(text string) *Script {
	for i := range Scripts {
		if Scripts[i].Text == text {
			return &Scripts[i]
		}
	}
	is := outline(text)
	for i := range Scripts {
		if is != "" && Scripts[i].outline == is {
			return &Scripts[i]
		}
	}
	return nil
}

// Interpreted returns the script of a command if the node must interpret it, otherwise "". It also reports whether each
// call needs its own machine, because the script may change what other scripts find.
func Interpreted(command []string) (script string, alone bool) {
	switch {
	case len(command) > 1 && strings.EqualFold(command[0], "EVAL"):
		script = command[1]
	case len(command) == 3 && strings.EqualFold(command[0], "SCRIPT") && strings.EqualFold(command[1], "LOAD"):
		script = command[2]
	}
	if script == "" || knownAs(script) != nil {
		return "", false
	}
	c := cached{text: script}
	return script, c.ready() == nil && c.habits.meddles
}

// eval is EVAL script numkeys key … arg …, and EVALSHA with the SHA-1 of a script. find finds the script.
func (n *Node) eval(name string, args []string, find func(string) (*cached, any)) any {
	if len(args) < 3 {
		return arity(name)
	}
	keys, wrong := countKeys(args[2:])
	if wrong != nil {
		return wrong
	}
	c, wrong := find(args[1])
	if wrong != nil {
		return wrong
	}
	return n.invoke(c, keys, args[2:])
}

// loaded returns the script in the cache with this SHA-1.
func (n *Node) loaded(sha string) (c *cached, wrong any) {
	for _, c := range n.scripts {
		if c.sha == sha || strings.EqualFold(c.sha, sha) {
			return c, nil
		}
	}
	return nil, Error("NOSCRIPT No matching script. Please use EVAL.")
}

// countKeys reads how many of a script's arguments are keys, or returns an error reply.
func countKeys(args []string) (keys int, wrong any) {
	keys, err := strconv.Atoi(args[0])
	switch {
	case err != nil || strconv.Itoa(keys) != args[0]: // "05" is a number to Go, but not to Redis
		return 0, Error("ERR value is not an integer or out of range")
	case keys > len(args)-1:
		return 0, Error("ERR Number of keys can't be greater than number of args")
	case keys < 0:
		return 0, Error("ERR Number of keys can't be negative")
	}
	return keys, nil
}

// invoke runs a script: natively if it is known and fits, otherwise interpreted.
func (n *Node) invoke(c *cached, keys int, args []string) any {
	if s := c.native; s != nil && !n.config.Interpret && n.bar == "" && s.Keys == keys && s.Args == len(args)-1-keys {
		if reply, ok := s.run(n, args[1:1+keys], args[1+keys:]); ok {
			return reply
		}
	}
	return n.interpret(c, keys, args)
}

// script is SCRIPT LOAD, EXISTS and FLUSH.
func (n *Node) script(args []string) any {
	if len(args) < 2 {
		return arity("script")
	}
	switch sub := strings.ToUpper(args[1]); {
	case sub == "LOAD" && len(args) == 3:
		c, wrong := n.load(args[2])
		if wrong != nil {
			return wrong
		}
		return c.sha
	case sub == "EXISTS" && len(args) > 2:
		return n.known(args[2:])
	case sub == "FLUSH" && (len(args) == 2 || len(args) == 3 && slices.Contains(flushes, strings.ToUpper(args[2]))):
		n.scripts, n.status = n.scripts[:0], true
		return "OK"
	case sub == "FLUSH":
		return Error("ERR SCRIPT FLUSH only support SYNC|ASYNC option")
	case sub == "LOAD" || sub == "EXISTS":
		return arity("script|" + strings.ToLower(sub))
	}
	return Error(fmt.Sprintf("ERR unknown subcommand '%s'. Try SCRIPT HELP.", first(args[1], 128)))
}

// flushes are the ways to flush the script cache. A client sees no difference.
var flushes = []string{"SYNC", "ASYNC"}

// known returns the reply of SCRIPT EXISTS.
func (n *Node) known(shas []string) any {
	list := make([]any, len(shas))
	for i, sha := range shas {
		list[i] = int64(0)
		if slices.ContainsFunc(n.scripts, func(c *cached) bool { return c.sha == strings.ToLower(sha) }) {
			list[i] = int64(1)
		}
	}
	return list
}

func arity(command string) Error {
	return Error("ERR wrong number of arguments for '" + command + "' command")
}
