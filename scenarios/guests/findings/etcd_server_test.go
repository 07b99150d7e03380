package findings_test

import (
	"context"
	"os/exec"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.uber.org/zap"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// realEtcd starts an etcd, and ends it with the test.
func realEtcd(t *testing.T) server {
	t.Helper()
	path := need.Program(t, "nothing is run on a real etcd", "etcd")
	for range 5 { // another process may take the ports first
		port, peer := freePort(t), freePort(t)
		client, among := "http://127.0.0.1:"+port, "http://127.0.0.1:"+peer
		c := exec.Command(path, "--data-dir", t.TempDir(), "--listen-client-urls", client, "--advertise-client-urls", client,
			"--listen-peer-urls", among, "--initial-advertise-peer-urls", among, "--initial-cluster", "default="+among,
			"--logger", "zap", "--log-outputs", "/dev/null")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { _ = c.Wait(); close(ended) }()
		t.Cleanup(func() { _ = c.Process.Kill(); <-ended })
		if addr := "127.0.0.1:" + port; listens(addr, ended) {
			return server{addr: addr}
		}
	}
	t.Fatal("etcd does not start")
	return server{}
}

// etcdClient is a client of etcd's, with nothing but its endpoint, as its documentation begins.
func etcdClient(t *testing.T, addr string) *clientv3.Client {
	t.Helper()
	c, err := clientv3.New(clientv3.Config{Endpoints: []string{addr}, Logger: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// session begins a session of ttl seconds.
func session(t *testing.T, c *clientv3.Client, ttl int) *concurrency.Session {
	t.Helper()
	s, err := concurrency.NewSession(c, concurrency.WithTTL(ttl))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// locked waits until another client has the lock, and returns when.
func locked(t *testing.T, c *clientv3.Client, name string) time.Time {
	t.Helper()
	m := concurrency.NewMutex(session(t, c, 60), name)
	if err := m.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	return time.Now()
}

// keys returns the keys below a prefix.
func keys(t *testing.T, c *clientv3.Client, prefix string) (all []string) {
	t.Helper()
	r, err := c.Get(context.Background(), prefix, clientv3.WithPrefix())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range r.Kvs {
		all = append(all, string(k.Key))
	}
	return all
}
