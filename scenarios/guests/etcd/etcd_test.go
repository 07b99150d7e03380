package etcd

import (
	"context"
	"fmt"
	"io"
	"net"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/locktest"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// Our own lock on these servers behaves as the catalogue says of servers without a front.
func TestOwnLock(t *testing.T) {
	newLock := func(c locks.Config) locks.Lock { return locks.NewEtcd(c) }
	for _, id := range []string{"session/cut-off", "etcd/rolling-restart"} {
		locktest.Run(t, id, newLock, locktest.On("etcd-grpc"))
	}
	s, _ := scenarios.Find("session/expiry-while-paused")
	s.ChangeKind(Kind)
	if f := scenarios.Run(s, 1).Findings[0]; f.Verdict != checker.Violated {
		t.Errorf("%s is %s", f.Property, f.Verdict)
	}
}

// A user-defined kind must keep belief, fenced and tokens where the catalogue's nearest kind does.
func TestASearchOfAnAddedKindNeedsNoPromise(t *testing.T) {
	locktest.Fuzz(t, "etcd/any", func(c locks.Config) locks.Lock { return locks.NewEtcd(c) }, locktest.On("etcd-grpc"),
		locktest.Seeds(300))
}

// Every kind of request that a client of etcd can make is written to out with its result. Revisions start at a new
// service's.
func tell(ctx context.Context, c *clientv3.Client, out io.Writer) {
	say := func(what string, answer any, err error) {
		if err != nil {
			fmt.Fprintf(out, "%s: %v\n", what, err)
			return
		}
		fmt.Fprintf(out, "%s: %v\n", what, shown(answer))
	}
	get := func(key string, o ...clientv3.OpOption) {
		r, err := c.Get(ctx, key, o...)
		say("get "+key, r, err)
	}
	put := func(key, value string, o ...clientv3.OpOption) {
		r, err := c.Put(ctx, key, value, o...)
		say("put "+key, r, err)
	}
	all := c.Watch(ctx, "a", clientv3.WithPrefix(), clientv3.WithRev(2))
	get("a1")
	put("a1", "x")
	put("a1", "y")
	put("a3", "z")
	put("a2", "")
	get("a1")
	get("a", clientv3.WithPrefix())
	get("a", clientv3.WithFirstCreate()...)
	get("a", clientv3.WithLastCreate()...)
	get("a", append(clientv3.WithLastCreate(), clientv3.WithMaxCreateRev(4))...)
	get("a", clientv3.WithPrefix(), clientv3.WithCountOnly())
	get("a", clientv3.WithPrefix(), clientv3.WithKeysOnly(), clientv3.WithLimit(2))
	for _, rev := range []int64{0, 2} {
		r, err := c.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("a1"), "=", rev)).
			Then(clientv3.OpDelete("a1"), clientv3.OpPut("b", "1"), clientv3.OpGet("a", clientv3.WithPrefix())).
			Else(clientv3.OpGet("a1")).Commit()
		say("txn", r, err)
	}
	del, err := c.Delete(ctx, "a", clientv3.WithPrefix())
	say("delete", del, err)
	lease, err := c.Grant(ctx, 1)
	say("grant", lease, err)
	put("a4", "", clientv3.WithLease(lease.ID))
	put("a5", "", clientv3.WithLease(12345))
	kept, err := c.KeepAliveOnce(ctx, lease.ID)
	say("keep", kept, err)
	other, err := c.Grant(ctx, 60)
	say("grant", other, err)
	put("a6", "", clientv3.WithLease(other.ID))
	gone, err := c.Revoke(ctx, other.ID)
	say("revoke", gone, err)
	_, err = c.Revoke(ctx, other.ID)
	say("revoke", nil, err)
	_, err = c.KeepAliveOnce(ctx, other.ID)
	say("keep", nil, err)
	left := 11 // events: the end of the first lease is the last
	for r := range all {
		for _, e := range r.Events {
			fmt.Fprintf(out, "watched %s %s at %d\n", e.Type, e.Kv.Key, e.Kv.ModRevision)
			left--
		}
		if left == 0 {
			break
		}
	}
	get("a", clientv3.WithPrefix())
}

// shown is an answer without what differs from server to server.
func shown(answer any) string {
	switch r := answer.(type) {
	case *clientv3.GetResponse:
		return ranged((*pb.RangeResponse)(r))
	case *clientv3.PutResponse:
		return fmt.Sprint(r.Header.Revision)
	case *clientv3.DeleteResponse:
		return fmt.Sprint(r.Header.Revision, " ", r.Deleted)
	case *clientv3.TxnResponse:
		s := fmt.Sprint(r.Header.Revision, " ", r.Succeeded)
		for _, one := range r.Responses {
			s += fmt.Sprint("; ", ranged(one.GetResponseRange()), one.GetResponseDeleteRange().GetDeleted())
		}
		return s
	case *clientv3.LeaseGrantResponse:
		return fmt.Sprint(r.TTL)
	case *clientv3.LeaseKeepAliveResponse:
		return fmt.Sprint(r.TTL)
	case *clientv3.LeaseRevokeResponse:
		return fmt.Sprint(r.Header.Revision)
	}
	return ""
}

func ranged(r *pb.RangeResponse) string {
	if r == nil {
		return ""
	}
	s := fmt.Sprintf("%d at %d, more %t", r.Count, r.GetHeader().GetRevision(), r.More)
	for _, k := range r.Kvs {
		s += fmt.Sprintf(", %s=%s %d %d %d %t", k.Key, k.Value, k.CreateRevision, k.ModRevision, k.Version, k.Lease != 0)
	}
	return s
}

// newClient returns a client of etcd's.
func newClient(nodes []string, o ...grpc.DialOption) (*clientv3.Client, error) {
	return clientv3.New(clientv3.Config{Endpoints: nodes, Logger: zap.NewNop(), DialOptions: o})
}

// A teller is a guest without a lock, which only makes these requests.
type teller struct {
	*clientv3.Client
	out *strings.Builder
}

func (l teller) Acquire(ctx context.Context) (string, time.Time, error) {
	if l.out.Len() == 0 {
		tell(ctx, l.Client, l.out)
	}
	return "", time.Time{}, io.EOF
}
func (teller) Release(context.Context) error { return nil }
func (l teller) Close()                      { _ = l.Client.Close() }

// A client gets the same answers from the simulated servers as from a real etcd.
func TestTheServersAnswerAsEtcdDoes(t *testing.T) {
	var here, there strings.Builder
	s, _ := scenarios.Find("baseline/single-instance")
	s.ChangeKind(Kind)
	for _, setting := range []string{"clients=1", "work.cycles=1", "lock.retry.attempts=1"} {
		if err := s.Set(setting); err != nil {
			t.Fatal(err)
		}
	}
	k := guest.Kind{Wire: NewWire, Service: true, Lock: func(c *guest.Client) (guest.Lock, error) {
		dial := func(ctx context.Context, address string) (net.Conn, error) { return c.Dial(ctx, "tcp", address) }
		client, err := newClient(c.Nodes, grpc.WithContextDialer(dial))
		return teller{client, &here}, err
	}}
	if _, err := k.Run(t, &s, 1); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(here.String(), "\n"); n != 36 {
		t.Errorf("%d lines:\n%s", n, &here)
	}
	address := realEtcd(t)
	client, err := newClient([]string{address})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	tell(t.Context(), client, &there)
	if here.String() != there.String() {
		is, want := strings.Split(here.String(), "\n"), strings.Split(there.String(), "\n")
		for i := range min(len(is), len(want)) {
			if is[i] != want[i] {
				t.Errorf("simulated: %s\nreal:      %s", is[i], want[i])
			}
		}
	}
}

// realEtcd starts an etcd, and ends it with the test.
func realEtcd(t *testing.T) string {
	path := need.Program(t, "nothing is compared with a real etcd", "etcd")
	var urls []string
	for range 2 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		urls = append(urls, "http://"+l.Addr().String())
		l.Close()
	}
	c := exec.Command(path, "--data-dir", t.TempDir(), "--listen-client-urls", urls[0], "--advertise-client-urls", urls[0],
		"--listen-peer-urls", urls[1], "--initial-advertise-peer-urls", urls[1], "--initial-cluster", "default="+urls[1],
		"--logger", "zap", "--log-outputs", "/dev/null")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	return urls[0]
}

// What is not simulated is refused with a word, and nothing is done.
func TestUnsimulatedRequestIsRejected(t *testing.T) {
	end := []byte("b")
	for _, err := range []error{
		failed(&pb.RangeRequest{Key: []byte("a"), RangeEnd: []byte("x")}),
		failed(&pb.RangeRequest{Key: []byte("a"), RangeEnd: end, Revision: 3}),
		failed(&pb.LeaseGrantRequest{ID: 7}), failed(&pb.PutRequest{PrevKv: true}),
		failed(&pb.TxnRequest{Compare: []*pb.Compare{{Result: pb.Compare_LESS}}}),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "not simulated: ") {
			t.Errorf("%v", err)
		}
	}
	if o, err := get(&pb.RangeRequest{Key: []byte("a"), RangeEnd: end}); err != nil || !o.Prefix {
		t.Errorf("a prefix: %v, %v", o, err)
	}
}

func failed(m proto.Message) error {
	_, err := translate(m)
	return err
}

// A history that another one replaces ends where they part.
func TestALogThatWasLostTakesItsHistoryAlong(t *testing.T) {
	g := &group{}
	at := func(revision uint64, key string) change {
		c := change{revision: revision}
		c.key.Key = key
		return c
	}
	for _, c := range []change{at(2, "a"), at(3, "b"), at(2, "a"), at(4, "c"), at(3, "d")} {
		g.record(c.revision, []change{c})
	}
	if want := []change{at(2, "a"), at(3, "d")}; !slices.Equal(g.history, want) {
		t.Errorf("%v, want %v", g.history, want)
	}
}

// A library in front of servers that speak another protocol than Redis's needs their wire. Without it, the run ends
// immediately, names the bytes and does not accuse the lock.
func TestMissingWireIsAnErrorWithTheBytes(t *testing.T) {
	s, _ := scenarios.Find("baseline/single-instance")
	s.ChangeKind(Kind)
	newTeller := func(c *guest.Client) (guest.Lock, error) {
		dial := func(ctx context.Context, address string) (net.Conn, error) { return c.Dial(ctx, "tcp", address) }
		client, err := newClient(c.Nodes, grpc.WithContextDialer(dial))
		return teller{client, new(strings.Builder)}, err
	}
	res, err := guest.Run(t, &s, 1, newTeller)
	if err == nil || res.Verdict != scenarios.Unknown || !strings.Contains(err.Error(), `"PRI * HTTP/2.0`) {
		t.Errorf("it ends as %v: %v", res.Verdict, err)
	}
}
