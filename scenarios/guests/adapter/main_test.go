package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"

	"github.com/lockstorm/lockstorm/scenarios/guests"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// Each library answers as the protocol has it, and the key is where the adapter says that it is.
func TestEachLibrarySpeaksTheProtocol(t *testing.T) {
	for i := range guests.Libraries {
		l := &guests.Libraries[i]
		t.Run(l.Name, func(t *testing.T) {
			if l.Wire != nil {
				t.Skip("it speaks to no Redis")
			}
			need.Loopback(t, "no adapter is run on miniredis")
			node := miniredis.RunT(t)
			if strings.HasPrefix(l.Name, "rueidislock") || l.Name == "valkeylock" {
				t.Skip("it sets the end of a key by the clock, and miniredis has one of its own")
			}
			in := fmt.Sprintf("0 start name=c1 key=lock ttl=5000 timeout=5000 servers=%s\n1 acquire\n2 extend\n3 release\n", node.Addr())
			var out strings.Builder
			if err := serve(l, strings.NewReader(in), &out); err != nil {
				t.Fatal(err)
			}
			const times = ` begin=\d+ end=\d+`
			extended := "no" + times
			if l.Extends {
				extended = "yes" + times + ` left=[1-9]\d*`
			}
			left := ` left=[1-9]\d*`
			if l.Name == "gocron-extend" { // it extends the hold by itself, and does not report a failure
				left = ""
			}
			want := `^0 ready key=\S*lock\S*\n1 yes` + times + ` token=\S+` + left + `\n2 ` + extended + `\n3 yes` + times + `\n$`
			if !regexp.MustCompile(want).MatchString(out.String()) {
				t.Errorf("it answers\n%s", out.String())
			}
		})
	}
}

func TestLinesThatMakeNoSenseAreRefused(t *testing.T) {
	for _, in := range []string{"hello\n", "1 acquire\n", "0 start ttl=x\n"} {
		if err := serve(&guests.Libraries[0], strings.NewReader(in), new(strings.Builder)); err == nil {
			t.Errorf("%q is taken", in)
		}
	}
}
