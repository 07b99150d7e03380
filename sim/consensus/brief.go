package consensus

import "fmt"

// Requests and replies in a few words, for drawings. Their String says everything, for a trace.

// Brief says what the transaction does to its key.
func (t *Txn) Brief() string { return opName(t.Then) + " key" }

// Brief says what the client asks.
func (r *Read) Brief() string { return "list keys" }

// Brief says what the client asks.
func (w *Watch) Brief() string { return "watch key" }

// Brief says what the client asks.
func (k *KeepAlive) Brief() string { return "keep alive" }

// Brief says why the service rejected the request.
func (e Error) Brief() string {
	switch e {
	case ErrLease:
		return "no lease"
	case ErrDelay:
		return "lock-delay"
	case errBehind:
		return "behind"
	case errLeader:
		return "no leader"
	}
	return "error"
}

// Answer says what the service did. For a put it shows the revision, because revisions are the fencing tokens of its
// locks.
func (r *Reply) Answer(asked any) string {
	switch q := asked.(type) {
	case *Grant:
		return fmt.Sprintf("lease %d", r.Lease)
	case *Watch:
		return "changed"
	case *Read:
		if len(r.Results) == 1 && len(r.Results[0]) == 1 {
			return "1 key"
		}
		if len(r.Results) > 0 {
			return fmt.Sprintf("%d keys", len(r.Results[0]))
		}
	case *Txn:
		return r.answer(q)
	}
	return "OK"
}

func (r *Reply) answer(t *Txn) string {
	did := opName(t.Then)
	switch {
	case len(t.If) > 0 && !r.Succeeded:
		return "not done"
	case did == "put" && len(r.Results) > 0 && len(r.Results[0]) > 0:
		return fmt.Sprintf("revision %d", r.Results[0][0].Create)
	case did == "delete" && len(r.Results) > 0:
		return fmt.Sprintf("%d deleted", len(r.Results[0]))
	}
	return "OK"
}

// opName names the first step of a transaction; without a step it is get, which changes nothing.
func opName(then []Op) string {
	if len(then) == 0 {
		return opNames[Get]
	}
	return opNames[then[0].Do]
}
