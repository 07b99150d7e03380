// Package litestream hosts the lease of litestream, s3.Leaser, in simulated time. It is a separate module because
// package s3 needs SQLite and 376 packages, 435 MB of sources.
//
// The leaser runs unmodified, on Amazon's S3 client with its usual retries, which speaks HTTP to the store of lock.kind
// record. An object is the record, and its ETag is the record's version. The store answers If-Match and If-None-Match
// as S3 does.
package litestream

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/benbjohnson/litestream"
	leaser "github.com/benbjohnson/litestream/s3"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// Kind is the leaser as a kind of lock.
var Kind = guest.Kind{Name: "litestream", About: "litestream's s3.Leaser, with the S3 client's retries",
	Like: scenarios.Record, Extends: true, Lock: newLock, Wire: newWire, Service: true}

// A lock is one process with a leaser.
type lock struct {
	config    *guest.Client
	leaser    *leaser.Leaser
	lease     *litestream.Lease
	transport *http.Transport
}

func newLock(c *guest.Client) (guest.Lock, error) {
	l := &lock{config: c, leaser: leaser.NewLeaser(), transport: &http.Transport{DialContext: c.Dial}}
	l.leaser.Bucket, l.leaser.TTL = "b", c.Config.TTL
	l.leaser.Owner = c.Name() // usually the host's name and the process: here all are one process
	l.leaser.SetClient(s3.New(s3.Options{
		Region: "r", BaseEndpoint: aws.String("http://" + c.Nodes[0]), UsePathStyle: true,
		HTTPClient:                 &http.Client{Transport: l.transport},
		Credentials:                credentials.NewStaticCredentialsProvider("k", "s", ""),
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
	}))
	return l, nil
}

// within limits a call, as its caller's context would.
func (l *lock) within(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, l.config.Config.Timeout)
}

func (l *lock) Acquire(ctx context.Context) (owner string, until time.Time, err error) {
	ctx, cancel := l.within(ctx)
	defer cancel()
	lease, err := l.leaser.AcquireLease(ctx)
	if err != nil {
		return "", time.Time{}, err
	}
	l.lease = lease
	return lease.Owner, lease.ExpiresAt, nil
}

func (l *lock) Extend(ctx context.Context) (until time.Time, err error) {
	ctx, cancel := l.within(ctx)
	defer cancel()
	lease, err := l.leaser.RenewLease(ctx, l.lease)
	if err != nil {
		return time.Time{}, err
	}
	l.lease = lease
	return lease.ExpiresAt, nil
}

func (l *lock) Release(ctx context.Context) error {
	ctx, cancel := l.within(ctx)
	defer cancel()
	return l.leaser.ReleaseLease(ctx, l.lease)
}

func (l *lock) Close() { l.transport.CloseIdleConnections() }

// A wire is a connection to the store, by HTTP/1.1 without TLS.
type wire struct{ asked string } // the method of the request that it answers next

func newWire(int64) guest.Wire { return &wire{} }

// A get asks for the object.
type get struct{}

// String describes the request for a trace.
func (get) String() string { return "GET lock.json" }

// Next reads a request.
func (w *wire) Next(written []byte) (request any, rest []byte, err error) {
	r, body, rest, err := guest.ReadHTTP(written)
	if r == nil {
		return nil, rest, err
	}
	if w.asked = r.Method; r.Method == http.MethodGet {
		return get{}, rest, nil
	}
	c := &locks.Change{Delete: r.Method == http.MethodDelete, If: locks.MatchVersion}
	c.Was.Version, _ = strconv.ParseUint(strings.Trim(r.Header.Get("If-Match"), `"`), 10, 64)
	if c.Delete {
		return c, rest, nil
	}
	var l litestream.Lease
	if err := json.Unmarshal(body, &l); err != nil {
		return nil, nil, fmt.Errorf("litestream: a body that is no lease: %w", err)
	}
	c.Owner, c.Number, c.Expires = l.Owner, uint64(l.Generation), time.Duration(l.ExpiresAt.UnixNano())
	return c, rest, nil
}

// Bytes writes a reply: the object, its ETag, or an error.
func (w *wire) Bytes(answer any) ([]byte, bool) {
	r, known := answer.(locks.RecordReply)
	if !known {
		return nil, false
	}
	code, body := http.StatusOK, ""
	switch {
	case w.asked != http.MethodPut && r.Version == 0 && !r.Done:
		code, body = http.StatusNotFound, "<Error><Code>NoSuchKey</Code></Error>"
	case w.asked == http.MethodGet:
		text, _ := json.Marshal(litestream.Lease{Generation: int64(r.Number), ExpiresAt: time.Unix(0, int64(r.Expires)),
			Owner: r.Owner}) // nothing in it can fail
		body = string(text)
	case !r.Done:
		code, body = http.StatusPreconditionFailed, "<Error><Code>PreconditionFailed</Code></Error>"
	}
	return fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nETag: \"%d\"\r\nContent-Length: %d\r\n\r\n%s", code,
		http.StatusText(code), r.Version, len(body), body), true
}

// Names reports whether a request asks for the lease: one that would write an owner.
func (*wire) Names(asked any, _ string) bool {
	c, is := asked.(*locks.Change)
	return is && c.Owner != ""
}

// Grants reports whether a reply answers a write, and whether it was made.
func (w *wire) Grants(answer any) (answers, yes bool) {
	return w.asked != http.MethodGet, answer.(locks.RecordReply).Done
}
