package redis

import (
	"slices"
	"strings"
	"testing"
)

func TestRefusedListIsSortedAndEachOfItIsACommandOfMiniredis(t *testing.T) {
	n := NewNode()
	defer n.Close()
	if !slices.IsSorted(unsupported) {
		t.Error("the list is searched by halves, so it must be sorted")
	}
	for _, name := range unsupported {
		if !n.srv.IsRegisteredCommand(name) {
			t.Errorf("%s is no command of miniredis: it needs no refusing", name)
		}
		if n.offers(name) {
			t.Errorf("%s is offered although it is unsupported", name)
		}
	}
}

// It must hold for each spelling, with arguments that would make the command block for good, and in a script too.
func TestRefusedCommandIsAnsweredAsUnknownAndNeverBlocks(t *testing.T) {
	r := once(t, Config{})
	for _, name := range append(unsupported, "NOSUCH", "CONFIG", "ROLE") {
		for _, name := range []string{name, strings.ToLower(name)} {
			r.replies(Error("ERR unknown command '"+name+"', with args beginning with: 'k' '0' "), name, "k", "0")
			r.fails("ERR Unknown Redis command called from script script: ", "EVAL", "return redis.call(ARGV[1], 'k', 0)", "0", name)
			r.replies("ERR Unknown Redis command called from script", "EVAL", "return redis.pcall(ARGV[1], 'k', 0).err", "0", name)
		}
	}
	r.expect(nil, "GET k")
}

// Commands that would block, reach another database, or run a script that the node has forgotten.
func TestNothingGetsPastTheNode(t *testing.T) {
	r := once(t, Config{})
	sha := r.do("SCRIPT", "LOAD", "return 1").(string)
	r.shutdown()
	r.restart()
	r.expect("OK", "SET k a")
	for _, command := range []string{"EVALSHA_RO " + sha + " 0", "EVAL_RO x 0", "COPY k j DB 1", "MOVE k 1", "SELECT 1",
		"BLPOP l 0", "XREAD BLOCK 0 STREAMS s $", "WAIT 1 0", "PSUBSCRIBE c", "REPLICAOF NO ONE", "MULTI", "CLIENT ID", "INFO", "OBJECT IDLETIME k"} {
		r.fails("ERR unknown command '"+words(command)[0]+"'", words(command)...)
	}
	r.expect("a", "GET k")
}

func TestUnknownCommandQuotesAsMuchAsRedisDoes(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"foo"}, "ERR unknown command 'foo', with args beginning with: "},
		{[]string{""}, "ERR unknown command '', with args beginning with: "},
		{[]string{"foo", "a b", ""}, "ERR unknown command 'foo', with args beginning with: 'a b' '' "},
		{[]string{"a\r\nb", "c\nd"}, "ERR unknown command 'a  b', with args beginning with: 'c d' "},
		{[]string{"a\x00b"}, "ERR unknown command 'a', with args beginning with: "},
		{[]string{long, long, "b"}, "ERR unknown command '" + long[:128] + "', with args beginning with: '" + long[:128] + "' "},
		{[]string{"foo", long[:100], long}, "ERR unknown command 'foo', with args beginning with: '" + long[:100] + "' '" + long[:25] + "' "},
	} {
		if got := unknown(c.args); string(got) != c.want {
			t.Errorf("%q: got %q, want %q", c.args, got, c.want)
		}
	}
}

func TestInvalidCommandIsAnError(t *testing.T) {
	r := once(t, Config{})
	for _, request := range []any{nil, 7, "GET k", []string{}, []string(nil)} {
		if _, bad := r.nodes[0].Serve(request).(Error); !bad {
			t.Errorf("%#v was served", request)
		}
	}
}

func TestRepliesOfEveryFormAreRead(t *testing.T) {
	for wire, want := range map[string]any{
		"+OK\r\n": "OK", "+PONG\r\n": "PONG", "-ERR no\r\n": Error("ERR no"), ":0\r\n": int64(0), ":-17\r\n": int64(-17),
		"$-1\r\n": nil, "*-1\r\n": nil, "$0\r\n\r\n": "", "$4\r\na\r\nb\r\n": "a\r\nb", "*0\r\n": []any{},
		"*3\r\n:1\r\n*1\r\n$1\r\nx\r\n$-1\r\n": []any{int64(1), []any{"x"}, nil},
	} {
		got, rest := parse([]byte(wire))
		if !equal(got, want) || len(rest) > 0 {
			t.Errorf("%q: got %#v and %q, want %#v", wire, got, rest, want)
		}
	}
}

// miniredis keeps an empty set, which Redis does not, and panics when it draws from it. Where a word of XCLAIM has no
// number, it panics before it takes its lock: code that then unlocks would end the process.
func TestCommandThatMiniredisDoesNotSurviveIsAnError(t *testing.T) {
	r := once(t, Config{})
	r.expect(int64(0), "SUNIONSTORE empty none")
	r.fails("ERR miniredis failed at this command: ", "SRANDMEMBER", "empty", "-3")
	r.fails("ERR ", "EVAL", "return redis.call('SRANDMEMBER', 'empty', -3)", "0")
	r.fails("ERR miniredis failed at this command: ", "XCLAIM", "k", "group", "me", "0", "0-1", "IDLE")
	r.expect("OK", "SET k a NX PX 100")
	r.expect("a", "get k")
}

func TestTapSeesWhatMiniredisCarriesOut(t *testing.T) {
	var seen []string
	r := once(t, Config{OnCommand: func(args []string) { seen = append(seen, strings.Join(args, " ")) }})
	r.expect("OK", "SET k a NX PX 100")
	r.replies(int64(1), "EVAL", Scripts[0].Text, "1", "k", "a")
	r.expect(Error("ERR unknown command 'WAIT', with args beginning with: '1' '0' "), "WAIT 1 0")
	if want := []string{"SET k a NX PX 100", "GET k", "DEL k"}; !slices.Equal(seen, want) {
		t.Errorf("got %q, want %q", seen, want)
	}
}
