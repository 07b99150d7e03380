package checker

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

func client(i int) string { return "c" + strconv.Itoa(i+1) }

func node(i int) string { return "n" + strconv.Itoa(i+1) }

func fence(before string, token uint64, after string) string {
	if token == 0 {
		return ""
	}
	return before + "token " + strconv.FormatUint(token, 10) + after
}

// sentence begins a sentence with a lane: "The master", but "n1".
func sentence(lane string) string {
	if rest, found := strings.CutPrefix(lane, "the "); found {
		return "The " + rest
	}
	return lane
}

// clientOf returns the client behind a process of the history. A process that never learnt an outcome continues under a
// new number, larger by a multiple of the number of clients. Without that number, each process is a client.
func (e *Evidence) clientOf(process int) int {
	if e.Clients <= 0 {
		return process
	}
	return process % e.Clients
}

func (e *Evidence) owner(hold int) string { return client(e.Holds[hold].Client) }

// holder names the client of a hold with its fencing token, if it has one, and says if it shares the lock: c1 (token
// 33, shared).
func (e *Evidence) holder(i int) string {
	h := &e.Holds[i]
	switch {
	case !h.Shared:
		return client(h.Client) + fence(" (", h.Fence, ")")
	case h.Fence == 0:
		return client(h.Client) + " (shared)"
	}
	return client(h.Client) + fence(" (", h.Fence, ", shared)")
}

func (e *Evidence) lane(i int) string {
	if i < 0 || i >= len(e.Lanes) {
		return node(i)
	}
	return e.Lanes[i]
}

// alone returns the name of the one lane that grants the lock by itself, or "" where several vote.
func (e *Evidence) alone() string {
	if len(e.Lanes) != 1 {
		return ""
	}
	return e.Lanes[0]
}

// say formats a sentence as fmt does, but writes an instant in seconds and a duration in three digits, and names a
// hold, a try or an update by its client.
func say(format string, args ...any) string {
	for i, a := range args {
		switch a := a.(type) {
		case clock.Instant:
			args[i] = seconds(a)
		case time.Duration:
			args[i] = lasting(a)
		case *Hold:
			args[i] = client(a.Client)
		case *Try:
			args[i] = client(a.Client)
		case *Update:
			args[i] = client(a.Client)
		}
	}
	return fmt.Sprintf(format, args...)
}

// lasting returns a duration in three digits: 5.11 s, 28.8 ms.
func lasting(d time.Duration) string {
	if d == time.Duration(clock.Forever) {
		return seconds(clock.Forever)
	}
	unit, name := time.Second, " s"
	switch {
	case d < time.Millisecond:
		unit, name = time.Microsecond, " µs"
	case d < time.Second:
		unit, name = time.Millisecond, " ms"
	}
	return decimal(clock.Instant(d), unit, max(0, 3-len(strconv.Itoa(int(d/unit))))) + name
}

// to returns the end of an interval: " to 15.012 s", or " on" when it has no end.
func to(t clock.Instant) string {
	if t == clock.Forever {
		return " on"
	}
	return " to " + seconds(t)
}

// seconds returns t in seconds, rounded to the microsecond.
func seconds(t clock.Instant) string {
	if t == clock.Forever {
		return "for ever"
	}
	return decimal(t, time.Second, 6) + " s"
}

// decimal returns t in a unit with at most that many decimals, without trailing zeros. It computes in integers, because
// a float would round twice.
func decimal(t clock.Instant, in time.Duration, places int) string {
	unit := clock.Instant(in)
	for range places {
		unit /= 10
	}
	n := t / unit
	if t%unit*2 >= unit {
		n++
	}
	digits := fmt.Sprintf("%0*d", places+1, int64(n))
	whole, rest := digits[:len(digits)-places], strings.TrimRight(digits[len(digits)-places:], "0")
	return strings.TrimSuffix(whole+"."+rest, ".")
}
