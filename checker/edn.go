package checker

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker/forms"
	"github.com/lockstorm/lockstorm/clock"
)

// This file writes histories as Jepsen does, and so history.edn. Reading.Read reads them.

// AppendEDN appends the history in Jepsen's shape, one op map a line. The strikes are ops of the nemesis, one where each
// began and one where it was over, unless that is Forever. They are merged by time, before the ops of the same instant, and
// the indices count what was merged.
//
// A value is nil, or a map of those fields that count for such an op, and any other that is not zero. What closes an
// operation as fail or info has the value of its invoke, as Jepsen wants it: nothing came back.
func (h History) AppendEDN(dst []byte, strikes []Strike) []byte {
	deeds, index := nemesis(strikes), 0
	invoked := map[int]Op{} // by process; looked up, never ranged over
	for _, o := range h {
		for len(deeds) > 0 && deeds[0].time <= o.Time {
			dst, deeds, index = deeds[0].appendEDN(dst, index), deeds[1:], index+1
		}
		value := o
		switch o.Type {
		case Invoke:
			invoked[o.Process] = o
		case Fail, Info:
			value = invoked[o.Process]
		}
		dst, index = o.appendEDN(dst, index, value), index+1
	}
	for _, d := range deeds {
		dst, index = d.appendEDN(dst, index), index+1
	}
	return dst
}

// appendEDN appends an op with the index that it has there, and the value of perhaps another.
func (o Op) appendEDN(dst []byte, index int, value Op) []byte {
	dst = strconv.AppendInt(append(dst, "{:index "...), int64(index), 10)
	dst = strconv.AppendInt(append(dst, ", :time "...), int64(o.Time), 10)
	dst = strconv.AppendInt(append(dst, ", :process "...), int64(o.Process), 10)
	dst = append(append(dst, ", :type :"...), o.Type.String()...)
	dst = append(append(dst, ", :f :"...), o.F.String()...)
	if o.Lock != "" {
		dst = forms.AppendString(append(dst, ", :lock "...), []byte(o.Lock))
	}
	dst = value.appendEDNValue(append(dst, ", :value "...))
	if o.Error != "" {
		dst = forms.AppendString(append(dst, ", :error "...), []byte(o.Error))
	}
	return append(dst, "}\n"...)
}

func (o Op) appendEDNValue(dst []byte) []byte {
	token, versions := o.counts()
	start := len(dst)
	for _, f := range [...]struct {
		key    string
		value  uint64
		counts bool
	}{{" :fence ", o.Value.Fence, token}, {" :plain ", o.Value.Plain, versions}, {" :fenced ", o.Value.Fenced, versions}} {
		if f.counts || f.value != 0 {
			dst = strconv.AppendUint(append(dst, f.key...), f.value, 10)
		}
	}
	if len(dst) == start {
		return append(dst, "nil"...)
	}
	dst[start] = '{'
	return append(dst, '}')
}

// A deed is one end of a strike, as the nemesis tells it.
type deed struct {
	time  clock.Instant
	fault string
}

// nemesis gives the deeds in the order of time, and of the strikes at equal times.
func nemesis(strikes []Strike) (deeds []deed) {
	for _, s := range strikes {
		deeds = append(deeds, deed{s.From, s.Fault})
		if s.To != clock.Forever {
			deeds = append(deeds, deed{s.To, s.Fault})
		}
	}
	slices.SortStableFunc(deeds, func(a, b deed) int { return cmp.Compare(a.time, b.time) })
	return deeds
}

// appendEDN appends a deed. Its function is the verb of the fault.
func (d deed) appendEDN(dst []byte, index int) []byte {
	verb, _, _ := strings.Cut(d.fault, " ")
	dst = strconv.AppendInt(append(dst, "{:index "...), int64(index), 10)
	dst = strconv.AppendInt(append(dst, ", :time "...), int64(d.time), 10)
	dst = append(append(dst, ", :process :nemesis, :type :info, :f :"...), verb...)
	dst = forms.AppendString(append(dst, ", :value "...), []byte(d.fault))
	return append(dst, "}\n"...)
}
