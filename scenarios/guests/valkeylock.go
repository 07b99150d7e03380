package guests

import (
	"context"
	"crypto/tls"
	"net"
	"time"

	"github.com/valkey-io/valkey-go"
	"github.com/valkey-io/valkey-go/valkeylock"

	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

// valkeylockLock is valkeylock on the first node, without client-side caching, with one key. It extends by itself.
type valkeylockLock struct {
	config  *guest.Client
	locker  valkeylock.Locker
	sent    valkeyReader
	held    context.Context
	release context.CancelFunc
}

// Valkeylock is valkeylock as in its README: WithContext, which waits for the lock, and the client's defaults.
func Valkeylock(c *guest.Client) (_ guest.Lock, err error) {
	l := &valkeylockLock{config: c, sent: valkeyReader{key: "valkeylock:0:" + c.Config.Key}}
	l.locker, err = valkeylock.NewLocker(valkeylock.LockerOption{
		KeyMajority: 1, KeyValidity: c.Config.TTL, ClientBuilder: l.sent.build,
		ClientOption: valkey.ClientOption{
			InitAddress: []string{c.Nodes[0]}, ForceSingleClient: true, DisableCache: true,
			DialCtxFn: func(ctx context.Context, address string, d *net.Dialer, _ *tls.Config) (net.Conn, error) {
				ctx, cancel := context.WithTimeout(ctx, d.Timeout)
				defer cancel()
				return c.Dial(ctx, "tcp", address)
			},
		},
	})
	return l, err
}

func (l *valkeylockLock) Acquire(ctx context.Context) (_ string, _ time.Time, err error) {
	l.held, l.release, err = l.locker.WithContext(ctx, l.config.Config.Key)
	return l.sent.value, guest.NoDeadline, err
}

func (l *valkeylockLock) Lost() <-chan struct{}         { return l.held.Done() }
func (l *valkeylockLock) Release(context.Context) error { l.release(); return nil }
func (l *valkeylockLock) Close()                        { l.locker.Close() }

// A valkeyReader is the client as the library uses it: see reader.
type valkeyReader struct {
	valkey.Client
	key, value string
}

func (r *valkeyReader) build(o valkey.ClientOption) (_ valkey.Client, err error) {
	r.Client, err = valkey.NewClient(o)
	return r, err
}

// Do sends a command of the library's: EVALSHA sha 1 key value deadline.
func (r *valkeyReader) Do(ctx context.Context, cmd valkey.Completed) valkey.ValkeyResult {
	if args := cmd.Commands(); len(args) == 6 && args[3] == r.key {
		r.value = args[4]
	}
	return r.Client.Do(ctx, cmd)
}
