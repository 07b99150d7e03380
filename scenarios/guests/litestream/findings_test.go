package litestream_test

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"
	"github.com/benbjohnson/litestream"
	leaser "github.com/benbjohnson/litestream/s3"
)

// This file shows each finding without Lockstorm: litestream's leaser on a bucket in memory. README.md explains them.

// A bucket has one object, and compares ETags as S3 does.
type bucket struct {
	body    string
	version int // 0 for no object
	writes  int
	mute    bool // the answer to a write is lost, and the client sends it again, as the S3 client does
}

func (b *bucket) tag() *string {
	tag := strconv.Itoa(b.version)
	return &tag
}

func (b *bucket) GetObject(context.Context, *s3.GetObjectInput, ...func(*s3.Options)) (*s3.GetObjectOutput, error) {
	if b.version == 0 {
		return nil, &smithy.GenericAPIError{Code: "NoSuchKey"}
	}
	return &s3.GetObjectOutput{Body: io.NopCloser(strings.NewReader(b.body)), ETag: b.tag()}, nil
}

func (b *bucket) PutObject(
	_ context.Context, in *s3.PutObjectInput, _ ...func(*s3.Options),
) (*s3.PutObjectOutput, error) {
	if in.IfNoneMatch != nil && b.version != 0 || in.IfMatch != nil && *in.IfMatch != *b.tag() {
		return nil, &smithy.GenericAPIError{Code: "PreconditionFailed"}
	}
	body, err := io.ReadAll(in.Body)
	b.writes++
	b.body, b.version = string(body), b.writes
	if b.mute {
		return nil, &smithy.GenericAPIError{Code: "PreconditionFailed"} // the answer to the second request
	}
	return &s3.PutObjectOutput{ETag: b.tag()}, err
}

func (b *bucket) DeleteObject(
	_ context.Context, in *s3.DeleteObjectInput, _ ...func(*s3.Options),
) (*s3.DeleteObjectOutput, error) {
	if *in.IfMatch != *b.tag() {
		return nil, &smithy.GenericAPIError{Code: "PreconditionFailed"}
	}
	b.version = 0
	return &s3.DeleteObjectOutput{}, nil
}

func process(b *bucket, owner string) *leaser.Leaser {
	l := leaser.NewLeaser()
	l.Owner = owner
	l.SetClient(b)
	return l
}

func acquire(t *testing.T, l *leaser.Leaser) *litestream.Lease {
	t.Helper()
	lease, err := l.AcquireLease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return lease
}

// Finding 1: a paused holder has generation 1. The next owner has 2, and releases, which deletes the object. The one
// after has 1 again.
func TestGenerationBeginsAgainAfterARelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bucket{}
		paused := acquire(t, process(b, "a"))
		time.Sleep(leaser.DefaultLeaseTTL + time.Second)
		second := process(b, "b")
		next := acquire(t, second)
		if err := second.ReleaseLease(t.Context(), next); err != nil {
			t.Fatal(err)
		}
		last := acquire(t, process(b, "c"))
		if paused.Generation != 1 || next.Generation != 2 || last.Generation != 1 {
			t.Errorf("generations %d, %d, %d; the finding is 1, 2, 1", paused.Generation, next.Generation,
				last.Generation)
		}
		if _, err := process(b, "a").RenewLease(t.Context(), paused); !errors.Is(err, litestream.ErrLeaseNotHeld) {
			t.Errorf("the paused holder renews, and gets %v: the ETag should tell it apart", err)
		}
	})
}

// Finding 2: an owner whose answer is lost is refused for its own lease, until that ends.
func TestALostAnswerKeepsItsOwnerOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bucket{mute: true}
		l := process(b, "a")
		var held *litestream.LeaseExistsError
		if _, err := l.AcquireLease(t.Context()); !errors.As(err, &held) || held.Owner != "a" {
			t.Errorf("it gets %v; the finding is that a holds the lease", err)
		}
		b.mute = false
		time.Sleep(leaser.DefaultLeaseTTL - time.Second)
		if _, err := l.AcquireLease(t.Context()); !errors.As(err, &held) || held.Owner != "a" {
			t.Errorf("29 s later it gets %v; the finding is that it is still kept out by itself", err)
		}
		time.Sleep(2 * time.Second)
		acquire(t, l)
	})
}

// Finding 3: a lease is judged by the reader's clock. An owner whose clock is 40 s behind has just written its lease of
// 30 s; to a reader that has ended.
func TestALeaseIsJudgedByTheReadersClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bucket{}
		acquire(t, process(b, "a"))
		time.Sleep(40 * time.Second) // what the reader's clock shows more than the owner's
		if lease := acquire(t, process(b, "b")); lease.Owner != "b" {
			t.Errorf("%s has the lease", lease.Owner)
		}
	})
}
