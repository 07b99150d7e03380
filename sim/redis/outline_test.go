package redis

import "testing"

// People write the two scripts of a lock in many ways that differ in nothing that they do: they run natively too.
func TestScriptsOfOneOutlineRunNatively(t *testing.T) {
	for text, want := range map[string]string{
		"if redis.call(\"get\",KEYS[1]) == ARGV[1] then\n    return redis.call(\"del\",KEYS[1])\nelse\n    return 0\nend":   "redislock: release",
		"-- free it\nif redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]); end\nreturn 0;":       "compare and delete",
		"if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('pexpire',KEYS[1],ARGV[2]) else return 0 end":         "redsync: touch",
		"local owner = redis.call('get', KEYS[1])\nif owner == ARGV[1] then return redis.call('del', KEYS[1]) end return 0": "look, compare and delete",

		"if redis.call('get', KEYS[1]) == ARGV[2] then return redis.call('del', KEYS[1]) end return 0":     "",
		"if redis.call('get', KEYS[1]) = = ARGV[1] then return redis.call('del', KEYS[1]) end return 0":    "",
		"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return '0'":   "",
		"if redis.call([[get]], KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0":   "",
		"if redis.call('\\103ET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0": "",
		"if redis.call('GET, KEYS[1]) == ARGV[1]":                                                          "",
		"--[[ if redis.call('GET', KEYS[1]) ]] return 0":                                                   "",
		"": "",
	} {
		got := ""
		if s := knownAs(text); s != nil {
			got = s.Name
		}
		if got != want {
			t.Errorf("%q is known as %q, and should be as %q", text, got, want)
		}
	}
}

// A script is called again by the SHA-1 of its text, however it is run.
func TestAScriptKeepsItsOwnName(t *testing.T) {
	r := once(t, Config{Watch: "k"})
	text := "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"
	r.replies(digest(text), "SCRIPT", "LOAD", text)
	r.expect("OK", "SET k mine")
	r.replies(int64(0), "EVALSHA", digest(text), "1", "k", "theirs")
	r.replies(int64(1), "EVALSHA", digest(text), "1", "k", "mine")
}
