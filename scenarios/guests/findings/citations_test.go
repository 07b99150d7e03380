package findings_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A citation is a line of a library that a page of this folder names, with words of that line.
type citation struct {
	module, file string
	line         int
	words        string
}

const (
	goZeroModule    = "github.com/zeromicro/go-zero"
	rueidisModule   = "github.com/redis/rueidis"
	redislockModule = "github.com/bsm/redislock"
	redsyncModule   = "github.com/go-redsync/redsync/v4"
	asynqModule     = "github.com/hibiken/asynq"
	clientGoModule  = "k8s.io/client-go"
	gocronModule    = "github.com/go-co-op/gocron-redis-lock/v2"
	etcdModule      = "go.etcd.io/etcd/client/v3"
)

// citations are in the order of the pages and within each in its order. A span has its first line and its last.
var citations = []citation{
	{asynqModule, "client.go", 157, "Task enqueued with this option is guaranteed to be unique within the given ttl."},
	{asynqModule, "internal/rdb/rdb.go", 195, "int(ttl.Seconds())"},
	{asynqModule, "internal/rdb/rdb.go", 622, "int(ttl.Seconds())"},
	{asynqModule, "internal/rdb/rdb.go", 740, "int(ttl.Seconds())"},
	{asynqModule, "client.go", 220, "ErrDuplicateTask indicates that the given task could not be enqueued since it's a duplicate of another task."},
	{asynqModule, "internal/rdb/rdb.go", 157, "enqueueUniqueCmd"},
	{asynqModule, "internal/rdb/rdb.go", 165, `redis.call("HSET", KEYS[2],`},
	{etcdModule, "concurrency/election.go", 93, "waitDeletes(ctx, client, e.keyPrefix, e.leaderRev-1)"},
	{etcdModule, "concurrency/mutex.go", 104, "return ErrSessionExpired"},
	{etcdModule, "lease.go", 543, "ka.deadline = time.Now().Add("},
	{etcdModule, "lease.go", 566, "timer.Reset(time.Second)"},
	{etcdModule, "lease.go", 296, "time.Now().Add(l.firstKeepAliveTimeout)"},
	{etcdModule, "lease.go", 204, "l.firstKeepAliveTimeout = defaultTTL"},
	{etcdModule, "concurrency/mutex.go", 92, "m.Unlock(client.Ctx())"},
	{etcdModule, "concurrency/mutex.go", 125, "return nil, err"},
	{etcdModule, "concurrency/mutex.go", 136, "return ErrLockReleased"},
	{gocronModule, "options.go", 12, "WithAutoExtendDuration sets the duration for auto extending the lock."},
	{gocronModule, "redislock.go", 129, "r.mu.Extend()"},
	{gocronModule, "redislock.go", 132, "}"},
	{goZeroModule, "core/stores/redis/redislock.go", 63, "int(seconds)*millisPerSecond + tolerance"},
	{goZeroModule, "core/stores/redis/redislock.go", 50, "stringx.Randn(randomLen)"},
	{goZeroModule, "core/breaker/googlebreaker.go", 57, "float64(history.accepts)"},
	{goZeroModule, "core/stores/redis/redis.go", 2762, "func acceptable(err error) bool {"},
	{clientGoModule, "tools/leaderelection/leaderelection.go", 310, "le.release(logger)"},
	{clientGoModule, "tools/leaderelection/leaderelection.go", 321, "context.WithTimeout(ctx, le.config.RenewDeadline)"},
	{clientGoModule, "tools/leaderelection/leaderelection.go", 219, "defer cancel()"},
	{clientGoModule, "tools/leaderelection/leaderelection.go", 328, "le.config.Lock.Get(ctx)"},
	{clientGoModule, "tools/leaderelection/leaderelection.go", 338, "if !le.IsLeader() {"},
	{clientGoModule, "tools/leaderelection/leaderelection.go", 348, "le.config.Lock.Update(ctx, leaderElectionRecord)"},
	{redislockModule, "redislock.go", 220, "Token is a unique value that is used to identify the lock."},
	{redislockModule, "redislock.go", 25, `redis.call("getrange", KEYS[1], 0, offset-1)`},
	{redsyncModule, "mutex.go", 291, "range m.pools"},
	{redsyncModule, "mutex.go", 107, "context.WithTimeout(ctx, time.Duration(int64(float64(m.expiry)*m.timeoutFactor)))"},
	{redsyncModule, "redsync.go", 118, "WithTimeoutFactor can be used to set the timeout factor."},
	{redsyncModule, "redis/redigo/redigo.go", 42, "c.delegate.Do("},
	{redsyncModule, "redis/redigo/redigo.go", 70, "c.delegate.Do("},
	{redsyncModule, "mutex.go", 122, "context.WithTimeout(ctx,"},
	{redsyncModule, "mutex.go", 244, "status == int64(-1)"},
	{redsyncModule, "mutex.go", 80, "m.genValueFunc()"},
	{rueidisModule, "rueidislock/lock.go", 279, "deadline = time.Now().Add(m.validity)"},
	{rueidisModule, "rueidislock/lock.go", 280, "m.script(ctx, extend, key, val, deadline)"},
	{rueidisModule, "rueidislock/lock.go", 266, "canceltm := time.AfterFunc(duration, cancel)"},
	{rueidisModule, "rueidislock/lock.go", 353, "canceltm.Stop()"},
	{rueidisModule, "rueidislock/lock.go", 43, "WithContext acquires a distributed redis lock by name by waiting for it."},
	{rueidisModule, "rueidislock/lock.go", 399, "var timeout <-chan time.Time"},
	{rueidisModule, "rueidislock/lock.go", 408, "case <-timeout:"},
	{rueidisModule, "rueidislock/lock.go", 25, "KeyValidity is the validity duration of locks"},
	{rueidisModule, "rueidislock/lock.go", 165, "deadline.UnixMilli()"},
	{rueidisModule, "rueidislock/lock.go", 171, "deadline.UnixMilli()"},
	{rueidisModule, "rueidislock/lock.go", 186, "deadline.UnixMilli()"},
	{rueidisModule, "rueidislock/lock.go", 435, "PEXPIREAT"},
	{rueidisModule, "rueidislock/lock.go", 434, "NewLuaScriptRetryable"},
	{rueidisModule, "rueidislock/lock.go", 439, "NewLuaScriptRetryable"},
	{rueidisModule, "rueidislock/lock.go", 47, "ForceWithContext takes over a distributed redis lock by canceling the original holder."},
	{rueidisModule, "rueidislock/lock.go", 283, "<-csc"},
	{rueidisModule, "rueidislock/lock.go", 287, "m.script(ctx, extend, key, val, deadline)"},
}

// within removes the folders that the pages leave out.
var within = strings.NewReplacer("rueidislock/", "", "core/stores/redis/", "", "tools/leaderelection/", "", "concurrency/", "", "core/breaker/", "")

// Each line that the pages cite has the cited words, in the versions of go.mod. Each line checked is on a page.
func TestCitedLinesSayWhatTheyAreCitedFor(t *testing.T) {
	folders := map[string]string{}
	var names []string
	for _, c := range citations {
		if folders[c.module] == "" {
			folders[c.module] = folder(t, c.module)
		}
		text, err := os.ReadFile(filepath.Join(folders[c.module], c.file))
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Split(string(text), "\n"); c.line > len(lines) || !strings.Contains(lines[c.line-1], c.words) {
			t.Errorf("%s, %s:%d does not say %q", c.module, c.file, c.line, c.words)
		}
		names = append(names, within.Replace(c.file)+":"+strconv.Itoa(c.line))
	}
	if cited := cited(t); !slices.Equal(cited, names) {
		t.Errorf("the pages cite\n%v\nand checked are\n%v", cited, names)
	}
}

// folder is where the module cache keeps a module.
func folder(t *testing.T, module string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

var citing = regexp.MustCompile("`([a-z/]+\\.go):([0-9,-]+)`")

// cited returns the lines that the pages name, as file:line.
func cited(t *testing.T) (all []string) {
	t.Helper()
	pages, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range citing.FindAllStringSubmatch(string(text), -1) {
			for _, line := range strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' || r == '-' }) {
				all = append(all, m[1]+":"+line)
			}
		}
	}
	return all
}
