package blackbox

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/lockstorm/lockstorm/checker"
)

// registerMachine is the storage that applies every write. Its state is a version, 0 at first:
//
//	state   op      outcome         next
//	v       read    ok, v           v
//	v       read    ok, any other   illegal
//	v       write   ok, v+1         v+1
//	v       write   ok, any other   illegal
//	v       read    fail, unknown   v
//	v       write   fail            v
//	v       write   unknown         v+1, or v
func registerMachine(*Model) machine {
	return machineOf(uint64(0), func(version uint64, c *operation) (uint64, bool) {
		if c.f == checker.Read {
			return version, c.value.Plain == version
		}
		return version + 1, c.outcome == checker.Info || c.value.Plain == version+1
	})
}

// A registerState is a register's version and the largest fencing token it has seen.
type registerState struct{ version, token uint64 }

// fencedRegisterMachine is the storage that rejects stale fencing tokens. Its state is a version v and a mark m, both 0
// at first; f is the token that the operation carries:
//
//	state   op         outcome        next
//	v, m    read f≥m   ok, v          v, f: a read raises the mark
//	v, m    read f<m   ok, 0          v, m: rejected, and brings back 0
//	v, m    write f≥m  ok, v+1        v+1, f
//	v, m    write f<m  ok, 0          v, m: rejected
//	v, m    either     ok, any other  illegal
//	v, m    read f≥m   fail, unknown  v, f, or v, m: it may have arrived, although nothing came back
//	v, m    write      fail           v, m
//	v, m    write f≥m  unknown        v+1, f, or v, m
//	v, m    any   f<m  unknown        v, m
func fencedRegisterMachine(*Model) machine {
	return machineOf(registerState{}, func(m registerState, c *operation) (registerState, bool) {
		shown := c.value.Fenced
		if c.value.Fence < m.token {
			return m, c.outcome == checker.OK && shown == 0
		}
		m.token = c.value.Fence
		if c.f == checker.Write {
			m.version++
		}
		return m, c.outcome == checker.Info || shown == m.version
	})
}

// casRegisterMachine is a register of values, as Knossos calls it. Its state is a value x, Model.Initial at first:
//
//	state   op          outcome         next
//	x       read        ok, x           x
//	x       read        ok, no value    x: it is not known what it saw
//	x       read        ok, any other   illegal
//	x       write y     ok              y
//	x       cas x to y  ok              y
//	x       cas z to y  ok              illegal
//	x       any         fail            x: it did not take place, and shows nothing
//	x       read        unknown         x
//	x       write y     unknown         y, or x
//	x       cas x to y  unknown         y, or x
//	x       cas z to y  unknown         x
func casRegisterMachine(m *Model) machine {
	return machineOf(m.Initial, func(held uint32, c *operation) (uint32, bool) {
		switch c.f {
		case checker.Read:
			return held, c.value.Data == 0 || c.value.Data == held
		case checker.Write:
			return c.value.Data, true
		}
		return c.value.Data, c.value.Expected == held
	})
}

// This file judges registers without a search, in O(n log n).
//
// Versions count up by one, so what an operation shows says where it comes: first the reads of version 0, then the
// write of 1, the reads of 1, the write of 2, and so on. Let the rank of a write of v be 2v, and the rank of a read of
// v 2v+1. An order is legal if and only if it rises by rank and each version up to the largest that shows is written
// once. Such an order exists if and only if no operation returned before one of a lower rank was invoked: then let each
// operation take effect at its own invoke, or at the last invoke of a lower rank if that is later. Both are before its
// return.
//
// A version that no known write made was made by one with an unknown outcome, which took effect after its invoke and
// before the first return of a higher rank. These deadlines rise with the versions. So the unknown writes, in order of
// their invokes, get the missing versions in order: if any choice is good, this one is. Unknown writes that are left
// over took no effect, or came last.
//
// In a fenced register the tokens of what was not rejected must rise with the rank too, and they settle the order of
// reads of one version. What was rejected changes nothing. It comes after something with a larger token that was not,
// and the first such in the order, as early as it can be, is the best.

// A ranked operation is one with its place in the order.
type ranked struct {
	op          *operation
	rank, fence uint64
}

func byPlace(a, b ranked) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.fence, b.fence))
}

// placed returns an operation with the place that follows from the version it showed.
func placed(k *operation, version, fence uint64) ranked {
	r := ranked{k, 2 * version, fence}
	if k.f == checker.Read {
		r.rank++
	}
	return r
}

// judgeRegister judges a register. It is exact.
func judgeRegister(_ *Model, c *operations) (Result, bool) {
	known, unknown := make([]ranked, 0, len(c.list)), []ranked(nil)
	for i := range c.list {
		k := &c.list[i]
		version := k.value.Plain
		switch {
		case k.outcome == checker.Info:
			unknown = append(unknown, ranked{op: k})
		case version > uint64(len(c.list)) || version == 0 && k.f == checker.Write:
			return c.missingVersion(k, version), true
		default:
			known = append(known, placed(k, version, 0))
		}
	}
	return c.inOrder(known, unknown), true
}

// inOrder judges operations whose places are known. The unknown writes must come in order of their invokes.
func (c *operations) inOrder(known, unknown []ranked) Result {
	slices.SortStableFunc(known, byPlace)
	all, r, bad := c.written(known, unknown)
	if bad {
		return r
	}
	if r, bad = c.lateCall(all); bad {
		return r
	}
	return Result{Verdict: checker.Holds}
}

// written checks that each version is written once, and assigns missing versions to the unknown writes.
func (c *operations) written(known, unknown []ranked) (all []ranked, r Result, bad bool) {
	all = make([]ranked, 0, len(known)+len(unknown))
	made := uint64(0) // the last version that was written
	var writer *operation
	for _, k := range known {
		version := k.rank / 2
		if k.op.f == checker.Write {
			if version == made {
				return nil, c.twice(writer, k.op, version), true
			}
			version-- // it is this one that must be there before
		}
		for ; made < version; made++ {
			if len(unknown) == 0 {
				return nil, c.missingVersion(k.op, version), true
			}
			all = append(all, placed(unknown[0].op, made+1, k.fence))
			writer, unknown = unknown[0].op, unknown[1:]
		}
		if k.op.f == checker.Write {
			made, writer = version+1, k.op
		}
		all = append(all, k)
	}
	return all, Result{}, false
}

// lateCall looks for an operation that must come before another, but was invoked after the other returned. The
// operations come in order, and at one place by their invokes, so that operations of one place don't block each other.
func (c *operations) lateCall(all []ranked) (Result, bool) {
	var last *operation // the one invoked last so far
	for _, k := range all {
		if last != nil && k.op.outcome == checker.OK && k.op.done < last.invoke {
			return c.violated(fmt.Sprintf(
				"%s came back at index %d with what must come after %s, which was invoked only at index %d.",
				c.describe(k.op), k.op.done, c.describe(last), last.invoke), k.op.invoke, k.op.done, last.invoke), true
		}
		if last == nil || k.op.invoke > last.invoke {
			last = k.op
		}
	}
	return Result{}, false
}

func (c *operations) describe(k *operation) string {
	shared := ""
	if k.value.Shared {
		shared = "shared "
	}
	return fmt.Sprintf("the %s%v of %s", shared, k.f, c.who(k))
}

func (c *operations) twice(a, b *operation, version uint64) Result {
	return c.violated(fmt.Sprintf("Version %d was written twice: by %s at index %d, and by %s at index %d.",
		version, c.who(a), a.invoke, c.who(b), b.invoke), a.invoke, b.invoke, b.done)
}

// missingVersion is the conflict of an operation with the writes that are missing.
func (c *operations) missingVersion(k *operation, version uint64) Result {
	why := fmt.Sprintf("too few writes can have led to version %d", version)
	if version == 0 {
		why = "no write makes version 0, which is the first state"
	}
	return c.violated(fmt.Sprintf("%s came back at index %d with a version, but %s.", c.describe(k), k.done, why),
		k.invoke, k.done)
}

// judgeFencedRegister judges a fenced register. Calls with an unknown outcome are left out at first. If what remains is
// legal, so is the whole, because they may have done nothing; if not, the judge must show that no such call could help.
// Beyond that it is exact where every read that shows version 0 reports whether it was rejected or saw the first state;
// elsewhere it is not sure.
func judgeFencedRegister(_ *Model, c *operations) (Result, bool) {
	accepted, refused, sure := c.accepted()
	if !sure {
		return Result{}, false
	}
	r := c.inOrder(accepted, nil)
	if r.Verdict == checker.Holds {
		r = c.rising(accepted)
	}
	if r.Verdict == checker.Holds {
		r = c.rightlyRefused(accepted, refused)
	}
	return r, r.Verdict == checker.Holds || !c.helped(accepted)
}

// rising looks for an operation that was accepted although one before it had a larger token.
func (c *operations) rising(accepted []ranked) Result {
	for i := 1; i < len(accepted); i++ {
		if a, b := accepted[i-1], accepted[i]; a.fence > b.fence {
			return c.violated(fmt.Sprintf(
				"%s, with token %d, was not refused, although it comes after %s, with token %d.",
				c.describe(b.op), b.fence, c.describe(a.op), a.fence), a.op.invoke, a.op.done, b.op.invoke, b.op.done)
		}
	}
	return Result{Verdict: checker.Holds}
}

// helped reports whether an operation with an unknown outcome may explain what others cannot. It can make a version
// that is missing, and it can be why another with a smaller token was rejected, and so brought back 0. It can do no
// more: where no version is missing, a write can take effect only after every operation that shows one.
func (c *operations) helped(accepted []ranked) bool {
	versions, writes := uint64(0), uint64(0)
	for _, k := range accepted {
		versions = max(versions, k.rank/2)
		if k.op.f == checker.Write {
			writes++
		}
	}
	on := uint64(0) // the largest token of an unknown operation so far
	return versions > writes && c.unknown() > 0 || slices.ContainsFunc(c.byEnd(), func(k *operation) bool {
		if k.outcome == checker.Info {
			on = max(on, k.value.Fence)
			return false
		}
		return k.value.Fenced == 0 && k.value.Fence < on
	})
}

// byEnd returns the operations in order of their returns, or of their invokes where the outcome is unknown.
func (c *operations) byEnd() []*operation {
	end := func(k *operation) int {
		if k.outcome == checker.Info {
			return k.invoke
		}
		return k.done
	}
	all := make([]*operation, len(c.list))
	for i := range c.list {
		all[i] = &c.list[i]
	}
	slices.SortFunc(all, func(a, b *operation) int { return cmp.Compare(end(a), end(b)) })
	return all
}

// accepted reports which of the operations with a known outcome were rejected. A read with version 0 was accepted if no
// larger token was on its way before it returned. It was rejected if a later version had shown before it was invoked.
func (c *operations) accepted() (accepted []ranked, refused []*operation, sure bool) {
	shown := c.ops // the first return that showed a version
	for i := range c.list {
		if k := &c.list[i]; k.value.Fenced > 0 && k.outcome == checker.OK {
			shown = min(shown, k.done)
		}
	}
	tokens := c.largestTokens()
	accepted = make([]ranked, 0, len(c.list))
	for i := range c.list {
		k := &c.list[i]
		if k.outcome == checker.Info {
			continue
		}
		version, fence := min(k.value.Fenced, uint64(len(c.list))+1), k.value.Fence // no more than that can be made
		switch {
		case version > 0 || k.f == checker.Read && tokens[c.invokedBefore(k.done)] <= fence:
			accepted = append(accepted, placed(k, version, fence))
		case k.f == checker.Write || shown < k.invoke:
			refused = append(refused, k)
		default:
			return nil, nil, false
		}
	}
	return accepted, refused, true
}

// invokedBefore returns how many operations were invoked before an index.
func (c *operations) invokedBefore(index int) int {
	return sort.Search(len(c.list), func(i int) bool { return c.list[i].invoke >= index })
}

// largestTokens returns, for each n, the largest token among the first n operations whose outcome is known, in the
// order of their invokes.
func (c *operations) largestTokens() []uint64 {
	tokens := make([]uint64, len(c.list)+1)
	for i := range c.list {
		tokens[i+1] = tokens[i]
		if c.list[i].outcome == checker.OK {
			tokens[i+1] = max(tokens[i], c.list[i].value.Fence)
		}
	}
	return tokens
}

// rightlyRefused looks for an operation that was rejected before anything with a larger token can have come. The
// accepted ones are in order, and their tokens rise.
func (c *operations) rightlyRefused(accepted []ranked, refused []*operation) Result {
	early := earliest(accepted)
	for _, k := range refused {
		i := sort.Search(len(accepted), func(i int) bool { return accepted[i].fence > k.value.Fence })
		if i == len(accepted) || early[i] > k.done {
			return c.violated(fmt.Sprintf(
				"%s, with token %d, was refused by index %d, before anything with a larger token can have come.",
				c.describe(k), k.value.Fence, k.done), k.invoke, k.done)
		}
	}
	return Result{Verdict: checker.Holds}
}

// earliest returns for each operation the index after which the first of its place can have taken effect.
func earliest(accepted []ranked) []int {
	early := make([]int, len(accepted))
	lower, latest := -1, -1 // the last invoke of a lower place, and up to this place
	for i := 0; i < len(accepted); {
		first, to := accepted[i].op.invoke, i
		for ; to < len(accepted) && byPlace(accepted[i], accepted[to]) == 0; to++ {
			first = min(first, accepted[to].op.invoke)
			latest = max(latest, accepted[to].op.invoke)
		}
		for k := i; k < to; k++ {
			early[k] = max(first, lower)
		}
		i, lower = to, latest
	}
	return early
}
