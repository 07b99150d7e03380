package scenarios

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// A brief message describes itself in a few words. Its String, if it has one, takes more.
type brief interface{ Brief() string }

// A reply that depends on its request describes itself in a few words, given that request.
type answer interface{ Answer(asked any) string }

// requestText describes a request in a few words: the command's name, what a script does, or what the request says of itself.
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
	case brief:
		return v.Brief()
	case fmt.Stringer:
		return v.String()
	}
	return "request"
}

// fullText describes in full a message that also describes itself in a few words.
func fullText(body any) string {
	full, ok := body.(fmt.Stringer)
	if !ok {
		return ""
	}
	switch body.(type) {
	case brief, answer:
		return full.String()
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

// answerText describes a reply in a few words, given its request.
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
	case brief:
		return v.Brief()
	case answer:
		return v.Answer(asked)
	case error: // Redis begins with a word for what is wrong
		word, _, _ := strings.Cut(v.Error(), " ")
		return word
	case storage.State:
		return "v" + strconv.FormatUint(v.Plain, 10)
	case fmt.Stringer:
		return v.String()
	}
	return "reply"
}
