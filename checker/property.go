package checker

// A Property is a named question about a run. Take it from Properties, Sometimes or Lookup; its zero value asks nothing.
//
// A promise is a property that must always hold. Each is one file: its judge, and how its witness is put into words.
type Property struct {
	Name      string
	Asks      string // the question, as a plain sentence
	Sometimes bool   // it asks whether a thing ever happened, not whether a promise ever broke
	Conflict  string // what it is called when the promise breaks, in two or three words; empty for Sometimes
	Hint      string // what to change if it should have happened and did not; empty for nothing in particular
	Loses     bool   // the promise breaks only when what the lock protects is damaged
	Liveness  bool   // it asks whether a thing happens in time; explorations don't judge it

	find  func(*Judge) (Witness, bool) // the first break of the promise; or whether the thing happened, without a witness
	after bool                         // it is judged by what came after the run, so a cut leaves nothing open
	needs func(*Evidence) bool         // reports whether the evidence has what it takes to judge; nil for always
	wants string                       // what it takes to judge, for the message that something is missing

	sentence func(*Evidence, Witness) string   // what broke, with its figures, without a full stop; nil: when it broke
	summary  func(*Evidence, Witness) string   // who broke what, in a few words; nil: Conflict
	argument func(*Evidence, Witness) []string // the step that was defeated, and how, in sentences; nil: nothing
	story    func(*Story)                      // the events that led to it; nil: the faults alone
	kept     func(*Evidence) []string          // why it held, in sentences; nil: nothing
}

// Properties are the promises of a lock, in the order in which reports list them. Each is judged on its own, because
// each breaks in other runs than the rest.
//
// Whether the history that clients saw is legal for a model of a lock is judged by package blackbox.
var Properties = []Property{
	belief,
	validity,
	quorum,
	storage,
	fenced,
	tokens,
	continuity,
	deadlockFree,
	faultTolerant,
	leakFree,
}

// Sometimes are the things that a scenario may demand to have happened: a run in which nothing happened proves nothing.
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
	{Name: "wanted-after-fault", Sometimes: true, find: happens((*Judge).wantedAfterFault),
		Asks: "Did another client than the latest holder ask for the lock after the first fault had struck?",
		Hint: "A fault that strikes a lock that nobody else wants proves nothing. The settings that most often prevent it are work.stagger, " +
			"work.recheck and work.stop_at_deadline: let the others start while the fault is in force, and the holder go on."},
}

// Lookup returns the Property of that name, of either list.
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

// lacks returns what is missing to judge the property by, or "".
func (p *Property) lacks(e *Evidence) string {
	if p.needs == nil || p.needs(e) {
		return ""
	}
	return p.wants
}

// happens makes the find of a Property from a question that needs no witness.
func happens(did func(*Judge) bool) func(*Judge) (Witness, bool) {
	return func(j *Judge) (Witness, bool) { return Witness{}, did(j) }
}
