package guests

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"net"

	rsredis "github.com/go-redsync/redsync/v4/redis"
	rsgoredis "github.com/go-redsync/redsync/v4/redis/goredis/v9"
	rsredigo "github.com/go-redsync/redsync/v4/redis/redigo"
	rsrueidis "github.com/go-redsync/redsync/v4/redis/rueidis"
	"github.com/gomodule/redigo/redis"
	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidiscompat"

	"github.com/lockstorm/lockstorm/scenarios/guest"
)

// RedsyncRedigo is redsync over redigo.
func RedsyncRedigo(c *guest.Client) (guest.Lock, error) {
	var pools []rsredis.Pool
	var all []*redis.Pool
	for _, node := range c.Nodes {
		p := &redis.Pool{MaxIdle: 3, DialContext: func(ctx context.Context) (redis.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, c.Config.Timeout)
			defer cancel()
			return redis.DialContext(ctx, "tcp", node, redis.DialContextFunc(c.Dial),
				redis.DialReadTimeout(c.Config.Timeout), redis.DialWriteTimeout(c.Config.Timeout))
		}}
		all, pools = append(all, p), append(pools, rsredigo.NewPool(p))
	}
	return newRedsync(c, pools, func() {
		for _, p := range all {
			_ = p.Close()
		}
	}), nil
}

// RedsyncGoRedis is redsync over go-redis.
func RedsyncGoRedis(c *guest.Client) (guest.Lock, error) {
	var pools []rsredis.Pool
	var all []*goredis.Client
	for _, node := range c.Nodes {
		p := goRedis(c, node)
		all, pools = append(all, p), append(pools, rsgoredis.NewPool(p))
	}
	return newRedsync(c, pools, func() {
		for _, p := range all {
			_ = p.Close()
		}
	}), nil
}

// RedsyncRueidis is redsync over rueidis.
func RedsyncRueidis(c *guest.Client) (guest.Lock, error) {
	var pools []rsredis.Pool
	var all []rueidis.Client
	for _, node := range c.Nodes {
		p, _ := rueidis.NewClient(rueidisOption(c, node)) // one that has not reached its node is a client all the same, and tries anew
		all, pools = append(all, p), append(pools, rsrueidis.NewPool(rueidiscompat.NewAdapter(p)))
	}
	return newRedsync(c, pools, func() {
		for _, p := range all {
			p.Close()
		}
	}), nil
}

// goRedis is a client of go-redis: as it is, but for how long it waits for a node, which the scenario says.
func goRedis(c *guest.Client, node string) *goredis.Client {
	return goredis.NewClient(&goredis.Options{
		Addr: node, Dialer: c.Dial,
		DialTimeout: c.Config.Timeout, ReadTimeout: c.Config.Timeout, WriteTimeout: c.Config.Timeout,
	})
}

// rueidisOption is how a client of rueidis reaches a node: as it is, but for its cache, and for how long it waits for the node.
func rueidisOption(c *guest.Client, node string) rueidis.ClientOption {
	return rueidis.ClientOption{
		InitAddress: []string{node}, ForceSingleClient: true, DisableCache: true,
		ConnWriteTimeout: c.Config.Timeout, Dialer: net.Dialer{Timeout: c.Config.Timeout},
		DialCtxFn: func(ctx context.Context, address string, d *net.Dialer, _ *tls.Config) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, d.Timeout)
			defer cancel()
			return c.Dial(ctx, "tcp", address)
		},
	}
}

// newToken draws a value for a lock.
func newToken() string { return rand.Text() }
