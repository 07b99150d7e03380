package codec

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec/internal/forms"
	"github.com/lockstorm/lockstorm/clock"
)

// This file writes histories as Jepsen does, and so history.edn. Reading.Read reads them.

// AppendEDN appends the history in Jepsen's shape, one op map a line. The strikes are what the nemesis did: it started a
// pause, say, and stopped it, unless that lasts Forever; what takes no time is one deed. They are merged by time, before the
// ops of the same instant, and the indices count what was merged.
//
// Each deed is two ops, its beginning and its end, both info and alike. Jepsen takes the ops of the nemesis in pairs, the
// next one for the end of the last, whatever they are called: with one op a deed, two faults at a time would be taken for
// one another.
//
// A value is nil, or a map of those fields that count for such an op, and any other that is not zero. What closes an
// operation as fail or info has the value of its invoke, as Jepsen wants it: nothing came back.
func AppendEDN(dst []byte, h checker.History, strikes []checker.Strike) []byte {
	deeds, index := nemesis(strikes), 0
	invoked := map[int]checker.Op{} // by process; looked up, never ranged over
	for _, o := range h {
		for len(deeds) > 0 && deeds[0].time <= o.Time {
			dst, deeds, index = deeds[0].appendEDN(dst, index), deeds[1:], index+2
		}
		value := o
		switch o.Type {
		case checker.Invoke:
			invoked[o.Process] = o
		case checker.Fail, checker.Info:
			value = invoked[o.Process]
		}
		dst, index = appendEDN(dst, o, index, value), index+1
	}
	for _, d := range deeds {
		dst, index = d.appendEDN(dst, index), index+2
	}
	return dst
}

// appendEDN appends an op with the index that it has there, and the value of perhaps another.
func appendEDN(dst []byte, o checker.Op, index int, value checker.Op) []byte {
	dst = strconv.AppendInt(append(dst, "{:index "...), int64(index), 10)
	dst = strconv.AppendInt(append(dst, ", :time "...), int64(o.Time), 10)
	dst = strconv.AppendInt(append(dst, ", :process "...), int64(o.Process), 10)
	dst = append(append(dst, ", :type :"...), o.Type.String()...)
	dst = append(append(dst, ", :f :"...), o.F.String()...)
	if o.Lock != "" {
		dst = forms.AppendString(append(dst, ", :lock "...), []byte(o.Lock))
	}
	dst = appendEDNValue(append(dst, ", :value "...), value)
	if o.Error != "" {
		dst = forms.AppendString(append(dst, ", :error "...), []byte(o.Error))
	}
	return append(dst, "}\n"...)
}

func appendEDNValue(dst []byte, o checker.Op) []byte {
	token, versions := counts(o)
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

// A deed is what the nemesis does at one moment: it starts a fault, or stops it.
type deed struct {
	time     clock.Instant
	f, fault string
}

// nemesis returns the deeds in the order of time, and of the strikes at equal times. Their functions are made of the
// verb of the fault.
func nemesis(strikes []checker.Strike) (deeds []deed) {
	for _, s := range strikes {
		if s.From == s.To {
			deeds = append(deeds, deed{s.From, s.Kind, s.Fault})
			continue
		}
		deeds = append(deeds, deed{s.From, "start-" + s.Kind, s.Fault})
		if s.To != clock.Forever {
			deeds = append(deeds, deed{s.To, "stop-" + s.Kind, s.Fault})
		}
	}
	slices.SortStableFunc(deeds, func(a, b deed) int { return cmp.Compare(a.time, b.time) })
	return deeds
}

func (d deed) appendEDN(dst []byte, index int) []byte {
	for end := range 2 {
		dst = strconv.AppendInt(append(dst, "{:index "...), int64(index+end), 10)
		dst = strconv.AppendInt(append(dst, ", :time "...), int64(d.time), 10)
		dst = append(append(dst, ", :process :nemesis, :type :info, :f :"...), d.f...)
		dst = append(forms.AppendString(append(dst, ", :value "...), []byte(d.fault)), "}\n"...)
	}
	return dst
}
