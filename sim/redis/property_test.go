package redis

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// The world of these tests is small, so that all events are frequent: two keys, few values, short lives.
var (
	keys    = rapid.SampledFrom([]string{"k", "k", "j"})
	values  = rapid.SampledFrom([]string{"a", "b", "7"})
	lives   = rapid.SampledFrom([]string{"1", "2", "5", "5", "10", "100"})
	oddity  = rapid.SampledFrom([]string{"0", "-1", "05", "+5", "x", "", "1.5", "9223372036854775807", "-9223372036854775808"})
	moments = rapid.SampledFrom([]time.Duration{1, time.Millisecond - 1, time.Millisecond, time.Millisecond + 1, 4 * time.Millisecond, 20 * time.Millisecond})
)

// move lets time pass, or changes the clocks.
func move(t *rapid.T, r *rig) {
	switch by := moments.Draw(t, "by"); rapid.IntRange(0, 6).Draw(t, "move") {
	case 0:
		r.step(by)
	case 1:
		r.step(-by)
	case 2: // a strobe
		r.step(by)
		r.step(-by)
	case 3:
		rate := rapid.SampledFrom([]clock.Rate{200 * clock.PPM, -200 * clock.PPM}).Draw(t, "rate")
		r.all(func(h *sim.Host) { h.Drift(rate) })
	default:
		r.pass(by)
	}
}

// off turns every node off for a while.
func off(t *rapid.T, r *rig) {
	if rapid.Bool().Draw(t, "power") {
		r.power()
	} else {
		r.shutdown()
	}
	if rapid.Bool().Draw(t, "away") {
		move(t, r)
	}
	r.restart()
}

// ordinary draws a command of those that the fast way serves, with a slip now and then.
func ordinary(t *rapid.T) []string {
	life := lives
	if rapid.IntRange(0, 9).Draw(t, "odd") == 0 {
		life = oddity
	}
	k := keys.Draw(t, "key")
	switch rapid.IntRange(0, 8).Draw(t, "command") {
	case 0, 1:
		return []string{"SET", k, values.Draw(t, "value"), "NX", "PX", life.Draw(t, "life")}
	case 2:
		return []string{"GET", k}
	case 3:
		return []string{"DEL", k}
	case 4:
		return []string{"PEXPIRE", k, life.Draw(t, "life")}
	case 5:
		return []string{"INCR", k}
	case 6:
		return []string{rapid.SampledFrom([]string{"EXISTS", "PERSIST"}).Draw(t, "name"), k}
	case 7:
		return []string{"RPUSH", k, values.Draw(t, "value")}
	default:
		return other(t, k)
	}
}

// other draws a command that only the long way serves.
func other(t *rapid.T, k string) []string {
	v, life := values.Draw(t, "value"), lives.Draw(t, "life")
	return strings.Fields(rapid.SampledFrom([]string{
		"SET " + k + " " + v,
		"SET " + k + " " + v + " XX PX " + life,
		"SET " + k + " " + v + " KEEPTTL",
		"SET " + k + " " + v + " GET NX",
		"SET " + k + " " + v + " PXAT " + dates.Draw(t, "date"),
		"SET " + k + " " + v + " NX PX",
		"SETNX " + k + " " + v,
		"GETEX " + k + " PX " + life,
		"GETDEL " + k,
		"PERSIST " + k,
		"PTTL " + k,
		"TTL " + k,
		"RPUSH " + k + " " + v,
		"HSET " + k + " f " + v,
		"HSET " + k + " " + v + " 1",
		"HINCRBY " + k + " " + v + " 1",
		"RENAME j k",
		"DEL j k",
		"GET",
		"PEXPIRE " + k,
		"FLUSHALL",
	}).Draw(t, "other"))
}

// dates are around what the clocks of these tests show, in milliseconds.
var dates = rapid.Custom(func(t *rapid.T) string { return strconv.Itoa(rapid.IntRange(999_995, 1_000_060).Draw(t, "date")) })

// dated reports whether a script takes the moment at which a life ends.
func (s *Script) dated() bool {
	return strings.Contains(s.Text, "PXAT") || strings.Contains(s.Text, "PEXPIREAT")
}

// script draws a call of one of these scripts, right or wrong.
func script(t *rapid.T, of []Script) []string {
	s := rapid.SampledFrom(of).Draw(t, "script")
	args := []string{"EVAL", s.Text, strconv.Itoa(s.Keys), keys.Draw(t, "key")}
	if s.Keys > 1 {
		args = append(args, rapid.SampledFrom([]string{"j", "j", "k"}).Draw(t, "other key"))
	}
	life := lives
	switch {
	case s.Keys > 2:
		args = append(args, rapid.SampledFrom([]string{"1pending", "1pending", "5pending", "k"}).Draw(t, "queue"))
	case s.dated():
		life = dates
	case s.Name == "asynq: delete":
		life = rapid.SampledFrom([]string{"1", "1", "1", "5"}) // for queues
	}
	args = append(args, values.Draw(t, "value"), life.Draw(t, "life"), rapid.SampledFrom([]string{"0", "1"}).Draw(t, "flag"), "more")[:3+s.Keys+s.Args]
	if rapid.Bool().Draw(t, "by name") {
		args[0], args[1] = "EVALSHA", s.sha
	}
	switch i := rapid.IntRange(2, 9).Draw(t, "slip"); {
	case i == 2 || i >= 4 && i < len(args):
		if rapid.IntRange(0, 3).Draw(t, "odd") == 0 {
			args[i] = oddity.Draw(t, "oddity")
		}
	case i == 8 && rapid.IntRange(0, 3).Draw(t, "fewer") == 0:
		args = args[:rapid.IntRange(1, len(args)-1).Draw(t, "args")]
	case i == 9 && rapid.IntRange(0, 3).Draw(t, "more") == 0:
		args = append(args, "more")
	}
	return args
}

var persistences = rapid.SampledFrom([]Persistence{None, AOFAlways, AOFEverySecond})

func TestNativeScriptsDoWhatTheirTextsDo(t *testing.T) { asTheirTexts(t, Scripts, ordinary) }

// Where no command puts anything else under the key, a hash has the time to be acquired more than once.
func TestNativeHashesDoWhatTheirTextsDo(t *testing.T) {
	asTheirTexts(t, Scripts[2:], func(t *rapid.T) []string {
		k, v := keys.Draw(t, "key"), values.Draw(t, "value")
		return strings.Fields(rapid.SampledFrom([]string{
			"HINCRBY " + k + " " + v + " 1", "HDEL " + k + " " + v, "PTTL " + k, "HGETALL " + k, "DEL " + k, "PERSIST " + k, "GET j", "SET j 9", "SET j x",
		}).Draw(t, "command"))
	})
}

// A task is taken up and deleted more than once where its queue is left alone.
func TestNativeTasksDoWhatTheirTextsDo(t *testing.T) {
	asTheirTexts(t, Scripts[len(Scripts)-2:], func(t *rapid.T) []string {
		k, v := keys.Draw(t, "key"), values.Draw(t, "value")
		return strings.Fields(rapid.SampledFrom([]string{
			"DEL " + k, "SET " + k + " " + v, "RPUSH 1pending " + v, "DEL 1pending", "PEXPIRE 1pending 5", "SET 1pending x", "HSET " + k + " state active",
			"HSET " + k + " state pending", "HSET " + k + " unique_key " + k, "HDEL " + k + " unique_key", "HSET j state pending unique_key k",
		}).Draw(t, "command"))
	})
}

// A task's life: put into its queue, denied to others, and deleted with its lock, or without a lock that is another's
// by then.
func TestATaskHasALockUntilItIsDeleted(t *testing.T) {
	r := rigged(t, Config{Watch: "lock"}, Config{Watch: "lock", Interpret: true})
	defer r.close()
	enqueue := func(lock, task, id string) []string {
		return []string{"EVAL", asynqEnqueue, "3", lock, task, "q:pending", id, "1", "text", "7"}
	}
	remove := func(task, id string) []string {
		return []string{"EVAL", asynqDelete, "2", task, "groups", id, "q:", "g:"}
	}
	for _, step := range []struct {
		want    any
		command []string
	}{
		{int64(1), enqueue("lock", "t1", "a")}, {int64(-1), enqueue("lock", "t2", "b")}, {int64(1), remove("t1", "a")}, {nil, words("GET lock")},
		{int64(0), remove("t1", "a")}, {int64(1), enqueue("lock", "t2", "b")}, {int64(0), enqueue("other", "t2", "c")}, {"OK", words("SET lock c")},
		{int64(1), remove("t2", "b")}, {"c", words("GET lock")},
	} {
		r.replies(step.want, step.command...)
		r.nodes[1].Serve(step.command)
		r.agree()
	}
}

// asTheirTexts compares native scripts with interpreted ones, among other commands.
func asTheirTexts(t *testing.T, scripts []Script, other func(*rapid.T) []string) {
	rapid.Check(t, func(t *rapid.T) {
		p := persistences.Draw(t, "persistence")
		r := rigged(t, Config{Persistence: p, Watch: "k"}, Config{Persistence: p, Watch: "k", Interpret: true})
		defer r.close()
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			switch rapid.IntRange(0, 19).Draw(t, "what") {
			case 0:
				off(t, r)
			case 1, 2, 3, 4:
				move(t, r)
			case 5, 6, 7, 8, 9, 10, 11:
				r.same(other(t))
			default:
				r.same(script(t, scripts))
			}
		}
		r.agree()
	})
}

// slow spells a command so that it takes the long way.
func slow(args []string) []string {
	args = slices.Clone(args)
	args[0] = strings.ToLower(args[0])
	return args
}

func TestFastWayDoesWhatTheLongWayDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Config{Persistence: persistences.Draw(t, "persistence"), Watch: "k"}
		r := rigged(t, c, c)
		defer r.close()
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 15).Draw(t, "what") {
			case 0:
				off(t, r)
			case 1, 2, 3, 4, 5:
				move(t, r)
			default:
				r.same(ordinary(t), nil, slow)
			}
		}
		r.agree()
	})
}

// An oracle is Redis as one would explain it: a map, a deadline for each key, a clock, and nothing clever. It steps
// through time nanosecond by nanosecond wherever that matters.
type oracle struct {
	now, wall time.Duration
	data      map[string]*item
	spans     []string
	since     time.Duration // when the life of k with its present value began
}

type item struct {
	value    string
	deadline int64 // in milliseconds of the wall clock; never for none
}

// millis is the oracle's clock in whole milliseconds. The clocks of this test never show a time before the epoch.
func (o *oracle) millis() int64 { return int64(o.wall / time.Millisecond) }

// expire ends what is overdue.
func (o *oracle) expire() {
	for _, key := range []string{"j", "k"} {
		if i := o.data[key]; i != nil && o.millis() > i.deadline {
			o.set(key, nil)
		}
	}
}

// set sets the item of a key, or removes it, and keeps the record of k.
func (o *oracle) set(key string, i *item) {
	old := o.data[key]
	o.data[key] = i
	if key != "k" || old != nil && i != nil && old.value == i.value {
		return
	}
	if old != nil {
		o.spans = append(o.spans, fmt.Sprint(old.value, " ", o.since, " ", o.now))
	}
	o.since = o.now
}

// pass lets time pass, from one full millisecond of the wall clock to the next: nothing can end in between.
func (o *oracle) pass(by time.Duration) {
	for by > 0 {
		d := min(by, time.Millisecond-o.wall%time.Millisecond)
		o.now, o.wall, by = o.now+d, o.wall+d, by-d
		o.expire()
	}
}

func (o *oracle) step(by time.Duration) {
	o.wall += by
	o.expire()
}

// do carries out a command.
func (o *oracle) do(args []string) any {
	key, i := args[1], o.data[args[1]]
	life := func(text string) (int64, bool) {
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err == nil && strconv.FormatInt(n, 10) == text
	}
	const far = math.MaxInt64 / 2 // only the extremes lie beyond
	switch args[0] {
	case "SET":
		switch n, ok := life(args[5]); {
		case !ok:
			return Error("ERR value is not an integer or out of range")
		case n <= 0 || n > far:
			return Error("ERR invalid expire time in 'set' command")
		case i != nil:
			return nil
		default:
			o.set(key, &item{args[2], o.millis() + n})
			return "OK"
		}
	case "PEXPIRE":
		switch n, ok := life(args[2]); {
		case !ok:
			return Error("ERR value is not an integer or out of range")
		case n > far:
			return Error("ERR invalid expire time in 'pexpire' command")
		case i == nil:
			return int64(0)
		case n <= 0:
			o.set(key, nil)
			return int64(1)
		default:
			o.set(key, &item{i.value, o.millis() + n})
			return int64(1)
		}
	case "GET":
		if i == nil {
			return nil
		}
		return i.value
	case "PTTL":
		switch {
		case i == nil:
			return int64(-2)
		case i.deadline == never:
			return int64(-1)
		}
		return i.deadline - o.millis()
	case "DEL":
		if i == nil {
			return int64(0)
		}
		o.set(key, nil)
		return int64(1)
	case "INCR":
		if i == nil {
			i = &item{"0", never}
		}
		n, err := strconv.ParseInt(i.value, 10, 64)
		if err != nil {
			return Error("ERR value is not an integer or out of range")
		}
		o.set(key, &item{strconv.FormatInt(n+1, 10), i.deadline})
		return n + 1
	}
	panic("no oracle for " + args[0])
}

func TestNodeAgreesWithAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rigged(t, Config{Watch: "k"})
		defer r.close()
		o := &oracle{wall: 1000 * time.Second, data: map[string]*item{}}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			by := moments.Draw(t, "by")
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0, 1, 2:
				r.pass(by)
				o.pass(by)
				continue
			case 3:
				if rapid.Bool().Draw(t, "back") {
					by = -by
				}
				r.step(by)
				o.step(by)
				continue
			}
			args := asked(t)
			if rapid.Bool().Draw(t, "long way") {
				args = slow(args)
			}
			got, want := r.do(args...), o.do(append([]string{strings.ToUpper(args[0])}, args[1:]...))
			if !equal(got, want) {
				t.Fatalf("at %v, wall %v: %q: got %#v, want %#v", o.now, o.wall, args, got, want)
			}
		}
		o.pass(time.Second)
		r.pass(time.Second)
		r.step(time.Hour)
		o.step(time.Hour)
		var got []string
		for _, s := range r.nodes[0].Spans() {
			if s.To < clock.Forever {
				got = append(got, fmt.Sprint(s.Value, " ", time.Duration(s.From), " ", time.Duration(s.To)))
			}
		}
		if !slices.Equal(got, o.spans) {
			t.Fatalf("spans: got %q, want %q", got, o.spans)
		}
	})
}

// asked draws a command that the oracle knows.
func asked(t *rapid.T) []string {
	life := lives
	if rapid.IntRange(0, 9).Draw(t, "odd") == 0 {
		life = rapid.SampledFrom([]string{"0", "-1", "05", "+5", "x", "", "9223372036854775807", "-9223372036854775808"})
	}
	k := keys.Draw(t, "key")
	switch rapid.IntRange(0, 6).Draw(t, "command") {
	case 0:
		return []string{"GET", k}
	case 1:
		return []string{"DEL", k}
	case 2:
		return []string{"PEXPIRE", k, life.Draw(t, "life")}
	case 3:
		return []string{"INCR", k}
	case 4:
		return []string{"PTTL", k}
	default:
		return []string{"SET", k, values.Draw(t, "value"), "NX", "PX", life.Draw(t, "life")}
	}
}
