package codec

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec/internal/forms"
	"github.com/lockstorm/lockstorm/clock"
)

// This file writes histories, which Reading.Read reads: history.jsonl, one op a line, as a JSON object whose keys
// always come in the same order; and history.edn, as Jepsen does.

// A style is how a syntax writes an op: what comes before each field, and around words.
type style struct {
	index, time, process, typ, f, wordEnd, lock, value, err, end string

	fence, plain, fenced, shared, none string // fields of the value, and a value without any
	syntax                             Syntax
}

var (
	inJSON = style{
		`{"index":`, `,"time":`, `,"process":`, `,"type":"`, `,"f":"`, `"`, `,"lock":`, `,"value":`, `,"error":`, "}",
		`,"fence":`, `,"plain":`, `,"fenced":`, `,"shared":true`, "{}", JSON}
	inEDN = style{
		"{:index ", ", :time ", ", :process ", ", :type :", ", :f :", "", ", :lock ", ", :value ", ", :error ", "}",
		" :fence ", " :plain ", " :fenced ", " :shared true", "nil", EDN}
)

func (s *style) op(dst []byte, o checker.Op, value func([]byte) []byte) []byte {
	dst = strconv.AppendInt(append(dst, s.index...), int64(o.Index), 10)
	dst = strconv.AppendInt(append(dst, s.time...), int64(o.Time), 10)
	dst = strconv.AppendInt(append(dst, s.process...), int64(o.Process), 10)
	dst = append(append(append(dst, s.typ...), o.Type.String()...), s.wordEnd...)
	dst = append(append(append(dst, s.f...), o.F.String()...), s.wordEnd...)
	if o.Lock != "" {
		dst = forms.AppendString(append(dst, s.lock...), []byte(o.Lock), s.syntax)
	}
	dst = value(append(dst, s.value...))
	if o.Error != "" {
		dst = forms.AppendString(append(dst, s.err...), []byte(o.Error), s.syntax)
	}
	return append(dst, s.end...)
}

// fields appends a map of those fields of the value that count for such an op, and of any other that is not zero. The
// byte before the first field becomes the opening brace.
func (s *style) fields(dst []byte, o checker.Op) []byte {
	token, versions := counts(o)
	start := len(dst)
	for _, f := range [...]struct {
		key    string
		value  uint64
		counts bool
	}{{s.fence, o.Value.Fence, token}, {s.plain, o.Value.Plain, versions}, {s.fenced, o.Value.Fenced, versions}} {
		if f.counts || f.value != 0 {
			dst = strconv.AppendUint(append(dst, f.key...), f.value, 10)
		}
	}
	if o.Value.Shared {
		dst = append(dst, s.shared...)
	}
	if len(dst) == start {
		return append(dst, s.none...)
	}
	dst[start] = '{'
	return append(dst, '}')
}

// counts reports which fields of the Value mean something even when they are zero.
func counts(o checker.Op) (token, versions bool) {
	switch o.F {
	case checker.Acquire:
		return o.Type == checker.OK, false
	case checker.Read:
		return true, o.Type == checker.OK
	case checker.Write:
		return true, o.Type == checker.Invoke || o.Type == checker.OK
	default:
		return false, false
	}
}

// AppendOp appends the op as one JSON object, without a newline. The time is in nanoseconds. The value has the fields
// that count for such an op, and any other that is not zero; the lock and the error are left out when they are empty.
// Bytes that are not UTF-8 become U+FFFD, since JSON cannot hold them. Values of a register are written as their
// numbers.
func AppendOp(dst []byte, o checker.Op) []byte {
	if o.Value.Data|o.Value.Expected != 0 || o.F == checker.CompareAndSet {
		return inJSON.op(dst, o, func(dst []byte) []byte {
			return appendData(dst, o, func(n uint32) string { return strconv.FormatUint(uint64(n), 10) })
		})
	}
	return inJSON.op(dst, o, func(dst []byte) []byte { return inJSON.fields(dst, o) })
}

// AppendOp appends the i-th op as it came: with its own index and process, and the values of a register.
func (r *Recording) AppendOp(dst []byte, i int) []byte {
	o := r.History[i]
	o.Index, o.Process = r.Index(i), r.Process(i)
	if guards(o.F) == 0 || !r.HasValues() {
		return AppendOp(dst, o)
	}
	return inJSON.op(dst, o, func(dst []byte) []byte { return appendData(dst, o, r.valueInJSON) })
}

// valueInJSON returns a value of a register: as it is, if that is JSON, or else as a string.
func (r *Recording) valueInJSON(n uint32) string {
	switch s := r.Values[n]; {
	case n == 0:
		return "null"
	case json.Valid([]byte(s)):
		return s
	}
	return string(forms.AppendString(nil, []byte(r.Values[n]), JSON))
}

// appendData appends the value of an op on a register of values: one, or two of a compare-and-set.
func appendData(dst []byte, o checker.Op, text func(uint32) string) []byte {
	if o.F == checker.CompareAndSet {
		return append(dst, "["+text(o.Value.Expected)+","+text(o.Value.Data)+"]"...)
	}
	return append(dst, text(o.Value.Data)...)
}

// AppendJSON appends the whole history, one op a line.
func AppendJSON(dst []byte, h checker.History) []byte {
	for _, o := range h {
		dst = append(AppendOp(dst, o), '\n')
	}
	return dst
}

// AppendEDN appends the history in Jepsen's shape, one op map a line. The faults are the nemesis's deeds: it started a
// pause, say, and stopped it, unless that lasts Forever; a fault without length is one deed. They are merged by time,
// before the ops of the same instant, and the indices count what was merged.
//
// Each deed is two ops, its start and its end, both info and alike. Jepsen takes the ops of the nemesis in pairs,
// whatever they are called: with one op a deed, it would mix up two faults at a time.
//
// A value is nil, or a map of the fields that count for such an op, and any other that is not zero. An op that closes
// an operation as fail or info has the value of its invoke, as Jepsen wants it: nothing came back.
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
		op := o
		op.Index = index
		dst = inEDN.op(dst, op, func(dst []byte) []byte { return inEDN.fields(dst, value) })
		dst, index = append(dst, '\n'), index+1
	}
	for _, d := range deeds {
		dst, index = d.appendEDN(dst, index), index+2
	}
	return dst
}

// A deed is what the nemesis does at one moment: it starts a fault, or stops it.
type deed struct {
	time     clock.Instant
	f, fault string
}

// nemesis returns the deeds in the order of time, and at equal times in their given order. The kind of the fault is the
// verb of their functions.
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
		dst = append(forms.AppendString(append(dst, ", :value "...), []byte(d.fault), EDN), "}\n"...)
	}
	return dst
}
