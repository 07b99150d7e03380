package blackbox

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec"
)

// Suits returns an error if the recording lacks what the model judges by, or nil. Without that a history would hold, and
// prove nothing.
func (m Model) Suits(r *codec.Recording) error {
	register := strings.HasSuffix(m.Name, "register")
	for i := range r.History {
		f := r.History[i].F
		if (f == checker.Read || f == checker.Write || f == checker.CompareAndSet) == register {
			return m.complete(r)
		}
	}
	want := "acquire, release or renew"
	if register {
		want = "read, write or cas"
	}
	return r.Locate(0, "found a history without any "+want+", which "+m.Name+" is about; want another model")
}

// withoutToken is what a history lacks whose tokens all have another name, or none.
const withoutToken = "that no successful acquire returns a fencing token; want it in the value, as {:fence 7}, or another model"

// casOfVersions is what a register of versions cannot judge.
const casOfVersions = "a cas, which a register of versions knows nothing of; want the model cas-register"

// complete returns an error if a number is missing that the model judges by.
func (m Model) complete(r *codec.Recording) error {
	for _, c := range [...]struct {
		model string
		first codec.Place
		lacks string
	}{
		{"fenced-mutex", r.NoToken, withoutToken},
		{"reentrant-fenced-mutex", r.NoToken, withoutToken},
		{"register", r.CAS, casOfVersions},
		{"fenced-register", r.CAS, casOfVersions},
		{"cas-register", r.NoData, "an op without the value of the register; want it as the value, 3 or [2 3], or a model of versions, register or fenced-register"},
		{"register", r.NoPlain, "an ok without the version of the plain register; want it in the value, as {:plain 1}"},
		{"fenced-register", r.NoFence, "a call without the fencing token that it carries; want it in the value, as {:fence 7}"},
		{"fenced-register", r.NoFenced, "an ok without the version of the fenced register; want it in the value, as {:fenced 1}, and 0 if it was refused"},
		{"lease-timed", r.NoTime, "an op without a time, which lease-timed goes by; want nanoseconds in all, as {:time 1000000}, or the model lease"},
		{"lease-timed", r.Fell, fmt.Sprintf("a time that falls, which lease-timed goes by: %d do, by up to %v; want times that never fall, or the model lease", r.Falls, r.FellBy)},
	} {
		if c.model == m.Name && c.first != (codec.Place{}) {
			return &codec.Error{Place: c.first, Says: "found " + c.lacks}
		}
	}
	return nil
}
