package consensus

import "fmt"

// What requests and replies are in a few words, for drawings. Their String says all of it, for a trace.

// Brief says what the transaction does to its key.
func (t *Txn) Brief() string { return opName(t.Then) + " key" }

// Brief says what is asked.
func (r *Read) Brief() string { return "list keys" }

// Brief says what is asked.
func (w *Watch) Brief() string { return "watch key" }

// Brief says what is asked.
func (k *KeepAlive) Brief() string { return "keep alive" }

// Brief says why the service refused.
func (e Error) Brief() string {
	switch e {
	case ErrLease:
		return "no lease"
	case errBehind:
		return "behind"
	case errLeader:
		return "no leader"
	}
	return "error"
}

// Answer says what the service did. Revisions are the fencing tokens of its locks, so that of a put is shown.
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

// opName names the first step of a transaction; get, which changes nothing, if there is none.
func opName(then []Op) string {
	if len(then) == 0 {
		return opNames[Get]
	}
	return opNames[then[0].Do]
}
