package scenarios

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/consensus"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// requestText describes a request in a few words: the command's name, what a script does, or what a raft service is asked for.
func requestText(body any) string {
	switch v := body.(type) {
	case []string:
		return commandText(v)
	case *redis.Request:
		return commandText(v.Args)
	case storage.Read:
		return "read"
	case storage.Ask:
		return "may I?"
	case *storage.Write:
		return "write on v" + strconv.FormatUint(v.Base.Plain, 10)
	case sql.In:
		return requestText(v.Request)
	case *consensus.Txn:
		return opText(v.Then) + " key"
	case *consensus.Read:
		return "list keys"
	case *consensus.Watch:
		return "watch key"
	case *consensus.KeepAlive:
		return "keep alive"
	case fmt.Stringer:
		return v.String()
	}
	return "request"
}

// fullText describes a request to a raft service, or its reply, in full.
func fullText(body any) string {
	switch v := body.(type) {
	case *consensus.Txn:
		return v.String()
	case *consensus.Read:
		return v.String()
	case *consensus.Watch:
		return v.String()
	case *consensus.Reply:
		return v.String()
	}
	return ""
}

// commandText returns the name of a command; for a script what that does, since all scripts have the same command.
func commandText(words []string) string {
	switch {
	case len(words) == 0:
		return "request"
	case len(words) > 1 && words[1] == raise:
		return "raise counter"
	case len(words) > 1 && strings.HasPrefix(words[0], "EVAL"):
		if text := locks.DescribeScript(words[1]); text != "" {
			return text
		}
	}
	return words[0]
}

// opText describes what a transaction does to the lock's key.
func opText(then []consensus.Op) string {
	if len(then) > 0 {
		switch then[0].Do {
		case consensus.Put:
			return "put"
		case consensus.Delete:
			return "delete"
		}
	}
	return "get"
}

// answerText describes a reply in a few words. A raft service's reply depends on the request.
func answerText(e *sim.Event, asked any) string {
	if e.Kind == sim.Refused {
		return "refused"
	}
	switch v := e.Body.(type) {
	case nil:
		return "nil"
	case *redis.Reply:
		return answerText(&sim.Event{Body: v.Value}, asked)
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	case []any: // of a list, as SUBSCRIBE and SENTINEL return it, the first item is what it is
		if len(v) > 0 {
			return answerText(&sim.Event{Body: v[0]}, asked)
		}
		return "empty"
	case sql.Error:
		return beforeColon(string(v))
	case consensus.Error:
		return consensusText(v)
	case error: // Redis begins with a word for what is wrong
		word, _, _ := strings.Cut(v.Error(), " ")
		return word
	case storage.State:
		return "v" + strconv.FormatUint(v.Plain, 10)
	case *consensus.Reply:
		return replyText(v, asked)
	case fmt.Stringer:
		return v.String()
	}
	return "reply"
}

func beforeColon(s string) string {
	kind, _, _ := strings.Cut(s, ":")
	return kind
}

// consensusText returns why a raft service refused.
func consensusText(e consensus.Error) string {
	switch e {
	case consensus.ErrLease:
		return "no lease"
	case consensus.ErrBehind:
		return "behind"
	case consensus.ErrLeader:
		return "no leader"
	}
	return "error"
}

// replyText describes what a raft service did. Revisions are the fencing tokens of its locks, so that of a put is shown.
func replyText(r *consensus.Reply, asked any) string {
	switch q := asked.(type) {
	case *consensus.Grant:
		return fmt.Sprintf("lease %d", r.Lease)
	case *consensus.Watch:
		return "changed"
	case *consensus.Read:
		if len(r.Results) > 0 {
			return counted(len(r.Results[0]), "key")
		}
	case *consensus.Txn:
		switch {
		case len(q.If) > 0 && !r.Succeeded:
			return "not done"
		case opText(q.Then) == "put" && len(r.Results) > 0 && len(r.Results[0]) > 0:
			return fmt.Sprintf("revision %d", r.Results[0][0].Create)
		case opText(q.Then) == "delete" && len(r.Results) > 0:
			return fmt.Sprintf("%d deleted", len(r.Results[0]))
		}
	}
	return "OK"
}
