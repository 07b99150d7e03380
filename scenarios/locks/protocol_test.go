package locks

import "testing"

func TestALockHasTheOptionsOfItsSections(t *testing.T) {
	p := Protocol{Options: []string{"ttl", "retry.", "renew.every"}}
	for option, has := range map[string]bool{
		"ttl": true, "retry.min": true, "renew.every": true, "renew.attempts": false, "timeout": false, "ttl.x": false, "retry": false,
	} {
		if p.Has(option) != has {
			t.Errorf("%s: %t", option, !has)
		}
	}
}

func TestLockWithoutLeftIsValidUntilItsDeadline(t *testing.T) {
	b := newBench()
	b.now = 5
	var plain struct{ Lock }
	if left := Left(plain, b, Grant{Deadline: 12}); left != 7 {
		t.Errorf("%d left of 7", left)
	}
	if left := Left(plain, b, Grant{Deadline: NoDeadline}); left != NoDeadline {
		t.Errorf("%d left of a grant without a deadline", left)
	}
}

func TestWaitingForAYearIsLongEnough(t *testing.T) {
	r := Rules{Timeout: 1 << 62}
	for _, servers := range []int{1, 100} {
		if d := (&Protocol{}).Longest(r, servers); d <= 0 || d > 366*24*3600*1e9 {
			t.Errorf("%d servers: %s", servers, d)
		}
	}
}
