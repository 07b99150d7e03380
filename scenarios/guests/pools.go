package guests

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"io"
	"net"
	"time"

	rsredis "github.com/go-redsync/redsync/v4/redis"
	rsgoredis "github.com/go-redsync/redsync/v4/redis/goredis/v9"
	rsredigo "github.com/go-redsync/redsync/v4/redis/redigo"
	rsrueidis "github.com/go-redsync/redsync/v4/redis/rueidis"
	"github.com/gomodule/redigo/redis"
	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidiscompat"

	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

// How long the clients wait for a node: the scenario's timeout, or their default.
type waits bool

const (
	asTold     waits = false
	byDefaults waits = true
)

// timeout returns how long to wait for a node; 0 for the client's default.
func (w waits) timeout(c *guest.Client) time.Duration {
	if w == byDefaults {
		return 0
	}
	return c.Config.Timeout
}

// redigoPools are pools of redigo, one for each node. Without a timeout a command waits for ever, which is redigo's default.
func redigoPools(c *guest.Client, timeout time.Duration) (all []*redis.Pool) {
	for _, node := range c.Nodes {
		all = append(all, &redis.Pool{MaxIdle: 3, DialContext: func(ctx context.Context) (redis.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, cmp.Or(timeout, redigoDials))
			defer cancel()
			return redis.DialContext(ctx, "tcp", node, redis.DialContextFunc(c.Dial),
				redis.DialReadTimeout(timeout), redis.DialWriteTimeout(timeout))
		}})
	}
	return all
}

// redigoDials is how long redigo dials by default.
const redigoDials = 30 * time.Second

// A poolsOf makes the pools of redsync, one for each node, and says how to close them.
type poolsOf func(c *guest.Client, w waits) ([]rsredis.Pool, closing)

func overRedigo(c *guest.Client, w waits) (pools []rsredis.Pool, _ closing) {
	all := redigoPools(c, w.timeout(c))
	for _, p := range all {
		pools = append(pools, rsredigo.NewPool(p))
	}
	return pools, closeAll(all)
}

func overGoRedis(c *guest.Client, w waits) (pools []rsredis.Pool, _ closing) {
	var all []*goredis.Client
	for _, node := range c.Nodes {
		p := goRedis(c, node, w)
		all, pools = append(all, p), append(pools, rsgoredis.NewPool(p))
	}
	return pools, closeAll(all)
}

func overRueidis(c *guest.Client, w waits) (pools []rsredis.Pool, _ closing) {
	var all []rueidis.Client
	for _, node := range c.Nodes {
		p, _ := rueidis.NewClient(rueidisOption(c, node, w)) // a client that has not reached its node is usable, and tries again
		all, pools = append(all, p), append(pools, rsrueidis.NewPool(rueidiscompat.NewAdapter(p)))
	}
	return pools, func() {
		for _, p := range all {
			p.Close()
		}
	}
}

// closeAll closes clients.
func closeAll[C io.Closer](all []C) closing {
	return func() {
		for _, p := range all {
			_ = p.Close()
		}
	}
}

// goRedis is a client of go-redis.
func goRedis(c *guest.Client, node string, w waits) *goredis.Client {
	t := w.timeout(c)
	return goredis.NewClient(&goredis.Options{Addr: node, Dialer: c.Dial, DialTimeout: t, ReadTimeout: t, WriteTimeout: t})
}

// rueidisOption configures how a client of rueidis reaches a node. The nodes don't support its cache.
func rueidisOption(c *guest.Client, node string, w waits) rueidis.ClientOption {
	return rueidis.ClientOption{
		InitAddress: []string{node}, ForceSingleClient: true, DisableCache: true,
		ConnWriteTimeout: w.timeout(c), Dialer: net.Dialer{Timeout: w.timeout(c)},
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

func firstNode(c *guest.Client, w waits) onGoRedis { return onGoRedis{c, goRedis(c, c.Nodes[0], w)} }

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

// A reader is the client that the library uses. It reads the lock's value off the commands: the library hides it.
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
