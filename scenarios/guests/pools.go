package guests

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"net"

	"github.com/go-redsync/redsync/v4"
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
	return &redsyncLock{c, redsync.New(pools...), nil, func() {
		for _, p := range all {
			_ = p.Close()
		}
	}}, nil
}

// RedsyncGoRedis is redsync over go-redis.
func RedsyncGoRedis(c *guest.Client) (guest.Lock, error) {
	var pools []rsredis.Pool
	var all []*goredis.Client
	for _, node := range c.Nodes {
		p := goRedis(c, node)
		all, pools = append(all, p), append(pools, rsgoredis.NewPool(p))
	}
	return &redsyncLock{c, redsync.New(pools...), nil, func() {
		for _, p := range all {
			_ = p.Close()
		}
	}}, nil
}

// RedsyncRueidis is redsync over rueidis.
func RedsyncRueidis(c *guest.Client) (guest.Lock, error) {
	var pools []rsredis.Pool
	var all []rueidis.Client
	for _, node := range c.Nodes {
		p, _ := rueidis.NewClient(rueidisOption(c, node)) // one that has not reached its node is a client all the same, and tries anew
		all, pools = append(all, p), append(pools, rsrueidis.NewPool(rueidiscompat.NewAdapter(p)))
	}
	return &redsyncLock{c, redsync.New(pools...), nil, func() {
		for _, p := range all {
			p.Close()
		}
	}}, nil
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

// onGoRedis is a client of go-redis on the first node, for a lock there.
type onGoRedis struct {
	config *guest.Client
	client *goredis.Client
}

func firstNode(c *guest.Client) onGoRedis { return onGoRedis{c, goRedis(c, c.Nodes[0])} }

func (n onGoRedis) Close() { _ = n.client.Close() }

// onRueidis is a client of rueidis on the first node, for a lock there.
type onRueidis struct {
	config *guest.Client
	client rueidis.Client
}

func (n onRueidis) Close() { n.client.Close() }

// closing is what ends a lock of several clients.
type closing func()

// Close calls it.
func (c closing) Close() { c() }

// A reader is the client as the library uses it. It reads the lock's value off the commands, as it can't be asked for.
type reader struct {
	rueidis.Client
	key, value string
}

// build makes the client.
func (r *reader) build(o rueidis.ClientOption) (_ rueidis.Client, err error) {
	r.Client, err = rueidis.NewClient(o)
	return r, err
}

// Do sends a command of the library's: EVALSHA sha 1 key value deadline.
func (r *reader) Do(ctx context.Context, cmd rueidis.Completed) rueidis.RedisResult {
	if args := cmd.Commands(); len(args) == 6 && args[3] == r.key {
		r.value = args[4]
	}
	return r.Client.Do(ctx, cmd)
}

// newToken draws a value for a lock.
func newToken() string { return rand.Text() }
