package checker

import (
	"strconv"

	"github.com/lockstorm/lockstorm/clock"
)

// This file is the argument about updates that are lost: what the lock was worth when they were sent, and what storage made of
// them.

// overwriting says why a write based on an old version came to be applied.
func (e *Evidence) overwriting(w Witness, fenced bool) []string {
	lost, over := &e.Writes[w.First], &e.Writes[w.Second]
	said, entitled := e.sending(over)
	if entitled {
		first, also := e.sending(lost)
		if said = append(said, first...); also {
			said = append(said, "So both were sent and applied under a valid lock, and it is the lock that did not keep the two updates apart.")
		}
	}
	switch {
	case fenced:
		return append(said, e.admission(lost, over))
	case over.Fenced.Made == 0:
		return append(said, "Plain storage applies whatever comes. "+e.refusal(over))
	}
	return said
}

// refusal says why the fenced register refused a write.
func (e *Evidence) refusal(u *Update) string {
	switch e.Guard {
	case ByEquality:
		return "The register that compares random tokens refused this write, for the last read had brought another."
	case ByVersion:
		return "The register that compares versions refused this write, for it was not based on the present one."
	}
	return "The register that looks at fencing tokens refused this write, for its token, " + strconv.FormatUint(u.Fence, 10) + ", was too old."
}

// admission says why the fenced register took a write that overwrites another.
func (e *Evidence) admission(lost, over *Update) string {
	token, before := strconv.FormatUint(over.Fence, 10), strconv.FormatUint(lost.Fence, 10)
	switch {
	case over.Asked:
		return "Storage had been asked about this write before, and when it came it did not look again. The step that was defeated is " +
			"that storage checks and writes in one."
	case e.Guard != ByOrder:
		return "Storage took it all the same. The step that was defeated is that storage refuses what is stale."
	case over.Fence >= lost.Fence:
		return "Fencing did not help: the write of " + client(over.Client) + " carried token " + token + ", which is not smaller than " +
			before + ", that of the update it overwrote. The step that was defeated is that tokens rise with each grant."
	}
	return "The write carried token " + token + ", smaller than " + before + ", and was applied all the same. The step that was defeated " +
		"is that storage refuses such a token."
}

// sending says what its client's lock was worth when a write was sent, and when it arrived, and whether its client was
// entitled to the lock all the time.
func (e *Evidence) sending(u *Update) (said []string, entitled bool) {
	if u.Op < 0 || u.Op >= len(e.History) {
		return nil, false
	}
	who, sent := client(u.Client), e.History[u.Op].Time
	hold := -1
	for i := range e.Holds {
		if h := &e.Holds[i]; h.Client == u.Client && h.From <= sent {
			hold = i
		}
	}
	began, passed := who+" sent its write at "+seconds(sent)+", ", "No look at a clock before sending can help: the time passed on the way."
	if u.Asked {
		began, passed = who+" asked at "+seconds(sent)+" whether its write would be taken, ", "The time passed between the question and the write."
	}
	if hold < 0 {
		return []string{began + "without ever having held the lock."}, false
	}
	h, end := &e.Holds[hold], e.entitledUntil(hold, sent)
	switch {
	case end <= sent:
		return []string{began + seconds(clock.Instant(sent.Sub(end))) + " after its validity had ended at " +
			seconds(end) + ".",
			"The step that was defeated is the holder's own: to stop when its validity has passed." +
				e.between(who, h.From, sent)}, false
	case end <= u.At:
		return []string{began + "while it still had " + seconds(clock.Instant(end.Sub(sent))) +
			" of its validity, and it arrived at " +
			seconds(u.At) + ", " + seconds(clock.Instant(u.At.Sub(end))) + " after that had ended.",
			passed + e.between(who, sent, u.At)}, false
	}
	return []string{began + "and it arrived at " + seconds(u.At) + ", while its validity still ran to " +
		seconds(end) + "."}, true
}
