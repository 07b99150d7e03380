package redis

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// byWire has a node carry out a command that came by a wire, and returns the bytes of the answer.
func (r *rig) byWire(w *Wire, args ...string) string {
	reply := r.nodes[0].Serve(&Request{Wire: w, Args: args}).(*Reply)
	return string(reply.Bytes)
}

// Clients distinguish a status from a string, and nil in RESP2 from nil in RESP3.
func TestWireAnswersInTheBytesOfRedis(t *testing.T) {
	r := once(t, Config{})
	w := &Wire{ID: 7}
	for _, c := range []struct{ command, want string }{
		{"CLIENT ID", ":7\r\n"},
		{"client setinfo lib-name x", "+OK\r\n"},
		{"CLIENT SETNAME me", "+OK\r\n"},
		{"CLIENT GETNAME", "$2\r\nme\r\n"},
		{"CLIENT TRACKING ON", "-ERR unknown subcommand 'TRACKING'. Try CLIENT HELP.\r\n"},
		{"SELECT 0", "+OK\r\n"},
		{"SELECT 1", "-ERR DB index is out of range\r\n"},
		{"PING", "+PONG\r\n"},
		{"GET k", "$-1\r\n"},
		{"set k v ex 10 nx", "+OK\r\n"},
		{"set k v px 10 nx", "$-1\r\n"},
		{"PTTL k", ":10000\r\n"},
		{"GET k", "$1\r\nv\r\n"},
		{"HELLO 4", "-NOPROTO unsupported protocol version\r\n"},
		{"HELLO 3", "%7\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$5\r\n7.2.4\r\n$5\r\nproto\r\n:3\r\n$2\r\nid\r\n:7\r\n" +
			"$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n$7\r\nmodules\r\n*0\r\n"},
		{"set k v NX PX 10", "_\r\n"},
		{"SUBSCRIBE x", "-ERR unknown command 'SUBSCRIBE', with args beginning with: 'x' \r\n"},
		{"evalsha 6fbe84d1140fd2047394924af9d845b83c070bec 1 k v", "-NOSCRIPT No matching script. Please use EVAL.\r\n"},
		{"HELLO 2", "*14\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$5\r\n7.2.4\r\n$5\r\nproto\r\n:2\r\n$2\r\nid\r\n:7\r\n" +
			"$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n$7\r\nmodules\r\n*0\r\n"},
	} {
		if got := r.byWire(w, words(c.command)...); got != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q", c.command, got, c.want)
		}
	}
}

// redislock's script returns a status where it has taken the lock; its client looks for that.
func TestWireDistinguishesScriptStatuses(t *testing.T) {
	for _, interpret := range []bool{false, true} {
		r := once(t, Config{Interpret: interpret})
		w := &Wire{}
		obtain := []string{"EVAL", redislockObtain, "1", "k", "abc", "3", "1000"}
		if got := r.byWire(w, obtain...); got != "+OK\r\n" {
			t.Errorf("interpreted %v: obtained: %q", interpret, got)
		}
		obtain[4] = "xyz"
		if got := r.byWire(w, obtain...); got != "$-1\r\n" {
			t.Errorf("interpreted %v: taken: %q", interpret, got)
		}
		if got := r.byWire(w, "EVAL", redislockPTTL, "1", "k", "abc"); got != ":1000\r\n" {
			t.Errorf("interpreted %v: left: %q", interpret, got)
		}
	}
}

// However SET NX is spelled, it does the same as by the way that any command takes.
func TestWireSpellsSetAsItsFastPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rigged(t, Config{Watch: "k"}, Config{Watch: "k"})
		defer r.close()
		for range rapid.IntRange(1, 5).Draw(t, "steps") {
			life := rapid.SampledFrom([]string{"ex 1", "EX 3", "px 500", "PX 0", "ex 0", "ex 05", "px 1500", "exat 1001", "ex 9999999999"}).Draw(t, "life")
			form := rapid.SampledFrom([]string{"set k a % nx", "SET k b NX %", "set k c % NX", "set k d % xx", "Set k e XX %"}).Draw(t, "form")
			args := words(strings.Replace(form, "%", life, 1))
			got := r.nodes[0].Serve(&Request{Wire: &Wire{}, Args: args}).(*Reply).Value
			if want := r.nodes[1].Serve(args); !equal(got, want) {
				t.Fatalf("%q: %v by wire, %v without", args, got, want)
			}
			r.agree()
			r.pass(time.Duration(rapid.IntRange(1, 1200).Draw(t, "pause")) * time.Millisecond)
		}
	})
}

// Redis reads both, and an adapter that is written by hand is likely to write lines.
func TestCommandIsALineOrAnArray(t *testing.T) {
	for in, want := range map[string][2]string{
		"SET a b NX\r\nGET a\r\n": {"SET a b NX", "GET a\r\n"},
		"get a\n":                 {"get a", ""},
		"*2\r\n$3\r\nGET\r\n$1\r\na\r\nDEL a\r\n": {"GET a", "DEL a\r\n"},
		"SET a":               {"", "SET a"},
		"*2\r\n$3\r\nGET\r\n": {"", "*2\r\n$3\r\nGET\r\n"},
	} {
		args, rest, err := ReadCommand([]byte(in))
		if got := [2]string{strings.Join(args, " "), string(rest)}; err != nil || got != want {
			t.Errorf("%q is read as %q, %v; want %q", in, got, err, want)
		}
	}
	if _, _, err := ReadCommand([]byte("\x16\x03\x01\r\n")); err == nil {
		t.Error("the beginning of TLS is taken for a command")
	}
}
