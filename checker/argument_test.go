package checker

import (
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"pgregory.net/rapid"
)

func TestArgumentNamesTheStepThatWasDefeated(t *testing.T) {
	nodes := func(token string, from, until clock.Instant, ns ...int) (keys []Span) {
		for _, n := range ns {
			keys = append(keys, Span{Node: n, Token: token, From: from, To: until})
		}
		return keys
	}
	both := func(a, b []Span) []Span { return append(append([]Span{}, a...), b...) }
	jump := []Strike{{Fault: "pause c2", From: 11 * ms}, {Fault: "jump n3 +11s", From: 20 * ms}, {Fault: "pause c1", From: 12 * ms},
		{Fault: "slow n1", From: 25 * ms}}
	for _, s := range []struct {
		property, name, want string
		e                    Evidence
	}{
		{"belief", "a node voted twice", `c2 was granted the lock while c1 still had 9.95s of its validity, by its own clock. ` +
			`Two majorities of 3 nodes share a node: n3 had granted c1 its key at 0.005s, no longer had it at 0.02s, and granted c2 at 0.03s. ` +
			`Between, "jump n3 +11s" had struck at 0.02s. ` +
			`The step that was defeated is the node's: to keep a key until its time to live has passed, so that it votes once.`,
			Evidence{Nodes: 3, Strikes: jump, Holds: []Hold{
				{Client: 0, Token: "a", From: 10 * ms, Gone: 9000 * ms, Valid: 10_000 * ms},
				{Client: 1, Token: "b", From: 50 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Keys: both(both(nodes("a", 5*ms, 10_005*ms, 0), nodes("a", 5*ms, 20*ms, 2)), nodes("b", 30*ms, forever, 1, 2))}},
		{"validity", "too few votes", `c2 was granted the lock while c1 still had 9.95s of its validity, by its own clock. ` +
			`Only 1 of 3 nodes had granted c2 the lock by then. The step that was defeated is the count of votes: it takes 2.`,
			Evidence{Nodes: 3, Holds: []Hold{
				{Client: 0, Token: "a", From: 10 * ms, Gone: 9000 * ms, Valid: 10_000 * ms},
				{Client: 1, Token: "b", From: 50 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Keys: both(nodes("a", 5*ms, forever, 0, 1), nodes("b", 30*ms, forever, 2))}},
		{"belief", "a holder overstays", `c1 was not entitled to the lock any more: its validity had ended at 10s, 1s before, by its own clock. ` +
			`So the nodes could grant it to another. The step that was defeated is the holder's own: to stop when its validity has passed. ` +
			`It did not see that in time. Between, "pause c1" had struck at 0.013s.`,
			Evidence{Nodes: 3, Strikes: append(jump[:4:4], Strike{Fault: "pause c1", From: 13 * ms}), Holds: []Hold{
				{Client: 0, Token: "a", From: 10 * ms, Gone: 15_000 * ms, Valid: 10_000 * ms},
				{Client: 1, Token: "b", From: 11_000 * ms, Gone: 12_000 * ms, Valid: 20_000 * ms}}}},
		{"belief", "without the third step", `c2's validity had ended at 11s, by the time its acquire returned. The step that was ` +
			`defeated is the third: a client subtracts from the validity what its acquire took, and refuses a lock of which nothing is left. ` +
			`Between, "pause c2" had struck at 0.011s.`,
			Evidence{Nodes: 3, Strikes: jump, Tries: []Try{{From: 1}, {Client: 1, From: 2}}, Holds: []Hold{
				{Client: 0, Token: "a", From: 10 * ms, Gone: 15_000 * ms, Valid: 16_000 * ms},
				{Client: 1, Try: 1, Token: "b", From: 11_000 * ms, Gone: 12_000 * ms, Valid: 11_000 * ms}}}},
		{"quorum", "a key went early", `c1 took itself to be entitled until 10s, by its own clock. n3 had its key from 0.005s to 0.02s, ` +
			`9.98s before that. Between, "jump n3 +11s" had struck at 0.02s. ` +
			`The step that was defeated is the node's: to keep a key until its time to live has passed, so that it votes once.`,
			Evidence{Nodes: 3, End: forever, Strikes: jump, Holds: []Hold{{Token: "a", From: 10 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Keys: both(nodes("a", 5*ms, forever, 0), nodes("a", 5*ms, 20*ms, 2))}},
		{"quorum", "the sum was too large", `c1 took itself to be entitled until 10s, by its own clock. n1 had its key from 0.005s to 9s, 1s before that. ` +
			`No fault of the schedule took it. The step that was defeated is the sum for the validity: it should end before the first of the keys that it counts on.`,
			Evidence{Nodes: 1, End: forever, Holds: []Hold{{Token: "a", From: 10 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Strikes: []Strike{{Fault: "jump n1 +1s", From: 1 * ms}, {Fault: "jump n1 +2s", From: 6 * ms, Idle: true}},
				Tries:   []Try{{Client: 0, Token: "a", From: 8000 * ms, Left: 9500 * ms}}, Keys: []Span{{Token: "a", From: 5 * ms, To: 9000 * ms, Expired: true}}}},
		{"quorum", "removed by another", `c1 took itself to be entitled until 10s, by its own clock. n1 had its key from 0.005s to 1s, 9s before that. ` +
			`When the key went, c2 was busy with its own keys: it removes them when an attempt fails, and when it releases. ` +
			`The step that was defeated is the release: to remove a key only if it is the client's own.`,
			Evidence{Nodes: 1, End: forever, Strikes: []Strike{{Fault: "slow n1", From: 25 * ms}}, Holds: []Hold{{Token: "a", From: 10 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Tries: []Try{{Client: 0, Token: "a", From: 1, To: 10 * ms, Left: forever}, {Client: 1, Token: "b", Outcome: NoQuorum, From: 900 * ms, To: 1010 * ms, Left: 1010 * ms}},
				Keys:  nodes("a", 5*ms, 1000*ms, 0)}},
		{"quorum", "a fault of the node went on since before", `c1 took itself to be entitled until 10s, by its own clock. n5 had its key from 0.005s to 9s, 1s before that. ` +
			`"strobe a-node=n5 6s every 500ms" had been at work since 0.001s. ` +
			`The step that was defeated is the node's: to keep a key until its time to live has passed, so that it votes once.`,
			Evidence{Nodes: 5, End: forever, Holds: []Hold{{Token: "a", From: 10 * ms, Gone: 9500 * ms, Valid: 10_000 * ms}},
				Strikes: []Strike{{Fault: "jump n5 +1s", From: 1, To: forever}, {Fault: "strobe a-node=n5 6s every 500ms", From: 1 * ms, To: forever},
					{Fault: "partition c1 n5 | n1", From: 6 * ms, To: forever}, {Fault: "drift n55 +1ppm", From: 7 * ms}, {Fault: "strobe n1 6s every 500ms", From: 2 * ms, To: forever}},
				Keys: append(nodes("a", 5*ms, forever, 0, 1), Span{Token: "a", Node: 4, From: 5 * ms, To: 9000 * ms, Expired: true})}},
		{"quorum", "the clock of its owner ran slow", `c1 took itself to be entitled until 10s, by its own clock. n1 had its key from 0.005s to 9s, 1s before that. ` +
			`No fault of the schedule took it. "drift a-client=c1 -20000ppm" was at work on c1 since 0.001s. ` +
			`The step that was defeated is the sum for the validity: it should end before the first of the keys that it counts on.`,
			Evidence{Nodes: 1, End: forever, Holds: []Hold{{Token: "a", From: 10 * ms, Gone: 9500 * ms, Valid: 10_000 * ms}},
				Strikes: []Strike{{Fault: "drift a-client=c1 -20000ppm", From: 1 * ms, To: forever}, {Fault: "drift c1 +1ppm", From: 2 * ms, To: 3 * ms}},
				Keys:    []Span{{Token: "a", From: 5 * ms, To: 9000 * ms, Expired: true}}}},
		{"quorum", "a node restarts while nobody is there", `c1 took itself to be entitled until 10s, by its own clock. n1 had its key from 0.005s to 1s, 9s before that. ` +
			`Between, "restart nodes=n1" had struck at 0.98s. ` +
			`The step that was defeated is the node's: to keep a key until its time to live has passed, so that it votes once.`,
			Evidence{Nodes: 1, End: forever, Holds: []Hold{{Token: "a", From: 10 * ms, Gone: 500 * ms, Crashed: true, Valid: 10_000 * ms}},
				Strikes: []Strike{{Fault: "restart nodes=n1", From: 980 * ms, To: 1000 * ms, Idle: true}, {Fault: "crash c1", From: 500 * ms}},
				Keys:    []Span{{Token: "a", From: 5 * ms, To: 1000 * ms}}}},
		{"quorum", "one was taken, and one came to its end", `c1 took itself to be entitled until 10s, by its own clock. n1 had its key from 0.005s to 0.9s, 9.1s before that. ` +
			`Between, "restart n1" had struck at 0.9s. n2 had its key from 0.005s to 1s, 9s before that. ` +
			`The step that was defeated is the node's: to keep a key until its time to live has passed, so that it votes once.`,
			Evidence{Nodes: 3, End: forever, Holds: []Hold{{Token: "a", From: 10 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Strikes: []Strike{{Fault: "restart n1", From: 900 * ms, To: 901 * ms}},
				Keys:    both(nodes("a", 5*ms, 900*ms, 0), append([]Span{{Node: 1, Token: "a", From: 5 * ms, To: 1000 * ms, Expired: true}}, nodes("a", 5*ms, forever, 2)...))}},
		{"quorum", "a name for all attempts", `c1 took itself to be entitled until 10s, by its own clock. n1 had its key from 5s to 9s, 1s before that. ` +
			`No fault of the schedule took it. The step that was defeated is the sum for the validity: it should end before the first of the keys that it counts on.`,
			Evidence{Nodes: 1, End: forever, Holds: []Hold{{Token: "a", Try: 1, From: 5010 * ms, Gone: 9500 * ms, Valid: 10_000 * ms}},
				Tries: []Try{{Token: "a", Outcome: Won, From: 1, To: 10 * ms, Left: 100 * ms}, {Token: "a", Outcome: Won, From: 4900 * ms, To: 5010 * ms, Left: forever}},
				Keys:  append(nodes("a", 5*ms, 90*ms, 0), Span{Token: "a", From: 5000 * ms, To: 9000 * ms, Expired: true})}},
		{"quorum", "a role came to be the node", `c1 took itself to be entitled until 10s, by its own clock. n3 had its key from 0.005s to 0.02s, ` +
			`9.98s before that. Between, "restart minority=n2,n3" had struck at 0.02s. ` +
			`The step that was defeated is the node's: to keep a key until its time to live has passed, so that it votes once.`,
			Evidence{Nodes: 3, End: forever, Strikes: []Strike{{Fault: "restart minority=n2,n3", From: 20 * ms}, {Fault: "jump n3 +1ms", From: 6 * ms}},
				Holds: []Hold{{Token: "a", From: 10 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Keys:  both(nodes("a", 5*ms, forever, 0), nodes("a", 5*ms, 20*ms, 2))}},
		{"quorum", "removed late", `c1 took itself to be entitled until 10s, by its own clock. n1 had its key from 0.005s to 1s, 9s before that. ` +
			`It had not expired, and no fault of the schedule took it: it was removed. The step that was defeated is the release: to remove a key only if it is the client's own.`,
			Evidence{Nodes: 1, End: forever, Strikes: []Strike{{Fault: "jump n1 +9s", From: 25 * ms}}, Holds: []Hold{{Token: "a", From: 10 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Keys: nodes("a", 5*ms, 1000*ms, 0)}},
		{"quorum", "set over", `c1 took itself to be entitled until 10s, by its own clock. n1 had its key from 0.005s to 1s, 9s before that. ` +
			`At that moment a key of c2 was set over it. The step that was defeated is the acquire: to set a key only where there is none.`,
			Evidence{Nodes: 1, End: forever, Holds: []Hold{{Token: "a", From: 10 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Tries: []Try{{Client: 1, Token: "b", From: 900 * ms, To: 1010 * ms, Left: 1010 * ms}}, Keys: both(nodes("a", 5*ms, 1000*ms, 0), nodes("b", 1000*ms, 2000*ms, 0))}},
		{"quorum", "expired while another cleaned up", `c1 took itself to be entitled until 10s, by its own clock. n1 had its key from 0.005s to 1s, 9s before that. ` +
			`No fault of the schedule took it. The step that was defeated is the sum for the validity: it should end before the first of the keys that it counts on.`,
			Evidence{Nodes: 1, End: forever, Strikes: []Strike{{Fault: "partition c2 | n1", From: 25 * ms}}, Holds: []Hold{{Token: "a", From: 10 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Tries: []Try{{Client: 0, Token: "a", From: 1, To: 10 * ms, Left: forever}, {Client: 1, Token: "b", Outcome: NoQuorum, From: 900 * ms, To: 1010 * ms, Left: 1010 * ms}},
				Keys:  []Span{{Token: "a", From: 5 * ms, To: 1000 * ms, Expired: true}}}},
		{"quorum", "a clock that drifts already", `c1 took itself to be entitled until 10s, by its own clock. n1 had its key from 0.005s to 1s, 9s before that. ` +
			`"drift a-node=n1 +10%" had been at work since 0.001s. The step that was defeated is the node's: to keep a key until its time to live has passed, so that it votes once.`,
			Evidence{Nodes: 1, End: forever, Holds: []Hold{{Token: "a", From: 10 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Strikes: []Strike{{Fault: "jump n10 +9s", From: 900 * ms, To: 900 * ms}, {Fault: "drift a-node=n1 +10%", From: 1 * ms, To: 5000 * ms},
					{Fault: "restart n1", From: 20 * ms, To: 22 * ms}, {Fault: "slow n1", From: 25 * ms, To: forever}},
				Keys: []Span{{Token: "a", From: 5 * ms, To: 1000 * ms, Expired: true}}}},
		{"belief", "old answers", `c2 was granted the lock while c1 still had 7s of its validity, by its own clock. When the acquire of c2 returned, ` +
			`1 of 3 nodes still had its key, and 2 are needed. The step that was defeated is the count of votes: one counts as long as its key lives.`,
			Evidence{Nodes: 3, Holds: []Hold{
				{Client: 0, Token: "a", From: 1000 * ms, Gone: 9000 * ms, Valid: 10_000 * ms},
				{Client: 1, Token: "b", From: 3000 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Keys: append(both(nodes("b", 1*ms, 3000*ms, 1), nodes("a", 600*ms, forever, 0, 2)), Span{Token: "b", From: 1 * ms, To: 500 * ms, Expired: true})}},
		{"belief", "one node", `c2 was granted the lock while c1 still had 7s of its validity, by its own clock. There is one node: n1 had granted c1 its key at 0.5s, ` +
			`no longer had it at 2s, and granted c2 at 2.5s. No fault of the schedule took it. The step that was defeated is the sum for the validity: ` +
			`it should end before the first of the keys that it counts on.`,
			Evidence{Nodes: 1, Holds: []Hold{
				{Client: 0, Token: "a", From: 1000 * ms, Gone: 9000 * ms, Valid: 10_000 * ms},
				{Client: 1, Token: "b", From: 3000 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Keys: append(nodes("b", 2500*ms, forever, 0), Span{Token: "a", From: 500 * ms, To: 2000 * ms, Expired: true})}},
		{"belief", "a service forgets", `c2 was granted the lock while c1 still had 7s of its validity, by its own clock. The master held the lock for c1 from 0.5s to 2s, ` +
			`and for c2 from 2.5s on. The step that was defeated is that a hold ends for its client before it ends for the master.`,
			Evidence{Nodes: 1, Service: "the master", Holds: []Hold{
				{Client: 0, Token: "a", From: 1000 * ms, Gone: 9000 * ms, Valid: 10_000 * ms},
				{Client: 1, Token: "b", From: 3000 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Keys: both(nodes("a", 500*ms, 2000*ms, 0), nodes("b", 2500*ms, forever, 0))}},
		{"belief", "two masters", `c2 was granted the lock while c1 still had 7s of its validity, by its own clock. The master never held the lock for c1, whose acquire returned all the same. ` +
			`The step that was defeated is that the lock is had from the master alone.`,
			Evidence{Nodes: 1, Service: "the master", Holds: []Hold{
				{Client: 0, Token: "a", From: 1000 * ms, Gone: 9000 * ms, Valid: 10_000 * ms},
				{Client: 1, Token: "b", From: 3000 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Keys: nodes("b", 2500*ms, forever, 0)}},
		{"belief", "without a look at a session", `c2's validity had ended at 11s, by the time its acquire returned. ` +
			`The step that was defeated is the client's: to refuse a lock whose validity has ended when its acquire returns.`,
			Evidence{Nodes: 1, Service: "the cluster", Holds: []Hold{
				{Client: 0, Token: "a", From: 10 * ms, Gone: 15_000 * ms, Valid: 16_000 * ms},
				{Client: 1, Token: "b", From: 11_000 * ms, Gone: 12_000 * ms, Valid: 11_000 * ms}}}},
		{"storage", "two under a valid lock", `c2 sent its write at 3s, and it arrived at 3.5s, while its validity still ran to 10s. ` +
			`c1 sent its write at 2s, and it arrived at 3.2s, while its validity still ran to 10s. ` +
			`So both were sent and applied under a valid lock, and it is the lock that did not keep the two updates apart.`,
			Evidence{History: History{{F: Write, Time: 2000 * ms}, {F: Write, Time: 3000 * ms, Process: 1}},
				Holds: []Hold{{From: 1000 * ms, Valid: 10_000 * ms}, {Client: 1, From: 1500 * ms, Valid: 10_000 * ms}},
				Writes: []Update{{Op: 0, At: 3200 * ms, Plain: Change{0, 1}, Fenced: Change{0, 1}},
					{Client: 1, Op: 1, At: 3500 * ms, Plain: Change{0, 2}, Fenced: Change{1, 2}}}}},
		{"storage", "the lost one was late", `c2 sent its write at 12s, and it arrived at 12.5s, while its validity still ran to 20s. ` +
			`c1 sent its write at 2s, while it still had 8s of its validity, and it arrived at 11s, 1s after that had ended. ` +
			`No look at a clock before sending can help: the time passed on the way.`,
			Evidence{History: History{{F: Write, Time: 2000 * ms}, {F: Write, Time: 12_000 * ms, Process: 1}},
				Holds: []Hold{{From: 1000 * ms, Valid: 10_000 * ms}, {Client: 1, From: 10_500 * ms, Valid: 20_000 * ms}},
				Writes: []Update{{Op: 0, At: 11_000 * ms, Plain: Change{0, 1}},
					{Client: 1, Op: 1, At: 12_500 * ms, Plain: Change{0, 2}, Fenced: Change{0, 1}}}}},
		{"storage", "an old version", `c1 sent its write at 14s, 4s after its validity had ended at 10s. ` +
			`The step that was defeated is the holder's own: to stop when its validity has passed. ` +
			`Plain storage applies whatever comes. The register that compares versions refused this write, for it was not based on the present one.`,
			Evidence{Guard: ByVersion, History: History{{F: Write, Time: 14_000 * ms}, {F: Write, Time: 11_500 * ms, Process: 1}},
				Holds:  []Hold{{From: 1000 * ms, Valid: 10_000 * ms}},
				Writes: []Update{{Client: 1, Op: 1, At: 12_000 * ms, Plain: Change{0, 1}, Fenced: Change{0, 1}}, {Op: 0, At: 15_000 * ms, Plain: Change{0, 2}}}}},
		{"storage", "another random token", `c1 sent its write at 14s, without ever having held the lock. ` +
			`Plain storage applies whatever comes. The register that compares random tokens refused this write, for the last read had brought another.`,
			Evidence{Guard: ByEquality, History: History{{F: Write, Time: 14_000 * ms}, {F: Write, Time: 11_500 * ms, Process: 1}},
				Writes: []Update{{Client: 1, Op: 1, At: 12_000 * ms, Plain: Change{0, 1}, Fenced: Change{0, 1}}, {Op: 0, At: 15_000 * ms, Plain: Change{0, 2}}}}},
		{"fenced", "asked before", `c1 asked at 2s whether its write would be taken, while it still had 8s of its validity, and it arrived at 15s, 5s after that had ended. ` +
			`The time passed between the question and the write. Storage had been asked about this write before, and when it came it did not look again. ` +
			`The step that was defeated is that storage checks and writes in one.`,
			Evidence{Guard: ByEquality, History: History{{F: Write, Time: 2000 * ms}, {F: Write, Time: 11_500 * ms, Process: 1}},
				Holds: []Hold{{From: 1000 * ms, Valid: 10_000 * ms}},
				Writes: []Update{{Client: 1, Op: 1, Asked: true, At: 12_000 * ms, Fenced: Change{0, 1}},
					{Op: 0, Asked: true, At: 15_000 * ms, Fenced: Change{0, 2}}}}},
		{"storage", "a write is late on the way", `c1 sent its write at 2s, while it still had 8s of its validity, and it arrived at 15s, 5s after that had ended. ` +
			`No look at a clock before sending can help: the time passed on the way. Between, "hold c1>s" had struck at 3s. ` +
			`Plain storage applies whatever comes. The register that looks at fencing tokens refused this write, for its token, 33, was too old.`,
			Evidence{Strikes: []Strike{{Fault: "hold c1>s", From: 3000 * ms}}, History: History{{F: Write, Time: 2000 * ms}, {F: Write, Time: 11_000 * ms, Process: 1}},
				Holds: []Hold{{From: 1000 * ms, Valid: 10_000 * ms, Fence: 33}, {Client: 1, From: 10_500 * ms, Valid: 20_000 * ms, Fence: 34}},
				Writes: []Update{{Client: 1, Op: 1, Fence: 34, At: 12_000 * ms, Plain: Change{0, 1}, Fenced: Change{0, 1}},
					{Op: 0, Fence: 33, At: 15_000 * ms, Plain: Change{0, 2}}}}},
		{"fenced", "a token as large", `c1 sent its write at 14s, 4s after its validity had ended at 10s. ` +
			`The step that was defeated is the holder's own: to stop when its validity has passed. ` +
			`Fencing did not help: the write of c1 carried token 34, which is not smaller than 34, that of the update it overwrote. ` +
			`The step that was defeated is that tokens rise with each grant.`,
			Evidence{History: History{{F: Write, Time: 14_000 * ms}, {F: Write, Time: 14_500 * ms, Process: 1}},
				Holds: []Hold{{From: 1000 * ms, Valid: 10_000 * ms, Fence: 34}},
				Writes: []Update{{Client: 1, Op: 1, Fence: 34, At: 12_000 * ms, Fenced: Change{0, 1}},
					{Op: 0, Fence: 34, At: 15_000 * ms, Fenced: Change{0, 2}}}}},
		{"tokens", "a counter forgets", `A token as large as 34 had been given out by 4s, and 1s later the count was no further. ` +
			`Between, "restart n1" had struck at 4.5s. The step that was defeated is the count: each token is larger than all that were given out before, wherever they were counted.`,
			Evidence{Strikes: []Strike{{Fault: "restart n1", From: 4500 * ms}},
				Holds: []Hold{{Fence: 34, From: 4000 * ms}, {Client: 1, Fence: 33, Asked: 5000 * ms, From: 6000 * ms}}}},
		{"continuity", "a lost lock is extended", `The validity of c1 had been to last until 10s; c2 held the lock from 11s to 12s. ` +
			`The key of c1 was set anew on n2 after that. The step that was defeated is the extension's: only a lock that was never lost may be extended.`,
			Evidence{Nodes: 3, Holds: []Hold{{Token: "a", From: 1000 * ms, Valid: 10_000 * ms}, {Client: 1, Token: "b", From: 11_000 * ms, Gone: 12_000 * ms, Valid: 20_000 * ms}},
				Renewals: []Renewal{{OK: true, At: 13_000 * ms, Valid: 20_000 * ms}},
				Keys:     both(nodes("a", 12_500*ms, forever, 1), nodes("b", 10_500*ms, 12_000*ms, 0, 1))}},
		{"continuity", "the other came too late", `The validity of c1 had been to last until 20s; c2 held the lock from 11s to 12s. ` +
			`c2's validity had ended at 10.5s, by the time its acquire returned. The step that was defeated is the client's: to refuse a lock whose validity has ended when its acquire returns.`,
			Evidence{Nodes: 3, Service: "the cluster", Holds: []Hold{{Token: "a", From: 1000 * ms, Valid: 20_000 * ms}, {Client: 1, Token: "b", From: 11_000 * ms, Gone: 12_000 * ms, Valid: 10_500 * ms}},
				Renewals: []Renewal{{OK: true, At: 13_000 * ms, Valid: 20_000 * ms}}}},
		{"continuity", "the other counted old answers", `The validity of c1 had been to last until 20s; c2 held the lock from 11s to 12s. ` +
			`When the acquire of c2 returned, 0 of 1 nodes still had its key, and 1 are needed. The step that was defeated is the count of votes: one counts as long as its key lives.`,
			Evidence{Nodes: 1, Holds: []Hold{{Token: "a", From: 1000 * ms, Valid: 20_000 * ms}, {Client: 1, Token: "b", From: 11_000 * ms, Gone: 12_000 * ms, Valid: 20_000 * ms}},
				Renewals: []Renewal{{OK: true, At: 13_000 * ms, Valid: 20_000 * ms}}, Keys: []Span{{Token: "b", From: 1, To: 900 * ms, Expired: true}}}},
		{"leak-free", "no time to live", `c1 had won the lock, and was done with it 2s after the key was set. ` +
			`The step that was defeated is that a key gets its time to live with the command that sets it, so that it ends even if nobody comes to remove it.`,
			Evidence{End: 9000 * ms, Tries: []Try{{Token: "a", Outcome: Won, Left: 4000 * ms}}, Keys: []Span{{Token: "a", From: 2000 * ms, To: forever, Endless: true}}}},
		{"leak-free", "set after the release", `The key was set 1s after c1 was done with it: its request came late. ` +
			`The step that was defeated is the release: it should leave no key of its owner on any node.`,
			Evidence{End: 9000 * ms, Tries: []Try{{Token: "a", Clean: true, Left: 1000 * ms}}, Keys: []Span{{Token: "a", From: 2000 * ms, To: 5000 * ms}}}},
		{"leak-free", "back after the release", `The key of c1 was on n3 before, until 1.5s, and again from 2s on. Between, "restart n3" had struck at 1.9s. ` +
			`The step that was defeated is the node's: to remember what it has acknowledged, a release too.`,
			Evidence{End: 9000 * ms, Strikes: []Strike{{Fault: "restart n3", From: 1900 * ms}, {Fault: "pause c1", From: 1950 * ms}},
				Tries: []Try{{Token: "a", Outcome: Won, Clean: true, Left: 1600 * ms}},
				Keys:  both(nodes("a", 500*ms, 1500*ms, 2), nodes("a", 2000*ms, 5000*ms, 2))}},
		{"deadlock-free", "keys stay", `At 20s 1 of 3 nodes were free; 2 are needed. Keys were on n1 (a key of c1), n3 (a key of c1).`,
			Evidence{Nodes: 3, Tries: []Try{{Token: "a"}}, Keys: nodes("a", 1, forever, 0, 2), Probe: Probe{Asked: 20_000 * ms, Won: forever, Bound: time.Second}}},
		{"fault-tolerant", "nothing was in the way", `At 1s no node had a key: none was in the way.`,
			Evidence{Clients: 2, Nodes: 1, End: 9000 * ms, Bound: 5 * time.Second, History: History{{Time: 1000 * ms, Process: 3, F: Acquire}}}},
	} {
		var j Judge
		p, _ := Lookup(s.property)
		f := j.Ask(&s.e, p)
		if got := s.e.Argument(f); got != s.want || f.Verdict != Violated {
			t.Errorf("%s, %s, %v:\n got %s\nwant %s", s.property, s.name, f.Verdict, got, s.want)
		}
	}
}

// TestAnArgumentIsWholeSentences: whatever the evidence, nothing panics, and what is said ends.
func TestAnArgumentIsWholeSentences(t *testing.T) {
	var j Judge
	drawn := rapidEvidence(t)
	for i := range 5000 {
		e := drawn(i)
		for _, f := range j.Judge(e) {
			said := e.Argument(f)
			if (f.Verdict == Violated) != (said != "") && len(e.Writes) == 0 || said != "" && !strings.HasSuffix(said, ".") || strings.Contains(said, "  ") {
				t.Fatalf("%+v: %q of %+v", f, said, *e)
			}
		}
	}
}

func rapidEvidence(*testing.T) func(int) *Evidence {
	g := rapid.Custom(genEvidence)
	return func(i int) *Evidence { return g.Example(i) }
}
