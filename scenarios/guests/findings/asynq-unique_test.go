package findings_test

import (
	"errors"
	"testing"
	"time"

	"github.com/hibiken/asynq"
)

// asynq, Unique: "Task enqueued with this option is guaranteed to be unique within the given ttl." The TTL is cut to
// whole seconds: of 1.9 s, 0.9 are not kept, and a second task is taken while the first waits.
func TestAsynqUniqueEndsEarly(t *testing.T) {
	const ttl = 1900 * time.Millisecond
	onEach(t, func(t *testing.T, start func() server) {
		s := start()
		client := asynq.NewClient(asynq.RedisClientOpt{Addr: s.addr})
		defer client.Close()
		for range 5 { // a machine that freezes for 900 ms proves nothing
			from, task := time.Now(), asynq.NewTask("mail", []byte(time.Now().String()))
			if _, err := client.Enqueue(task, asynq.Unique(ttl)); err != nil {
				t.Fatal(err)
			}
			second, err := client.Enqueue(task, asynq.Unique(ttl))
			for ; errors.Is(err, asynq.ErrDuplicateTask); second, err = client.Enqueue(task, asynq.Unique(ttl)) {
				sleep(10*time.Millisecond, s)
			}
			if err != nil {
				t.Fatal(err)
			}
			if after := time.Since(from); after < ttl {
				t.Logf("a second task is %v after %v, within %v", second.State, after, ttl)
				return
			}
		}
		t.Error("the library has changed, or this machine is too busy: no second task within the TTL")
	})
}

// asynq: "ErrDuplicateTask indicates that the given task could not be enqueued since it's a duplicate of another task." A task is
// refused, as its ID is taken; its uniqueness lock stays, and refuses the same task under another ID, though there is none.
func TestAsynqUniqueStaysWithoutATask(t *testing.T) {
	onEach(t, func(t *testing.T, start func() server) {
		client := asynq.NewClient(asynq.RedisClientOpt{Addr: start().addr})
		defer client.Close()
		if _, err := client.Enqueue(asynq.NewTask("mail", []byte("to Ann")), asynq.TaskID("7")); err != nil {
			t.Fatal(err)
		}
		mail := asynq.NewTask("mail", []byte("to Bob"))
		if _, err := client.Enqueue(mail, asynq.TaskID("7"), asynq.Unique(time.Hour)); !errors.Is(err, asynq.ErrTaskIDConflict) {
			t.Fatalf("the ID is taken, and the error is %v", err)
		}
		if _, err := client.Enqueue(mail, asynq.TaskID("8"), asynq.Unique(time.Hour)); !errors.Is(err, asynq.ErrDuplicateTask) {
			t.Fatalf("the library has changed: the error is %v", err)
		}
	})
}
