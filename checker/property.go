package checker

// A Property is a named question about a run: always, or at least sometimes. Take it from Properties, Sometimes or
// Lookup; its zero value asks nothing.
type Property struct {
	Name      string
	Asks      string // the question, as a plain sentence
	Sometimes bool   // it asks whether a thing ever happened, not whether a promise ever broke

	find  func(*Judge) (Witness, bool) // the first break of the promise; or whether the thing happened, without a witness
	after bool                         // it is judged by what came after the run, so a cut leaves nothing open
	needs func(*Evidence) bool         // whether the evidence has what it takes to judge; nil for always
	wants string                       // what it takes, for those who have not got it
}

// Properties are the promises of a lock, in the order in which reports list them. Each is judged on its own, because
// each breaks in other runs than the rest.
//
// Whether the history that clients saw is linearizable is asked by Linearizable, of any history.
var Properties = []Property{
	{Name: "belief", find: (*Judge).belief,
		Asks: "Do two clients ever both go on as holders at the same true time?"},
	{Name: "validity", find: (*Judge).validity,
		Asks: "Do the computed validity windows of two clients ever overlap in true time?"},
	{Name: "quorum", find: (*Judge).quorum,
		Asks: "Does a majority of nodes, or the service that grants the lock, really hold the key through each whole validity window?"},
	{Name: "storage", find: (*Judge).storage,
		Asks: "Is an update lost to a write based on an older read, when storage applies every write?"},
	{Name: "fenced", find: (*Judge).fenced,
		Asks: "Is an update lost to a write based on an older read, when storage refuses stale fencing tokens?"},
	{Name: "tokens", find: (*Judge).tokensRise,
		Asks: "Does each acquire bring back a larger fencing token than those that returned before it asked?"},
	{Name: "continuity", find: (*Judge).continuity,
		Asks: "Did an extension succeed although another client held the lock in between?"},
	{Name: "deadlock-free", find: (*Judge).deadlockFree, after: true,
		needs: func(e *Evidence) bool { return e.Probe.Bound > 0 },
		wants: "no fresh client asked for the lock after the run",
		Asks:  "Once every fault has healed, can a fresh client acquire the lock within its TTL and a bound?"},
	{Name: "fault-tolerant", find: (*Judge).faultTolerant,
		needs: func(e *Evidence) bool { return e.Bound > 0 && e.Clients > 0 && e.Nodes > 0 },
		wants: "it takes a bound on waiting, and the numbers of clients and nodes",
		Asks: "Do acquire and release return within a bound, as long as their client reaches a majority of nodes, or the service " +
			"that grants the lock, and, to acquire, nobody else holds the lock?"},
	{Name: "leak-free", find: (*Judge).leakFree,
		Asks: "Does a lock key outlive its owner's acknowledged release, or live on without a TTL after its owner is done?"},
}

// Sometimes are the things that a run may owe to have happened: a run in which nothing happened proves nothing.
var Sometimes = []Property{
	{Name: "contended", Sometimes: true, find: happens((*Judge).contended),
		Asks: "Did a client try to acquire while another held the lock?"},
	{Name: "acquired-by-two", Sometimes: true, find: happens((*Judge).acquiredByTwo),
		Asks: "Did two different clients acquire the lock?"},
	{Name: "acquired", Sometimes: true, find: happens((*Judge).acquired),
		Asks: "Did a client acquire the lock?"},
	{Name: "fault-struck", Sometimes: true, find: happens((*Judge).faultStruck),
		Asks: "Were faults planned, and did every one of them strike?"},
	{Name: "expired-while-held", Sometimes: true, find: happens((*Judge).expiredWhileHeld),
		Asks: "Did a client go on as holder at a time at which it was not valid?"},
	{Name: "quorum-lost", Sometimes: true, find: happens((*Judge).quorumLost),
		Asks: "Did a majority of nodes lack the key at some time while its client held it, or was entitled to?"},
	{Name: "refused-too-late", Sometimes: true, find: happens((*Judge).refusedTooLate),
		Asks: "Was a lock with votes enough refused because its validity had passed?"},
	{Name: "stale-write-refused", Sometimes: true, find: happens((*Judge).staleWriteRefused),
		Asks: "Did fencing refuse a write that plain storage applied?"},
	{Name: "late-write", Sometimes: true, find: happens((*Judge).lateWrite),
		Asks: "Was a write applied after its client had stopped holding the lock it was made under?"},
	{Name: "extended", Sometimes: true, find: happens((*Judge).extended),
		Asks: "Did an extension succeed?"},
	{Name: "extension-failed", Sometimes: true, find: happens((*Judge).extensionFailed),
		Asks: "Did an extension fail?"},
	{Name: "unavailable", Sometimes: true, find: happens((*Judge).wasUnavailable),
		Asks: "Was there a time in which nobody held the lock and nobody could have been granted it?"},
	{Name: "split-vote", Sometimes: true, find: happens((*Judge).splitVote),
		Asks: "Did two clients have votes at the same time, neither enough, and both come away without the lock?"},
	{Name: "overtaken", Sometimes: true, find: happens((*Judge).wasOvertaken),
		Asks: "Did a client acquire the lock before another that had asked for it earlier?"},
	{Name: "crashed-while-held", Sometimes: true, find: happens((*Judge).crashedWhileHeld),
		Asks: "Did a client crash while it held the lock?"},
}

// Lookup gives the Property of that name, of either list.
func Lookup(name string) (Property, bool) {
	for _, list := range [...][]Property{Properties, Sometimes} {
		for _, p := range list {
			if p.Name == name {
				return p, true
			}
		}
	}
	return Property{}, false
}

// lacks says what is missing to judge the property by; nothing is "".
func (p *Property) lacks(e *Evidence) string {
	if p.needs == nil || p.needs(e) {
		return ""
	}
	return p.wants
}

// happens makes the question of a Property from one that needs no witness.
func happens(did func(*Judge) bool) func(*Judge) (Witness, bool) {
	return func(j *Judge) (Witness, bool) { return Witness{}, did(j) }
}
