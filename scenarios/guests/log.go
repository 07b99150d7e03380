package guests

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/redis/go-redis/v9"
	"github.com/zeromicro/go-zero/core/logx"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"google.golang.org/grpc/grpclog"
	"k8s.io/klog/v2"
)

// LogTo sends what the libraries log to w, or nowhere if w is nil: connections fail in most runs, and each failure is a
// line or more. What they write to the standard error without a logger is not caught.
func LogTo(w io.Writer) {
	if w == nil {
		w = io.Discard
	}
	l := &lines{w: w}
	redis.SetLogger(l)
	logx.SetWriter(logx.NewWriter(l))
	logx.DisableStat()
	klog.SetSlogLogger(slog.New(slog.NewTextHandler(l, nil)))
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, l, l))
	etcdLog = etcdLogTo(l)
}

// etcdLogTo returns a logger for etcd's client, which has no global one.
func etcdLogTo(w io.Writer) *zap.Logger {
	return zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.AddSync(w), zap.InfoLevel))
}

// lines is a log that several runs write to.
type lines struct {
	mu sync.Mutex
	w  io.Writer
}

// Write writes one line or more.
func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// Printf writes a line of go-redis's.
func (l *lines) Printf(_ context.Context, format string, v ...any) {
	_, _ = fmt.Fprintf(l, "redis: "+format+"\n", v...)
}
