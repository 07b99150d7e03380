package blackbox

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/checkertest"
	"github.com/lockstorm/lockstorm/clock"
)

// A modelStory is a history that can be read at a glance, and which models find it legal.
type modelStory struct{ name, history, legal string }

// The letters of the models in modelStory.legal.
var letters = map[byte]string{
	'M': "mutex", 'R': "reentrant-mutex", 'F': "fenced-mutex", 'G': "reentrant-fenced-mutex", 'S': "semaphore", 'L': "lease", 'T': "lease-timed",
	'W': "rwlock", 'P': "plain-mutex", 'r': "register", 'f': "fenced-register", 'V': "cas-register",
}

// lockStories are judged by every lock: 2 permits, 2 times reentrant, and 3 clients, so that process 3 is client 0
// again.
var lockStories = []modelStory{
	{"nothing happened", "", "MRFGSLTP"},
	{"one holder", "0 acquire, 0 ok f1, 0 release, 0 ok", "MRFGSLTP"},
	{"one after the other", "0 acquire, 0 ok f1, 0 release, 0 ok, 1 acquire, 1 ok f2, 1 release, 1 ok", "MRFGSLTP"},
	{"an acquire may fail with no holder", "0 acquire, 0 fail, 1 acquire, 1 fail", "MRFGSLTP"},
	{"an acquire fails because another holds", "0 acquire, 0 ok f1, 1 acquire, 1 fail, 0 release, 0 ok", "MRFGSLTP"},
	{"the waiting acquire overlaps the release", "0 acquire, 0 ok f1, 1 acquire, 0 release, 1 ok f2, 0 ok, 1 release, 1 ok", "MRFGSLTP"},
	{"the last holder never stops", "0 acquire, 0 ok f1, 0 release, 0 ok, 1 acquire, 1 ok f2", "MRFGSLTP"},
	{"an acquire in flight holds nothing yet", "0 acquire, 1 acquire, 1 ok f1, 1 release, 1 ok, 0 ok f2", "MRFGSLTP"},
	{"an unknown acquire may be nothing", "0 acquire, 0 info, 1 acquire, 1 ok f1, 1 release, 1 ok", "MRFGSLTP"},
	{"an acquire left open may be nothing", "0 acquire, 1 acquire, 1 ok f1", "MRFGSLTP"},
	{"an unknown acquire, shown by its release", "0 acquire, 0 info, 3 release, 3 ok", "MRFGSLTP"},
	{"an unknown release may free the lock", "0 acquire, 0 ok f1, 0 release, 0 info, 1 acquire, 1 ok f2", "MRFGSLTP"},
	{"an unknown release may be nothing", "0 acquire, 0 ok f1, 0 release, 0 info, 3 release, 3 ok, 1 acquire, 1 ok f2", "MRFGSLTP"},
	{"an unknown release frees for oneself", "0 acquire, 0 ok f1, 0 release, 0 info, 3 acquire, 3 ok f2", "MRFGSLTP"},
	{"unknown clean-up of an unknown acquire", "0 acquire, 0 info, 3 release, 3 info, 1 acquire, 1 ok f1, 1 release, 1 ok", "MRFGSLTP"},
	{"a gap: released and acquired again, both unknown",
		"0 acquire, 0 ok f1, 0 release, 0 info, 3 acquire, 3 info, 1 acquire, 1 ok f2, 1 release, 1 ok, 6 release, 6 ok", "MRFGSLTP"},
	{"a failed release by one who holds nothing", "0 release, 0 fail, 1 acquire, 1 ok f1", "MRFGSLTP"},
	{"an unknown release by one who holds nothing", "0 release, 0 info, 1 acquire, 1 ok f1, 1 release, 1 ok", "MRFGSLTP"},
	{"a renewed hold", "0 acquire, 0 ok f1, 0 renew, 0 ok, 0 release, 0 ok, 1 acquire, 1 ok f2", "MRFGSLTP"},
	{"a renewal that fails says nothing", "0 acquire, 0 ok f1, 0 renew, 0 fail, 1 renew, 1 fail", "MRFGSLTP"},
	{"an unknown renewal may be nothing", "0 acquire, 0 ok f1, 0 release, 0 ok, 0 renew, 0 info, 1 acquire, 1 ok f2", "MRFGSLTP"},
	{"an unknown acquire, shown by its renewal", "0 acquire, 0 info, 3 renew, 3 ok, 3 release, 3 ok", "MRFGSLTP"},
	{"an unknown release after the renewal", "0 acquire, 0 ok f1, 0 renew, 0 ok, 0 release, 0 info, 1 acquire, 1 ok f2", "MRFGSLTP"},
	{"a renewal beside the release of an unknown acquire",
		"0 acquire, 0 info, 1 acquire, 1 ok f1, 3 renew, 1 release, 1 ok, 3 ok", "MRFGSLTP"},
	{"two locks, each with a holder", "0 acquire la, 0 ok f1, 1 acquire lb, 1 ok f1", "MRFGSLTP"},
	{"one client holds two locks", "0 acquire la, 0 ok f1, 0 acquire lb, 0 ok f1, 0 release la, 0 ok, 1 acquire la, 1 ok f2", "MRFGSLTP"},

	{"a renewal without a hold", "0 renew, 0 ok", ""},
	{"a renewal after the release", "0 acquire, 0 ok f1, 0 release, 0 ok, 0 renew, 0 ok", ""},
	{"a renewal of what another holds", "0 acquire, 0 ok f1, 1 renew, 1 ok", "P"},
	{"renewed after it was granted away", "0 acquire, 0 ok f1, 1 acquire, 1 ok f2, 0 renew, 0 ok", "S"},
	{"renewed after its renewal failed", "0 acquire, 0 ok f1, 0 renew, 0 fail, 0 renew, 0 ok", "MRFGSP"},
	{"renewed after an unknown release, and then two holders",
		"0 acquire, 0 ok f1, 0 release, 0 info, 1 acquire, 1 ok f2, 3 renew, 3 ok", "SP"},
	{"the release of another lock does not free this one", "0 acquire la, 0 ok f1, 0 acquire lb, 0 ok f1, 0 release lb, 0 ok, 1 acquire la, 1 ok f2", "SLT"},
	{"released under another name", "0 acquire la, 0 ok f1, 0 release lb, 0 ok", ""},

	{"two holders", "0 acquire, 0 ok f1, 1 acquire, 1 ok f2", "SLT"},
	{"two holders, both release", "0 acquire, 0 ok f1, 1 acquire, 1 ok f2, 1 release, 1 ok, 0 release, 0 ok", "S"},
	{"the first lease had expired", "0 acquire, 0 ok f1, 1 acquire, 1 ok f2, 0 release, 0 fail, 1 release, 1 ok", "SLT"},
	{"two acquires at once both succeed", "0 acquire, 1 acquire, 0 ok f1, 1 ok f2", "SLT"},
	{"three holders", "0 acquire, 0 ok f1, 1 acquire, 1 ok f2, 2 acquire, 2 ok f3", "LT"},
	{"three holders, and the first releases", "0 acquire, 0 ok f1, 1 acquire, 1 ok f2, 2 acquire, 2 ok f3, 0 release, 0 ok", ""},
	{"three at once", "0 acquire, 1 acquire, 2 acquire, 0 ok f1, 1 ok f2, 2 ok f3", "LT"},
	{"three holders, after one came and went",
		"0 acquire, 0 ok f1, 0 release, 0 ok, 1 acquire, 1 ok f2, 2 acquire, 2 ok f3, 0 acquire, 0 ok f4", "LT"},
	{"a release without a hold", "0 release, 0 ok", ""},
	{"released twice", "0 acquire, 0 ok f1, 0 release, 0 ok, 0 release, 0 ok", ""},
	{"released by another", "0 acquire, 0 ok f1, 1 release, 1 ok", "P"},
	{"released by another, then by its holder", "0 acquire, 0 ok f1, 1 release, 1 ok, 0 release, 0 ok", ""},
	{"released by one whose acquire failed", "0 acquire, 0 fail, 0 release, 0 ok", ""},
	{"a failed release does not free a mutex", "0 acquire, 0 ok f1, 0 release, 0 fail, 1 acquire, 1 ok f2", "SLT"},
	{"a failed release ends a lease", "0 acquire, 0 ok f1, 0 release, 0 fail, 0 release, 0 ok", "MRFGSP"},
	{"an unknown acquire shows too late", "0 release, 0 ok, 0 acquire, 0 info", ""},
	{"an unknown acquire serves one release only", "0 acquire, 0 info, 3 release, 3 ok, 3 release, 3 ok", ""},
	{"an unknown release serves one holder only",
		"0 acquire, 0 ok f1, 0 release, 0 info, 1 acquire, 1 ok f2, 2 acquire, 2 ok f3", "SLT"},
	{"a release retried after a timeout, and then two holders",
		"0 acquire, 0 ok f1, 0 release, 0 info, 3 release, 3 info, 1 acquire, 1 ok f2, 2 acquire, 2 ok f3", "SLTP"},
	{"an unknown release cannot take effect before its invoke", "0 acquire, 0 ok f1, 1 acquire, 1 ok f2, 0 release, 0 info", "SLT"},
	{"its unknown acquire cannot be within another's hold",
		"1 acquire, 1 ok f1, 0 acquire, 0 info, 3 release, 3 ok, 1 release, 1 ok", "SP"},

	{"acquired again by its holder", "0 acquire, 0 ok f1, 0 acquire, 0 ok f1, 0 release, 0 ok, 0 release, 0 ok", "RGS"},
	{"acquired three times", "0 acquire, 0 ok f1, 0 acquire, 0 ok f1, 0 acquire, 0 ok f1", "LT"},
	{"released once of twice", "0 acquire, 0 ok f1, 0 acquire, 0 ok f1, 0 release, 0 ok, 1 acquire, 1 ok f2", "SLT"},
	{"acquired again with another token", "0 acquire, 0 ok f1, 0 acquire, 0 ok f2", "RSLT"},
	{"the token shows only the second time", "0 acquire, 0 ok, 0 acquire, 0 ok f1", "RGSLT"},
	{"acquired again without a token", "0 acquire, 0 ok f1, 0 acquire, 0 ok, 0 release, 0 ok, 0 acquire, 0 ok f1", "RGSLT"},
	{"an unknown second acquire, shown by two releases", "0 acquire, 0 ok f1, 0 acquire, 0 info, 3 release, 3 ok, 3 release, 3 ok", "MRFGSLTP"},

	{"the same token twice", "0 acquire, 0 ok f1, 0 release, 0 ok, 1 acquire, 1 ok f1", "MRSLTP"},
	{"a token that falls", "0 acquire, 0 ok f34, 0 release, 0 ok, 1 acquire, 1 ok f33", "MRSLTP"},
	{"a token that falls after one without", "0 acquire, 0 ok f34, 0 release, 0 ok, 1 acquire, 1 ok, 1 release, 1 ok, 1 acquire, 1 ok f34", "MRSLTP"},
	{"tokens with holes", "0 acquire, 0 ok f7, 0 release, 0 ok, 1 acquire, 1 ok f900", "MRFGSLTP"},
	{"no tokens at all", "0 acquire, 0 ok, 0 release, 0 ok, 1 acquire, 1 ok", "MRFGSLTP"},
	{"the larger token was asked for first, and got later", "0 acquire, 1 acquire, 1 ok f1, 1 release, 1 ok, 0 ok f2", "MRFGSLTP"},
	{"the smaller token of a hold no longer than a moment",
		"2 acquire, 2 ok f1, 2 release, 2 info, 5 release, 5 ok, 5 acquire, 0 acquire, 0 ok f3, 0 release, 0 ok, 5 ok f2, 8 acquire, 8 ok f4", "MRFGSLTP"},
	{"the smaller token of a hold that came after",
		"2 acquire, 2 ok f1, 2 release, 2 info, 5 release, 5 ok, 0 acquire, 0 ok f3, 0 release, 0 ok, 5 acquire, 5 ok f2, 8 acquire, 8 ok f4", "MRSLTP"},
}

// registerStories are judged by both registers.
var registerStories = []modelStory{
	{"nothing happened", "", "rf"},
	{"read, then write", "0 read f1, 0 ok v0, 0 write f1, 0 ok v1", "rf"},
	{"one after the other", "0 write f1, 0 ok v1, 1 read f2, 1 ok v1, 1 write f2, 1 ok v2", "rf"},
	{"a read beside a write sees the old version", "0 write f1, 1 read f1, 1 ok v0, 0 ok v1", "rf"},
	{"a read beside a write sees the new version", "0 write f1, 1 read f1, 1 ok v1, 0 ok v1", "rf"},
	{"two writes at once", "0 write f1, 1 write f1, 0 ok v2, 1 ok v1", "rf"},
	{"a failed write did nothing", "0 write f1, 0 fail, 1 read f1, 1 ok v0", "rf"},
	{"an unknown write may be nothing", "0 write f1, 0 info, 1 read f1, 1 ok v0", "rf"},
	{"an unknown write may have been applied", "0 write f1, 0 info, 1 read f1, 1 ok v1", "rf"},
	{"an unknown write may be applied later", "0 write f1, 0 info, 1 read f1, 1 ok v0, 1 read f1, 1 ok v1", "rf"},
	{"a write left open", "0 write f1, 1 write f1, 1 ok v2", "rf"},
	{"two unknown writes", "0 write f1, 0 info, 1 write f1, 1 info, 2 read f1, 2 ok v2", "rf"},
	{"locks are none of a register's business", "0 release, 0 ok, 1 acquire, 1 ok, 2 acquire, 2 ok", "rf"},

	{"a version out of nothing", "0 read f1, 0 ok v1", ""},
	{"a write that skips a version", "0 write f1, 0 ok v2", ""},
	{"a stale read", "0 write f1, 0 ok v1, 1 read f1, 1 ok v0", ""},
	{"time runs back between two reads", "0 write f1, 1 read f1, 1 ok v1, 1 read f1, 1 ok v0, 0 ok v1", ""},
	{"a version made twice", "0 write f1, 0 ok v1, 1 write f1, 1 ok v1", ""},
	{"a version made twice at once", "0 write f1, 1 write f1, 0 ok v1, 1 ok v1", ""},
	{"writes in the wrong order", "0 write f1, 0 ok v2, 1 write f1, 1 ok v1", ""},
	{"a read from the future", "0 read f1, 0 ok v1, 1 write f1, 1 ok v1", ""},
	{"a failed write cannot show", "0 write f1, 0 fail, 1 read f1, 1 ok v1", ""},
	{"an unknown write cannot show before its invoke", "1 read f1, 1 ok v1, 0 write f1, 0 info", ""},
	{"an unknown write is applied once", "0 write f1, 0 info, 1 read f1, 1 ok v2", ""},
	{"an unknown write shows and is gone", "0 write f1, 0 info, 1 read f1, 1 ok v1, 1 read f1, 1 ok v0", ""},
	{"the largest number is no version", "0 read f1, 0 ok v18446744073709551615", ""},

	{"33 after 34 is refused", "0 write f34, 0 ok v1, 1 write f33, 1 ok v0", "f"},
	{"33 after 34 is applied", "0 write f34, 0 ok v1, 1 write f33, 1 ok v2", "r"},
	{"a read raises the mark", "0 read f34, 0 ok v0, 1 write f33, 1 ok v0", "f"},
	{"a write is applied after a read with a larger token", "0 read f34, 0 ok v0, 1 write f33, 1 ok v1", "r"},
	{"a stale read is refused", "0 write f34, 0 ok v1, 1 read f33, 1 ok v0", "f"},
	{"a stale read is answered", "0 write f34, 0 ok v1, 1 read f33, 1 ok v1", "r"},
	{"refused without a cause", "0 write f33, 0 ok v0", ""},
	{"refused with the same token", "0 write f33, 0 ok v1, 1 write f33, 1 ok v0", ""},
	{"refused beside the larger token", "0 write f33, 1 read f34, 0 ok v0, 1 ok v0", "f"},
	{"refused before the larger token", "0 write f33, 0 ok v0, 1 read f34, 1 ok v0", ""},
	{"refused by a larger token that cannot have come yet", "0 write f34, 1 write f33, 1 ok v0, 2 write f33, 2 ok v1, 0 ok v2", ""},
	{"refused by a larger token that can have come", "0 write f34, 2 write f33, 1 write f33, 1 ok v0, 2 ok v1, 0 ok v2", "f"},
	{"a read that failed may have raised the mark", "0 read f34, 0 fail, 1 write f33, 1 ok v0", "f"},
	{"a read left open may raise the mark", "0 read f34, 1 write f33, 1 ok v0", "f"},
	{"an unknown write may have raised the mark", "0 write f34, 0 info, 1 write f33, 1 ok v0, 2 read f35, 2 ok v1", "f"},
	{"an unknown write raised the mark and did not show", "0 write f34, 0 info, 1 write f33, 1 ok v0, 2 read f35, 2 ok v0", ""},
	{"a refused write does not lower the mark", "0 write f34, 0 ok v1, 1 write f33, 1 ok v0, 2 write f33, 2 ok v2", ""},
	{"no token is the stalest", "0 write f1, 0 ok v1, 1 write, 1 ok v0", "f"},
}

// termStories are judged by a timed lease of 10; events are 1 apart, except where times says otherwise.
var termStories = []struct{ name, history, times, legal string }{
	{"nothing happened", "", "", "T"},
	{"one holder", "0 acquire, 0 ok", "0 1", "T"},
	{"the next comes after the least duration", "0 acquire, 0 ok, 1 acquire, 1 ok", "0 1 5 10", "T"},
	{"granted no earlier than its invoke", "0 acquire, 0 ok, 1 acquire, 1 ok", "2 3 5 12", "T"},
	{"granted before the reply: the lease counts from the grant", "0 acquire, 0 ok, 1 acquire, 1 ok", "0 9 10 11", "T"},
	{"a release ends it sooner", "0 acquire, 0 ok, 0 release, 0 ok, 1 acquire, 1 ok", "0 1 2 3 4 5", "T"},
	{"an unknown release may end it sooner", "0 acquire, 0 ok, 0 release, 0 info, 1 acquire, 1 ok", "0 1 2 3 4 5", "T"},
	{"it may last longer than the least", "0 acquire, 0 ok, 0 release, 0 ok", "0 1 50 51", "T"},
	{"it failed to renew after the least duration", "0 acquire, 0 ok, 0 renew, 0 fail", "0 1 9 10", "T"},
	{"renewed at its invoke, and then granted", "0 acquire, 0 ok, 0 renew, 0 ok, 1 acquire, 1 ok", "0 1 5 9 14 15", "T"},
	{"an unknown renewal may not have come", "0 acquire, 0 ok, 0 renew, 0 info, 1 acquire, 1 ok", "0 1 8 9 10 11", "T"},
	{"the one that returned last was granted first", "0 acquire, 1 acquire, 1 ok, 0 ok", "0 1 10 11", "T"},
	{"another lock has another lease", "0 acquire la, 0 ok, 1 acquire lb, 1 ok", "0 1 2 3", "T"},
	{"its client may be told of the failure by another's grant", "0 acquire, 0 ok, 0 release, 0 ok, 1 acquire, 1 ok, 0 release, 0 fail", "0 0 0 0 0 1 2 3", "T"},

	{"the next comes too soon", "0 acquire, 0 ok, 1 acquire, 1 ok", "0 1 5 9", ""},
	{"granted at its invoke at the earliest", "0 acquire, 0 ok, 1 acquire, 1 ok", "2 3 5 11", ""},
	{"its own next grant comes too soon", "0 acquire, 0 ok, 0 acquire, 0 ok", "0 1 5 9", ""},
	{"three in a row have time for two", "0 acquire, 0 ok, 1 acquire, 1 ok, 2 acquire, 2 ok", "0 1 2 10 11 19", ""},
	{"three at once have time for two", "0 acquire, 1 acquire, 2 acquire, 0 ok, 1 ok, 2 ok", "0 0 0 10 15 19", ""},
	{"it cannot have failed so soon", "0 acquire, 0 ok, 0 release, 0 fail", "0 1 2 9", ""},
	{"a failed renewal so soon", "0 acquire, 0 ok, 0 renew, 0 fail", "0 1 2 9", ""},
	{"a renewal counts from its invoke at the earliest", "0 acquire, 0 ok, 0 renew, 0 ok, 1 acquire, 1 ok", "0 1 5 9 12 14", ""},
	{"an unknown release cannot have come before its invoke", "0 acquire, 0 ok, 1 acquire, 1 ok, 0 release, 0 info", "0 1 2 3 4 5", ""},
	{"renewed after it was granted away", "0 acquire, 0 ok, 1 acquire, 1 ok, 0 renew, 0 ok", "0 1 10 11 12 13", ""},
	{"released after it was granted away", "0 acquire, 0 ok, 1 acquire, 1 ok, 0 release, 0 ok", "0 1 10 11 12 13", ""},
	{"an unknown release serves one lease only", "0 acquire, 0 ok, 0 release, 0 info, 1 acquire, 1 ok, 2 acquire, 2 ok", "0 1 2 3 4 5 6 7", ""},
}

func TestATimedLeaseLastsItsLeastDuration(t *testing.T) {
	m, _ := LookupModel("lease-timed")
	m.Clients, m.Least = 3, 10
	for _, s := range termStories {
		h := checkertest.Parse(t, s.history)
		for i, at := range strings.Fields(s.times) {
			n, _ := strconv.Atoi(at)
			h[i].Time = clock.Instant(n)
		}
		want := checker.Violated
		if s.legal != "" {
			want = checker.Holds
		}
		if r, alone := Linearizable(h, m), searched(h, m); r.Verdict != want || alone.Verdict != want {
			t.Errorf("%s: %+v, by search alone %+v; want %v", s.name, r, alone, want)
		}
	}
}

func TestAVerdictNamesItsLock(t *testing.T) {
	h := checkertest.Parse(t, "0 acquire la, 0 ok, 0 acquire lb, 0 ok, 1 acquire lb, 1 ok, 1 acquire la, 1 ok")
	for i := range h {
		h[i].Index = i
	}
	r := Linearizable(h, Models[0])
	want := `Of lock "a": two holders at once: process 0, which acquired at index 1 and held it to the end, and process 1, ` +
		`which acquired at index 7 and held it to the end.`
	if r.Lock != "a" || r.Reason != want || !slices.Equal(r.Ops, []int{0, 1, 6, 7}) {
		t.Errorf("%+v", r)
	}
	if r := Linearizable(h[:6], Models[0]); r.Lock != "b" || r.Verdict != checker.Violated {
		t.Errorf("%+v", r)
	}
	if r := Linearizable(h[:4], Models[0]); r.Lock != "" || r.Verdict != checker.Holds {
		t.Errorf("%+v", r)
	}
}

func TestEachLockModelJudgesEachStory(t *testing.T) { judgeByModels(t, lockStories, "MRFGSLTP") }

// valueStories are judged by the register of values, which has none at first.
var valueStories = []modelStory{
	{"nothing happened", "", "V"},
	{"written and read", "0 write d1, 0 ok, 1 read, 1 ok d1", "V"},
	{"a cas of what is there", "0 write d1, 0 ok, 1 cas e1 d2, 1 ok, 0 read, 0 ok d2", "V"},
	{"a cas from nothing", "0 cas d2, 0 ok", "V"},
	{"an unknown cas may be nothing", "0 write d1, 0 ok, 1 cas e1 d2, 1 info, 2 read, 2 ok d1", "V"},
	{"an unknown cas may have been", "0 write d1, 0 ok, 1 cas e1 d2, 1 info, 2 read, 2 ok d2", "V"},
	{"a read of nothing shows nothing", "0 write d1, 0 ok, 1 read, 1 ok", "V"},
	{"a read beside a write sees either", "0 write d1, 0 ok, 0 write d2, 1 read, 2 read, 1 ok d1, 2 ok d2, 0 ok", "V"},
	{"a failed cas did not take place", "0 write d1, 0 ok, 1 cas e1 d2, 1 fail, 2 read, 2 ok d1", "V"},
	{"two cas in a row", "0 write d1, 0 ok, 1 cas e1 d2, 2 cas e2 d3, 2 ok, 1 ok", "V"},
	{"an unknown write, much later", "0 write d1, 0 info, 1 write d2, 1 ok, 2 read, 2 ok d1", "V"},
	{"locks are none of its business", "0 release, 0 ok, 1 acquire, 1 ok, 2 acquire, 2 ok", "V"},
	{"a write within the time of another value that it may come before",
		"0 write d1, 2 write d2, 0 ok, 1 read, 1 ok d1, 2 ok, 1 read, 1 ok d2", "V"},
	{"unknown cas that lead in a circle may be nothing",
		"0 cas e1 d2, 0 info, 1 cas e2 d1, 1 info, 2 write d3, 2 ok, 2 read, 2 ok d3", "V"},
	{"a value that shows nowhere may be written twice",
		"0 write d1, 0 ok, 1 write d1, 1 ok, 0 write d2, 0 ok, 2 read, 2 ok d2", "V"},

	{"cas that lead in a circle", "0 cas e1 d2, 1 cas e2 d1, 0 ok, 1 ok", ""},
	{"two values in turn", "0 write d1, 0 ok, 1 write d2, 2 read, 2 ok d2, 0 read, 0 ok d1, 2 read, 2 ok d2, 1 ok", ""},
	{"a write within the time of another value", "0 write d1, 0 ok, 1 write d2, 1 ok, 2 read, 2 ok d1", ""},
	{"a write within the time of values that cas link",
		"0 write d1, 0 ok, 1 cas e1 d2, 2 write d3, 2 ok, 1 info, 2 read, 2 ok d2", ""},
	{"a write within the time of the first value", "0 write d1, 0 ok, 1 cas d2, 1 ok", ""},
	{"a read of what an unknown cas replaced, after a read of what it wrote",
		"0 write d1, 0 ok, 1 cas e1 d2, 2 read, 2 ok d2, 2 read, 2 ok d1, 1 info", ""},
	{"two unknown cas of one value, both read",
		"0 write d1, 0 ok, 1 cas e1 d2, 1 info, 4 cas e1 d3, 4 info, 2 read, 2 ok d2, 2 read, 2 ok d3", ""},
	{"a write within the time of another value, beside a value written twice",
		"0 write d4, 0 ok, 0 write d4, 0 ok, 1 read, 1 ok d4, 0 write d1, 0 ok, 1 write d2, 1 ok, 2 read, 2 ok d1", ""},
	{"a cas of another value", "0 write d1, 0 ok, 1 cas e3 d2, 1 ok", ""},
	{"two cas of one value", "0 write d1, 0 ok, 1 cas e1 d2, 2 cas e1 d3, 1 ok, 2 ok", ""},
	{"an unknown cas of another value is nothing", "0 write d1, 0 ok, 1 cas e3 d2, 1 info, 2 read, 2 ok d2", ""},
	{"a stale read", "0 write d1, 0 ok, 0 write d2, 0 ok, 1 read, 1 ok d1", ""},
	{"a value before any write", "0 read, 0 ok d1, 1 write d1, 1 ok", ""},
	{"a value that nobody wrote", "0 write d1, 0 ok, 1 read, 1 ok d2", ""},
	{"a failed write is read", "0 write d1, 0 fail, 1 read, 1 ok d1", ""},
	{"a failed cas is read", "0 write d1, 0 ok, 1 cas e1 d2, 1 fail, 2 read, 2 ok d2", ""},
	{"an unknown write serves once", "0 write d1, 0 info, 1 read, 1 ok d1, 1 write d2, 1 ok, 1 read, 1 ok d1", ""},
	{"an unknown write before its invoke", "1 read, 1 ok d1, 0 write d1, 0 info", ""},
	{"new, then old", "0 write d1, 0 ok, 0 write d2, 1 read, 1 ok d2, 2 read, 2 ok d1, 0 ok", ""},
	{"a cas after the value is gone", "0 write d1, 0 ok, 0 write d2, 0 ok, 1 cas e1 d3, 1 ok", ""},
}

func TestARegisterOfValuesHoldsWhatWasWrittenLast(t *testing.T) { judgeByModels(t, valueStories, "V") }

// sharedStories are judged by the lock for readers and writers.
var sharedStories = []modelStory{
	{"nothing happened", "", "W"},
	{"one writer after the other", "0 acquire, 0 ok, 0 release, 0 ok, 1 acquire, 1 ok", "W"},
	{"two readers", "0 acquire shared, 0 ok, 1 acquire shared, 1 ok, 0 release, 0 ok, 1 release, 1 ok", "W"},
	{"three readers", "0 acquire shared, 0 ok, 1 acquire shared, 1 ok, 2 acquire shared, 2 ok", "W"},
	{"a writer after the last reader", "0 acquire shared, 0 ok, 1 acquire shared, 1 ok, 0 release, 0 ok, 1 release, 1 ok, 2 acquire, 2 ok", "W"},
	{"a reader after the writer", "0 acquire, 0 ok, 0 release, 0 ok, 1 acquire shared, 1 ok", "W"},
	{"a writer fails beside a reader", "0 acquire shared, 0 ok, 1 acquire, 1 fail", "W"},
	{"only the answer says that it is shared", "0 acquire, 0 ok shared, 1 acquire, 1 ok shared", "W"},
	{"a reader in flight", "0 acquire, 1 acquire shared, 0 ok, 0 release, 1 ok, 0 ok", "W"},
	{"an unknown writer may be nothing", "0 acquire, 0 info, 1 acquire shared, 1 ok", "W"},
	{"an unknown release of a reader lets a writer in", "0 acquire shared, 0 ok, 0 release, 0 info, 1 acquire, 1 ok", "W"},
	{"a reader renews beside another", "0 acquire shared, 0 ok, 1 acquire shared, 1 ok, 0 renew, 0 ok", "W"},
	{"two locks", "0 acquire la, 0 ok, 1 acquire lb shared, 1 ok", "W"},
	{"a writer becomes reader", "0 acquire, 0 ok, 0 acquire shared, 0 ok, 0 release, 0 ok, 0 release, 0 ok, 1 acquire, 1 ok", "W"},
	{"beside a writer that became reader, another reads",
		"0 acquire, 0 ok, 0 acquire shared, 0 ok, 0 release, 0 ok, 1 acquire shared, 1 ok, 0 release, 0 ok, 1 release, 1 ok", "W"},
	{"a writer reads, and has done so before it writes on",
		"0 acquire, 0 ok, 0 acquire shared, 0 ok, 0 release, 0 ok, 0 acquire shared, 0 ok, 0 release, 0 ok, 0 release, 0 ok", "W"},
	{"an unknown release of a writer that reads lets another read",
		"0 acquire, 0 ok, 0 acquire shared, 0 ok, 0 release, 0 info, 1 acquire shared, 1 ok", "W"},
	{"a reader that waits to become writer waits for itself", "0 acquire shared, 0 ok, 0 acquire, 0 fail, 0 release, 0 ok", "W"},
	{"a reader never hears whether it became writer", "0 acquire shared, 0 ok, 0 acquire, 0 info, 1 acquire shared, 1 ok", "W"},

	{"two writers", "0 acquire, 0 ok, 1 acquire, 1 ok", ""},
	{"a writer beside a reader", "0 acquire shared, 0 ok, 1 acquire, 1 ok", ""},
	{"a reader beside a writer", "0 acquire, 0 ok, 1 acquire shared, 1 ok", ""},
	{"a writer while one of two readers is left", "0 acquire shared, 0 ok, 1 acquire shared, 1 ok, 0 release, 0 ok, 2 acquire, 2 ok", ""},
	{"a reader comes in twice", "0 acquire shared, 0 ok, 0 acquire shared, 0 ok", ""},
	{"a reader becomes writer", "0 acquire shared, 0 ok, 0 acquire, 0 ok", ""},
	{"a reader becomes writer beside another reader", "0 acquire shared, 0 ok, 1 acquire shared, 1 ok, 0 acquire, 0 ok", ""},
	{"a writer that reads too excludes readers", "0 acquire, 0 ok, 0 acquire shared, 0 ok, 1 acquire shared, 1 ok", ""},
	{"a writer reads twice", "0 acquire, 0 ok, 0 acquire shared, 0 ok, 0 acquire shared, 0 ok", ""},
	{"a writer that became reader excludes writers", "0 acquire, 0 ok, 0 acquire shared, 0 ok, 0 release, 0 ok, 1 acquire, 1 ok", ""},
	{"a writer that became reader does not become writer", "0 acquire, 0 ok, 0 acquire shared, 0 ok, 0 release, 0 ok, 0 acquire, 0 ok", ""},
	{"beside another reader it has released the hold that excludes, and reads",
		"0 acquire, 0 ok, 0 acquire shared, 0 ok, 0 release, 0 ok, 1 acquire shared, 1 ok, 0 acquire shared, 0 ok", ""},
	{"two holds are released three times", "0 acquire, 0 ok, 0 acquire shared, 0 ok, 0 release, 0 ok, 0 release, 0 ok, 0 release, 0 ok", ""},
	{"released twice", "0 acquire shared, 0 ok, 0 release, 0 ok, 0 release, 0 ok", ""},
	{"released by another reader for a third", "0 acquire shared, 0 ok, 1 acquire shared, 1 ok, 2 release, 2 ok", ""},
	{"renewed after the release", "0 acquire shared, 0 ok, 0 release, 0 ok, 0 renew, 0 ok", ""},
	{"an unknown release serves one writer only", "0 acquire shared, 0 ok, 0 release, 0 info, 1 acquire, 1 ok, 2 acquire shared, 2 ok", ""},
	{"an unknown reader, shown by its release, beside a writer", "1 acquire, 1 ok, 0 acquire shared, 0 info, 3 release, 3 ok, 1 release, 1 ok", ""},
	{"a read of nothing held", "0 release, 0 ok, 1 acquire shared, 1 ok", ""},
}

func TestTheHoldThatAWriterKeepsIsTheSharedOne(t *testing.T) {
	m, _ := LookupModel("rwlock")
	r := Linearizable(checkertest.Parse(t, "0 acquire, 0 ok, 0 acquire shared, 0 ok, 0 release, 0 ok, 1 acquire, 1 ok"), m)
	if want := "while it is held by process 0, which has shared it since index 3,"; !strings.Contains(r.Reason, want) {
		t.Errorf("%s; want %s", r.Reason, want)
	}
}

func TestReadersExcludeWritersAndWritersAll(t *testing.T) { judgeByModels(t, sharedStories, "W") }

func TestEachRegisterModelJudgesEachStory(t *testing.T) { judgeByModels(t, registerStories, "rf") }

// judgeByModels judges each story under each model, by the fast judge if there is one and by search alone.
func judgeByModels(t *testing.T, stories []modelStory, models string) {
	for i := range len(models) {
		m, ok := LookupModel(letters[models[i]])
		if !ok {
			t.Fatalf("no model %q", letters[models[i]])
		}
		m.Clients = 3
		legal := 0
		for _, s := range stories {
			want := checker.Violated
			if strings.Contains(s.legal, models[i:i+1]) {
				want = checker.Holds
				legal++
			}
			h := checkertest.Parse(t, s.history)
			r := Linearizable(h, m)
			if r.Verdict != want || r.Err != nil || (r.Reason == "") != (want == checker.Holds) || r.Model != m.Name {
				t.Errorf("%s, %s: %+v; want %v", m.Name, s.name, r, want)
			}
			if r.Verdict == checker.Violated && r.Steps == 0 && (len(r.Ops) < 2 || !slices.IsSorted(r.Ops) || r.Ops[len(r.Ops)-1] >= len(h)) {
				t.Errorf("%s, %s: no conflict in %+v", m.Name, s.name, r)
			}
			if r.Reason != "" && (r.Reason[0] < 'A' || r.Reason[0] > 'Z' || !strings.HasSuffix(r.Reason, ".")) {
				t.Errorf("%s, %s: no sentence: %s", m.Name, s.name, r.Reason)
			}
			if got := searched(h, m); got.Verdict != want {
				t.Errorf("%s, %s: a search alone says %+v; want %v", m.Name, s.name, got, want)
			}
		}
		if legal < 12 || len(stories)-legal < 12 {
			t.Errorf("%s: %d legal and %d illegal stories; want 12 of each", m.Name, legal, len(stories)-legal)
		}
	}
}

func searched(h checker.History, m Model) Result {
	m.fast = nil
	return judge(h, &m)
}

// The blindness of the plain mutex: after a retried release, it accepts two holders together.
func TestAPlainMutexIsBlindToARetriedRelease(t *testing.T) {
	h := checkertest.Parse(t, "0 acquire, 0 ok, 0 release, 0 info, 3 release, 3 info, 1 acquire, 1 ok, 2 acquire, 2 ok, 2 release, 2 ok")
	for name, want := range map[string]checker.Verdict{"plain-mutex": checker.Holds, "mutex": checker.Violated} {
		m, _ := LookupModel(name)
		m.Clients = 3
		if r := Linearizable(h, m); r.Verdict != want {
			t.Errorf("%s: %+v; want %v", name, r, want)
		}
	}
}

func TestLimitAndPermitsCount(t *testing.T) {
	thrice := strings.Repeat("0 acquire, 0 ok, ", 3)
	for _, s := range []struct {
		model           string
		limit, permits  int
		want            checker.Verdict
		history, reason string
	}{
		{"reentrant-mutex", 0, 0, checker.Violated, thrice, "twice by default"},
		{"reentrant-mutex", 3, 0, checker.Holds, thrice, "three times if told so"},
		{"reentrant-mutex", 1, 0, checker.Violated, thrice[:len(thrice)*2/3], "a limit of 1 is a mutex"},
		{"reentrant-fenced-mutex", 3, 0, checker.Holds, thrice, "three times if told so"},
		{"semaphore", 0, 0, checker.Violated, thrice, "two permits by default"},
		{"semaphore", 0, 3, checker.Holds, thrice, "three permits if told so"},
		{"semaphore", 0, 1, checker.Violated, "0 acquire, 0 ok, 1 acquire, 1 ok", "one permit is a mutex"},
	} {
		m, _ := LookupModel(s.model)
		m.Limit, m.Permits = s.limit, s.permits
		if r := Linearizable(checkertest.Parse(t, s.history), m); r.Verdict != s.want {
			t.Errorf("%s: %s: %+v; want %v", s.model, s.reason, r, s.want)
		}
	}
}

func TestClientWithNewProcessNumberStillHoldsItsLock(t *testing.T) {
	h := checkertest.Parse(t, "0 acquire, 0 ok, 0 write, 0 info, 2 release, 2 ok")
	m := Models[0]
	if r := Linearizable(h, m); r.Verdict != checker.Violated {
		t.Errorf("two clients: %+v", r)
	}
	m.Clients = 2
	if r := Linearizable(h, m); r.Verdict != checker.Holds {
		t.Errorf("one client: %+v", r)
	}
	r := Linearizable(checkertest.Parse(t, "0 acquire, 2 acquire, 0 ok"), m)
	if want := "index 2: process 0 closes its acquire, but its client has gone on as process 2; want one operation at a time"; r.Verdict != checker.Unknown || r.Err == nil || !strings.HasPrefix(r.Err.Error(), want) {
		t.Errorf("%+v; want %s", r, want)
	}
}

func TestMalformedHistoryGetsNoVerdict(t *testing.T) {
	if r := Linearizable(checkertest.Parse(t, "0 acquire, 0 ok, 0 ok"), Models[0]); r.Verdict != checker.Unknown || r.Err == nil {
		t.Errorf("a verdict on what was not understood: %+v", r)
	}
}

func TestEveryModelHasItsNameAndSaysWhatItIs(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Models {
		if found, ok := LookupModel(m.Name); !ok || found.Says != m.Says || !strings.HasSuffix(m.Says, ".") || seen[m.Name] {
			t.Errorf("%q is not in order", m.Name)
		}
		seen[m.Name] = true
	}
	if _, ok := LookupModel("Mutex"); ok || len(seen) != len(letters) {
		t.Errorf("%d models, %d tested; names matched loosely: %v", len(seen), len(letters), ok)
	}
}
