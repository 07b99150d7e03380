package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// A fake is a lock that is acquired, lost and then held by another client.
type fake struct {
	*config
	nth int
}

func (f *fake) acquire() (token string, fence int64, err error) {
	if f.nth++; f.nth > 1 {
		return "", 0, errTaken
	}
	return "a", 7, nil
}

func (f *fake) held() error {
	f.lost("a")
	return errors.New("lost")
}

func (f *fake) release() error { return nil }

func TestTheAdapterSpeaksTheProtocol(t *testing.T) {
	in := "0 start name=c1 key=lock ttl=2000 timeout=50 servers=127.0.0.1:1,127.0.0.1:2\n1 acquire\n2 extend token=a\n3 acquire\n4 release token=a\n"
	var out strings.Builder
	open := func(c *config) (lock, error) {
		if got := fmt.Sprintln(c.key, c.ttl, c.timeout, c.servers); got != "lock 2s 50ms [127.0.0.1:1 127.0.0.1:2]\n" {
			t.Errorf("it was told %s", got)
		}
		return &fake{config: c}, nil
	}
	if err := serve(open, strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	const times = ` begin=\d+ end=\d+`
	want := `^0 ready\n1 yes` + times + ` left=told token=a fence=7\n0 lost token=a\n2 no` + times + `\n3 no` + times + `\n4 yes` + times + `\n$`
	if !regexp.MustCompile(want).MatchString(out.String()) {
		t.Errorf("it answers\n%s", out.String())
	}
}

func TestLinesThatMakeNoSenseAreRefused(t *testing.T) {
	for _, in := range []string{"hello\n", "1 acquire\n", "0 start ttl=x\n"} {
		if err := serve(newPostgres, strings.NewReader(in), new(strings.Builder)); err == nil {
			t.Errorf("%q is taken", in)
		}
	}
}
