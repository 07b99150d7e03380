package checker_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/checkertest"
)

func TestCheckAcceptsSoundEvidence(t *testing.T) {
	for name, text := range map[string]string{
		"nothing at all":                         "",
		"one client":                             "0 acquire, 0 ok, 0 release, 0 ok",
		"two at once":                            "0 acquire, 1 acquire, 1 ok, 0 fail",
		"a client goes on under a new number":    "0 acquire, 0 info, 3 release, 3 ok",
		"an operation left open at the end":      "0 acquire, 1 acquire, 1 ok",
		"every func":                             "0 acquire, 0 ok, 0 read, 0 ok, 0 write, 0 ok, 0 release, 0 ok",
		"a fail closes too":                      "0 acquire, 0 fail, 0 acquire, 0 ok",
		"processes need not come in their order": "7 acquire, 7 ok, 0 release, 0 fail",
		"a close may leave out the name":         "0 acquire la, 0 ok la, 0 release la, 0 ok, 0 acquire lb, 0 ok lb",
	} {
		h := checkertest.Parse(t, text)
		if err := h.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for i := range h {
			h[i].Time = 5 // equal times are no fault: the index is the order
		}
		if err := h.Check(); err != nil {
			t.Errorf("%s, all at once: %v", name, err)
		}
	}
}

func TestCheckErrorsSayWhatWouldBeRight(t *testing.T) {
	for text, want := range map[string]string{
		"0 ok":                                  "index 0: process 0 has nothing open for this ok; want an invoke of acquire before it",
		"0 acquire, 0 acquire":                  "index 1: process 0 invokes acquire while its acquire of index 0 is open; want an ok, fail or info for that first",
		"0 acquire, 0 ok, 0 ok":                 "index 2: process 0 has nothing open for this ok; want an invoke",
		"0 acquire, 0 fail, 0 fail":             "index 2: process 0 has nothing open for this fail; want an invoke",
		"0 acquire, 1 info":                     "index 1: process 1 has nothing open for this info; want an invoke",
		"0 acquire, 0 info, 0 release":          "index 2: process 0 is gone since the info at index 1; want a new process number for its client",
		"0 acquire, 0 info, 0 ok":               "index 2: process 0 is gone since the info at index 1; want a new",
		"0 acquire la, 0 ok lb":                 `index 1: this ok names lock "b", but process 0 has the acquire of lock "a" open, of index 0; want the same or no name`,
		"0 acquire, 0 ok lb":                    `index 1: this ok names lock "b", but process 0 has the acquire of no lock by name open, of index 0; want`,
		"0 acquire la, 1 acquire, 1 info la":    `index 2: this info names lock "a", but process 1 has the acquire of no lock by name open, of index 1; want`,
		"1 read, 0 acquire, 0 ok, 1 ok acquire": "index 3: this ok is of acquire, but process 1 has read open, of index 0; want that closed",
	} {
		h := checkertest.Parse(t, text)
		wants(t, text, h.Check(), want)
	}
	for want, spoil := range map[string]func(checker.History){
		"index 1: the op calls itself 3; want 1, its place in the history":    func(h checker.History) { h[1].Index = 3 },
		"index 1: the op calls itself 0; want 1, ":                            func(h checker.History) { h[1].Index = 0 },
		"index 0: time is -1; want nanoseconds since the run began":           func(h checker.History) { h[0].Time = -1 },
		"index 1: time is 8; want 9 or later, as in the op before":            func(h checker.History) { h[0].Time, h[1].Time = 9, 8 },
		"index 0: process is -2; want the number of a client, from 0":         func(h checker.History) { h[0].Process = -2 },
		"index 1: type 4 is not known; want one of invoke, ok, fail, info":    func(h checker.History) { h[1].Type = 4 },
		"index 0: func 6 is not known; want one of acquire, release, read, w": func(h checker.History) { h[0].F = 6 },
	} {
		h := checkertest.Parse(t, "0 acquire, 0 ok")
		spoil(h)
		wants(t, want, h.Check(), want)
	}
}

func wants(t *testing.T, name string, err error, want string) {
	t.Helper()
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%s\n got %v\nwant %s", name, err, want)
	}
}
