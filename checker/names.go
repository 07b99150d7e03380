package checker

import (
	"strconv"
	"strings"
)

func (e *Evidence) owner(hold int) string { return client(e.Holds[hold].Client) }

// holder names the client of a hold with its fencing token, if it drew one: c1 (token 33).
func (e *Evidence) holder(i int) string {
	return client(e.Holds[i].Client) + fence(" (", e.Holds[i].Fence, ")")
}

func fence(before string, token uint64, after string) string {
	if token == 0 {
		return ""
	}
	return before + "token " + strconv.FormatUint(token, 10) + after
}

func client(i int) string { return "c" + strconv.Itoa(i+1) }

// clientOf returns the client behind a process of the history. A process that never learnt an outcome goes on under a
// new number, a multiple of the number of clients further on. Where that is not known, each process is a client.
func (e *Evidence) clientOf(process int) int {
	if e.Clients <= 0 {
		return process
	}
	return process % e.Clients
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

func node(i int) string { return "n" + strconv.Itoa(i+1) }

// sentence begins a sentence with a lane: "The master", but "n1".
func sentence(lane string) string {
	if rest, found := strings.CutPrefix(lane, "the "); found {
		return "The " + rest
	}
	return lane
}
