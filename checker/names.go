package checker

import (
	"cmp"
	"strconv"
	"strings"
)

// owner returns the name of the client of a hold.
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
// new number, a multiple of the number of clients further on.
func (e *Evidence) clientOf(process int) int { return process % e.Clients }

// home names what holds a key that was seen on a node: that node, or the service that the nodes make together.
func (e *Evidence) home(i int) string { return cmp.Or(e.Service, node(i)) }

func node(i int) string { return "n" + strconv.Itoa(i+1) }

// sentence begins a sentence with the words.
func sentence(words string) string { return strings.ToUpper(words[:1]) + words[1:] }
