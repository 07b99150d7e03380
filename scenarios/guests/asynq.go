package guests

import (
	"context"
	"time"

	"github.com/hibiken/asynq"

	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

// asynqLock is the unique lock of hibiken/asynq on the first node: who enqueues a unique task holds the lock until the
// task is deleted, or until the TTL has passed, which asynq counts in whole seconds.
type asynqLock struct {
	onGoRedis
	task string
}

// newAsynq is asynq's unique lock over go-redis.
func newAsynq(w waits) guest.Constructor {
	return func(c *guest.Client) (guest.Lock, error) { return &asynqLock{onGoRedis: firstNode(c, w)}, nil }
}

// asynqKey is the key under which asynq keeps the lock of a task.
func asynqKey(name string) string { return "asynq:{default}:unique:" + name + ":" }

func (l *asynqLock) Acquire(ctx context.Context) (string, time.Time, error) {
	l.task = newToken()
	until := deadline(l.config)
	task := asynq.NewTask(l.config.Config.Key, nil, asynq.TaskID(l.task), asynq.Unique(l.config.Config.TTL))
	_, err := asynq.NewClientFromRedisClient(l.client).EnqueueContext(ctx, task)
	return l.task, until, err
}

func (l *asynqLock) Release(context.Context) error {
	return asynq.NewInspectorFromRedisClient(l.client).DeleteTask("default", l.task)
}
