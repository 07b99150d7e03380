package main

import (
	"context"
	"errors"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.uber.org/zap"
)

// An etcdLock is the Mutex of etcd's package concurrency, on a Session that is opened for the first attempt and after
// each one that is lost. As its documentation asks, it counts as lost when the session's channel is closed.
type etcdLock struct {
	*config
	client  *clientv3.Client
	session *concurrency.Session
	mutex   *concurrency.Mutex
}

func newEtcd(c *config) (lock, error) {
	client, err := clientv3.New(clientv3.Config{Endpoints: c.servers, DialTimeout: c.timeout, Logger: zap.NewNop()})
	return &etcdLock{config: c, client: client}, err
}

// open opens a session, unless there is one.
func (l *etcdLock) open() error {
	if l.session != nil && l.held() == nil {
		return nil
	}
	ctx, cancel := within(l.timeout)
	defer cancel()
	lease, err := l.client.Grant(ctx, int64(l.ttl/time.Second))
	if err != nil {
		return err
	}
	l.session, err = concurrency.NewSession(l.client, concurrency.WithLease(lease.ID))
	return err
}

// acquire waits in the queue for as long as the session lasts.
func (l *etcdLock) acquire() (token string, fence int64, err error) {
	if err := l.open(); err != nil {
		return "", 0, err
	}
	s := l.session
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-s.Done():
			cancel()
		case <-ctx.Done():
		}
	}()
	l.mutex = concurrency.NewMutex(s, l.key)
	if err := l.mutex.Lock(ctx); err != nil {
		s.Orphan() // a key may be left, which ends with the session
		return "", 0, err
	}
	own := pb.Compare(l.mutex.IsOwner()) // it compares the key's create revision, which is the fencing token
	go func() {
		<-s.Done()
		l.lost(string(own.Key))
	}()
	return string(own.Key), own.GetCreateRevision(), nil
}

var errEnded = errors.New("the session has ended")

func (l *etcdLock) held() error {
	select {
	case <-l.session.Done():
		return errEnded
	default:
		return nil
	}
}

// release ends the session if the key may be left.
func (l *etcdLock) release() error {
	ctx, cancel := within(l.timeout)
	defer cancel()
	err := l.mutex.Unlock(ctx)
	if err != nil {
		l.session.Orphan()
	}
	return err
}
