package redis

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// realPair starts a master and its replica, and waits until they are in step.
func realPair(t *testing.T) (master, replica *rival) {
	master, replica = realServer(t), realServer(t)
	_, port, _ := net.SplitHostPort(master.conn.RemoteAddr().String())
	master.do(words("CONFIG SET repl-diskless-sync-delay 0")...)
	replica.do("REPLICAOF", "127.0.0.1", port)
	for range 100 {
		if role, ok := replica.do("ROLE").([]any); ok && len(role) > 3 && role[3] == "connected" && master.do("WAIT", "1", "100") == int64(1) {
			return master, replica
		}
		time.Sleep(50 * time.Millisecond)
	}
	need.Possible(t, "no replica is compared with a real one", errors.New("that of redis-server does not get in step within 5 s"))
	return nil, nil
}

// shape is a reply without its numbers and names, which are each world's own.
func shape(reply any) string {
	switch r := reply.(type) {
	case []any:
		var parts []string
		for _, e := range r {
			parts = append(parts, shape(e))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case string:
		if r == "master" || r == "slave" || r == "connected" {
			return r
		}
	}
	return fmt.Sprintf("%T", reply)
}

// The answers of a master and its replica, to the letter; each write is waited for.
func TestAPairAnswersAsARealPair(t *testing.T) {
	master, replica := realPair(t)
	release := []string{"EVAL", Scripts[0].Text, "1", "k", "a"}
	talk := []struct {
		onReplica bool
		command   []string
	}{
		{false, words("SET k a NX PX 100000")}, {false, words("WAIT 1 10000")}, {true, words("GET k")}, {true, words("PTTL k")},
		{true, words("SET k b NX PX 100000")}, {true, words("DEL none")}, {true, words("PEXPIRE k 5")}, {true, release}, {true, words("GET k")},
		{true, words("WAIT 1 0")}, {false, words("WAIT")}, {false, words("WAIT x 1")}, {false, words("WAIT 1 x")}, {false, words("WAIT 1 -1")},
		{false, words("WAIT 2 10")}, {false, words("WAIT 0 10")}, {true, []string{"EVAL", "return redis.call('GET', 'k')", "0"}},
		{true, []string{"EVAL", "return redis.pcall('SET', 'k', 'b').err", "0"}}, {true, []string{"EVALSHA", digest("return 5"), "0"}},
		{false, words("HSET h f 1 g 2")}, {false, words("RPUSH l c b a")}, {false, words("SADD s x y")}, {false, words("ZADD z 1.5 m 2 n")},
		{false, []string{"EVAL", "redis.call('HINCRBY', 'h', 'f', 5) return redis.call('PEXPIRE', 'h', 100000)", "0"}}, {false, words("WAIT 1 10000")},
		{true, words("HGET h f")}, {true, words("PTTL h")}, {true, words("LRANGE l 0 -1")}, {true, words("ZRANGE z 0 -1 WITHSCORES")}, {true, words("SCARD s")},
		{false, release}, {false, words("SET i 1 PX 1")}, {false, words("WAIT 1 10000")}, {true, words("EXISTS k")},
		{false, words("PUBLISH ch m")}, {true, words("PUBLISH ch m")}, {false, words("PUBLISH ch")}, {false, words("REPLICAOF x")}, {false, words("ROLE x")},
		{false, []string{"EVAL", "return redis.call('PUBLISH', 'ch', 'm')", "0"}}, {true, []string{"EVAL", "return redis.call('PUBLISH', 'ch', 'm')", "0"}},
		{true, words("REPLICAOF NO ONE")}, {true, words("REPLICAOF NO ONE")}, {true, words("SET k b NX PX 100000")}, {true, words("WAIT 1 10")},
	}
	r := newRingFor(t, 2, lag(0))
	r.c.Go("p", func(p *sim.Proc) {
		for _, c := range talk {
			rival, node := master, 0
			if c.onReplica {
				rival, node = replica, 1
			}
			want := rival.do(c.command...)
			got, err := p.Call(node, c.command, time.Minute)
			if !alike(want, got) || err != nil || isError(want) && want != got && c.command[0] != "EVAL" {
				t.Errorf("on the replica %t: %q: the server says %#v, the node %#v", c.onReplica, c.command, want, got)
			}
		}
	})
	if end := r.Run(); end != sim.Finished {
		t.Error(end)
	}
}

func TestRolesHaveTheShapeOfRealOnes(t *testing.T) {
	master, replica := realPair(t)
	r := newRingFor(t, 2, lag(0))
	for i, rival := range []*rival{master, replica} {
		want := shape(rival.do("ROLE"))
		r.At(ms, func() {
			if got := shape(r.nodes[i].Serve(words("ROLE"))); got != want {
				t.Errorf("n%d: got %s, want %s", i+1, got, want)
			}
		})
	}
	r.until(2 * time.Millisecond)
}
