package findings_test

import (
	"context"
	"testing"
	"time"

	"github.com/go-redsync/redsync/v4"
	rsredis "github.com/go-redsync/redsync/v4/redis"
	rsgoredis "github.com/go-redsync/redsync/v4/redis/goredis/v9"
	rsredigo "github.com/go-redsync/redsync/v4/redis/redigo"
	redigo "github.com/gomodule/redigo/redis"
	"github.com/redis/go-redis/v9"
)

// overGoRedis returns redsync over go-redis, as its README makes it.
func overGoRedis(t *testing.T, change func(*redis.Options), addrs ...string) *redsync.Redsync {
	var pools []rsredis.Pool
	for _, addr := range addrs {
		options := &redis.Options{Addr: addr}
		if change != nil {
			change(options)
		}
		client := redis.NewClient(options)
		t.Cleanup(func() { client.Close() })
		pools = append(pools, rsgoredis.NewPool(client))
	}
	return redsync.New(pools...)
}

// overRedigo returns redsync over redigo, as its examples make it.
func overRedigo(t *testing.T, addrs ...string) *redsync.Redsync {
	var pools []rsredis.Pool
	for _, addr := range addrs {
		pool := &redigo.Pool{MaxIdle: 3, IdleTimeout: 240 * time.Second, DialContext: func(ctx context.Context) (redigo.Conn, error) {
			return redigo.DialContext(ctx, "tcp", addr)
		}}
		t.Cleanup(func() { pool.Close() })
		pools = append(pools, rsredigo.NewPool(pool))
	}
	return redsync.New(pools...)
}
