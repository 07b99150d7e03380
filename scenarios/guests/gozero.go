package guests

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"net"
	"sync/atomic"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/zeromicro/go-zero/core/stores/redis"
	"github.com/zeromicro/go-zero/core/stringx"

	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

// goZeroLock is go-zero's RedisLock on the first node, which counts its TTL in whole seconds and adds half a second.
type goZeroLock struct {
	config *guest.Client
	store  *redis.Redis
	lock   *redis.RedisLock
	keeps  bool // one lock for all attempts
	sent   *sentValue
	closing
}

// goZero returns a constructor of go-zero's lock.
func goZero(keeps bool) guest.Constructor {
	return func(c *guest.Client) (guest.Lock, error) {
		stringx.Seed(rand.Int63()) // draws the lock's value; when the process began, the time seeded it
		sent := &sentValue{client: c}
		// go-zero keeps a client for each address as long as the process lives, so each guest has another address.
		name := fmt.Sprintf("guest-%d", goZeroClients.Add(1))
		store, err := redis.NewRedis(redis.RedisConf{Host: name, Type: redis.NodeType, NonBlock: true}, redis.WithHook(sent))
		return &goZeroLock{config: c, store: store, keeps: keeps, sent: sent, closing: sent.close}, err
	}
}

var goZeroClients atomic.Int64

func (l *goZeroLock) Acquire(ctx context.Context) (string, time.Time, error) {
	if l.lock == nil || !l.keeps {
		l.lock = redis.NewRedisLock(l.store, l.config.Config.Key)
		l.lock.SetExpire(int(l.config.Config.TTL / time.Second))
	}
	until := deadline(l.config)
	ok, err := l.lock.AcquireCtx(ctx)
	if err == nil && !ok {
		err = errors.New("somebody else has the lock")
	}
	return l.sent.value, until, err
}

func (l *goZeroLock) Release(ctx context.Context) error {
	_, err := l.lock.ReleaseCtx(ctx)
	return err
}

// A sentValue is a hook of go-redis. It dials for the library, which takes no dialer. It reads the lock's value off
// the commands, because the library does not reveal it.
type sentValue struct {
	client *guest.Client
	value  string
	ended  atomic.Bool
}

// DialHook dials the first node.
func (s *sentValue) DialHook(goredis.DialHook) goredis.DialHook {
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		if s.ended.Load() {
			return nil, net.ErrClosed
		}
		return s.client.Dial(ctx, network, s.client.Nodes[0])
	}
}

// ProcessHook reads what the library sends: EVALSHA sha 1 key value ttl.
func (s *sentValue) ProcessHook(next goredis.ProcessHook) goredis.ProcessHook {
	return func(ctx context.Context, cmd goredis.Cmder) error {
		if args := cmd.Args(); len(args) == 6 {
			s.value = fmt.Sprint(args[4])
		}
		return next(ctx, cmd)
	}
}

// ProcessPipelineHook does nothing.
func (s *sentValue) ProcessPipelineHook(next goredis.ProcessPipelineHook) goredis.ProcessPipelineHook {
	return next
}

func (s *sentValue) close() { s.ended.Store(true) }
