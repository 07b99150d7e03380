// Package consul hosts the Lock of Consul's Go package api in simulated time. It is a separate module because of what
// that package requires.
//
// The library runs unmodified. It speaks HTTP to the servers of lock.kind consul, which agree by raft: they are the
// servers of package sim/consensus. Each request of the library is one of theirs: a session is a lease of twice its
// TTL, acquiring puts a key under it if there is none, releasing deletes that key, and a blocking query is a
// watch with a limit. A read is linearizable, as Consul's leader answers it.
//
// # What is not modelled
//
// Consul's agent on the client's host: a client dials the first server that answers, as its agent would. A released key
// stays in Consul, without a session; here it is gone, and to the library both are free. The LockIndex is the key's
// create revision. A server without a leader keeps a blocking query waiting; Consul's answers with an error. There are
// no TCP keep-alives, so a connection that has lost a message never ends by itself.
package consul

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/consul/api"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/sim/consensus"
)

// Kind is the library as a kind of lock: its usual lock-delay of 15 s, and a holder that stops when its channel closes.
var Kind = guest.Kind{Name: "consul-api", About: "Lock of Consul's Go package api", Like: scenarios.Consul,
	Lock: newLock, Wire: newWire, Service: true, Watches: true, Shortest: 10 * time.Second}

// A lock is one client of Consul. Each acquire makes a Lock, and that makes a session.
type lock struct {
	config    *guest.Client
	client    *api.Client
	transport *http.Transport
	lock      *api.Lock
	lost      <-chan struct{}
	fence     uint64
}

func newLock(c *guest.Client) (guest.Lock, error) {
	dial := func(ctx context.Context, network, _ string) (conn net.Conn, err error) {
		for _, node := range c.Nodes {
			ctx, cancel := context.WithTimeout(ctx, c.Config.Timeout)
			conn, err = c.Dial(ctx, network, node)
			if cancel(); err == nil {
				break
			}
		}
		return conn, err
	}
	t := &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 1}
	client, err := api.NewClient(&api.Config{Address: "consul", Scheme: "http", HttpClient: &http.Client{Transport: t}})
	return &lock{config: c, client: client, transport: t}, err
}

// Acquire also reads the key, for the LockIndex: with the session it is Consul's sequencer.
func (l *lock) Acquire(ctx context.Context) (value string, until time.Time, err error) {
	value = l.config.Config.Key + "/lock"
	l.lock, err = l.client.LockOpts(&api.LockOptions{Key: value, SessionTTL: l.config.Config.TTL.String()})
	if err != nil {
		return "", time.Time{}, err
	}
	if l.lost, err = l.lock.Lock(ctx.Done()); err != nil {
		return "", time.Time{}, err
	}
	pair, _, err := l.client.KV().Get(value, nil)
	if err != nil || pair == nil || l.lost == nil {
		return "", time.Time{}, errors.Join(err, l.Release(ctx), errors.New("there is no LockIndex"))
	}
	l.fence = pair.LockIndex
	return value, guest.NoDeadline, nil
}

func (l *lock) Lost() <-chan struct{}         { return l.lost }
func (l *lock) Fence() uint64                 { return l.fence }
func (l *lock) Release(context.Context) error { return l.lock.Unlock() }
func (l *lock) Close()                        { l.transport.CloseIdleConnections() }

// A wire is a connection to a server, by HTTP/1.1 without TLS.
type wire struct {
	asked any           // what it answers next
	ttl   time.Duration // of the session
}

func newWire(int64) guest.Wire { return &wire{ttl: 10 * time.Second} }

// Next reads a request.
func (w *wire) Next(written []byte) (request any, rest []byte, err error) {
	r, body, rest, err := guest.ReadHTTP(written)
	if r == nil {
		return nil, rest, err
	}
	if name, ok := strings.CutPrefix(r.URL.Path, "/v1/kv/"); ok {
		w.asked, err = askKey(r.Method, name, r.URL.Query())
	} else {
		w.asked, err = w.askSession(path.Dir(r.URL.Path), path.Base(r.URL.Path), body)
	}
	return w.asked, rest, err
}

// askSession translates a request about a session.
func (w *wire) askSession(dir, name string, body []byte) (any, error) {
	if dir == "/v1/session" && name == "create" {
		s := struct{ TTL, LockDelay string }{LockDelay: "15s"} // Consul's
		if err := json.Unmarshal(body, &s); err != nil {
			return nil, fmt.Errorf("consul: a session that is no JSON: %w", err)
		}
		ttl, err := time.ParseDuration(s.TTL)
		delay, wrong := time.ParseDuration(s.LockDelay)
		if w.ttl = ttl; err != nil || wrong != nil || ttl < 10*time.Second {
			return nil, fmt.Errorf("consul: a session with TTL %q, lock-delay %q; give 10s or more", s.TTL, s.LockDelay)
		}
		return &consensus.Grant{TTL: 2 * ttl, Delay: delay}, nil
	}
	id, err := strconv.ParseUint(name, 10, 64)
	switch {
	case err == nil && dir == "/v1/session/renew":
		return &consensus.KeepAlive{Lease: id}, nil
	case err == nil && dir == "/v1/session/destroy":
		return &consensus.Revoke{Lease: id}, nil
	}
	return nil, fmt.Errorf("consul: the servers know no %s/%s", dir, name)
}

// askKey translates a request about a key. Its value has the library's flags.
func askKey(method, name string, q url.Values) (any, error) {
	of := func(parameter string) uint64 {
		n, _ := strconv.ParseUint(q.Get(parameter), 10, 64) // 0 for none
		return n
	}
	get := consensus.Op{Key: name}
	switch {
	case method == http.MethodGet && of("index") == 0:
		return &consensus.Read{Op: get}, nil
	case method == http.MethodGet:
		wait, err := time.ParseDuration(q.Get("wait"))
		if err != nil {
			wait = 5 * time.Minute // Consul's
		}
		return &consensus.Watch{Key: name, Since: of("index"), Wait: wait}, nil
	case of("acquire") > 0:
		put := consensus.Op{Do: consensus.Put, Key: name, Value: q.Get("flags"), Lease: of("acquire")}
		return &consensus.Txn{If: []consensus.Compare{{Key: name, Of: consensus.Create}},
			Then: []consensus.Op{put}, Else: []consensus.Op{get}}, nil
	case of("release") > 0:
		return &consensus.Txn{If: []consensus.Compare{{Key: name, Of: consensus.Lease, Is: of("release")}},
			Then: []consensus.Op{{Do: consensus.Delete, Key: name}}}, nil
	}
	return nil, fmt.Errorf("consul: the servers know no %s of a key with %v", method, q)
}

// acquires returns the session with which a request acquires the key; 0 if it asks something else.
func acquires(asked any) uint64 {
	if t, ok := asked.(*consensus.Txn); ok && t.Then[0].Do == consensus.Put {
		return t.Then[0].Lease
	}
	return 0
}

// Bytes writes a reply.
func (w *wire) Bytes(answer any) ([]byte, bool) {
	code, body := http.StatusOK, any(true)
	r, done := answer.(*consensus.Reply)
	switch q := w.asked.(type) {
	case *consensus.Grant:
		if done {
			body = map[string]string{"ID": strconv.FormatUint(r.Lease, 10)}
		}
	case *consensus.KeepAlive:
		body = []map[string]string{{"ID": strconv.FormatUint(q.Lease, 10), "TTL": w.ttl.String()}}
		if answer == consensus.ErrLease {
			code, done = http.StatusNotFound, true
		}
	case *consensus.Revoke:
		done = done || answer == consensus.ErrLease
	case *consensus.Txn:
		_, yes := w.Grants(answer)
		body, done = yes, done || answer == consensus.ErrDelay
	default:
		if own := key(answer); own != nil {
			body = []any{pair(own)}
		} else {
			code = http.StatusNotFound
		}
	}
	if !done {
		refusal, known := answer.(consensus.Error)
		if !known {
			return nil, false
		}
		code, body = http.StatusInternalServerError, refusal.Error()
	}
	index := uint64(1) // as Consul says of a key that is not there
	if own := key(answer); own != nil {
		index = own.Mod
	}
	text, _ := json.Marshal(body) // nothing in it can fail
	return fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nX-Consul-Index: %d\r\nX-Consul-LastContact: 0\r\n"+
		"Content-Length: %d\r\n\r\n%s", code, http.StatusText(code), index, len(text), text), true
}

// key returns the key that a reply has; nil for none.
func key(answer any) *consensus.KeyValue {
	if r, ok := answer.(*consensus.Reply); ok && len(r.Results) > 0 && len(r.Results[0]) > 0 {
		return &r.Results[0][0]
	}
	return nil
}

// pair is a key as Consul shows it.
func pair(k *consensus.KeyValue) map[string]any {
	flags, _ := strconv.ParseUint(k.Value, 10, 64)
	return map[string]any{"Key": k.Key, "Flags": flags, "CreateIndex": k.Create, "ModifyIndex": k.Mod,
		"LockIndex": k.Create, "Session": strconv.FormatUint(k.Lease, 10)}
}

// Names reports whether a request asks for the lock.
func (*wire) Names(asked any, _ string) bool { return acquires(asked) > 0 }

// Grants reports whether a reply answers such a request, and whether the session has the key now. A release that was
// made is a yes too.
func (w *wire) Grants(answer any) (answers, yes bool) {
	session, own := acquires(w.asked), key(answer)
	if session == 0 {
		r, ok := answer.(*consensus.Reply)
		return false, ok && r.Succeeded
	}
	return true, own != nil && own.Lease == session
}
