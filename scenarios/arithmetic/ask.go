package arithmetic

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Asked returns the rules of a program that answers questions, a line each: a function and whole numbers. Nodes and
// votes are plain numbers, times are in milliseconds. The answer is a number, in milliseconds where it is a time, with
// decimals if needed; or yes or no.
//
//	quorum NODES                 how many votes win
//	quorum-of NODES ANSWERED     the same, where it depends on how many answered
//	wins NODES VOTES             yes or no
//	sent TTL                     what the servers are sent, as milliseconds
//	allowance TTL
//	validity TTL ELAPSED
//	accepts TTL ELAPSED          yes or no
//	extended TTL ASKED ANSWERED  the deadline, on the clock of the other two
//	away TTL
//
// A program that does not have a function answers unknown, and Asked does not ask for it again. Asked asks each
// function once at the start. The error is ask's, or says which answer makes no sense. Later errors are panics with
// Unanswered.
func Asked(ask func(question string) (answer string, err error)) (r Rules, err error) {
	a := asker{ask: ask, known: map[string]bool{}}
	defer func() {
		if p := recover(); p != nil {
			u, ok := p.(Unanswered)
			if !ok {
				panic(p)
			}
			err = u.Err
		}
	}()
	a.learn("quorum 5", "quorum-of 5 5", "wins 5 3", "sent 10000", "allowance 10000", "validity 10000 37",
		"accepts 10000 37",
		"extended 10000 5000 5037", "away 10000")
	if len(a.known) == 0 {
		return r, fmt.Errorf("the program answers unknown to every question; it must answer one, such as quorum 5")
	}
	r.Grain = time.Millisecond
	switch {
	case a.known["quorum-of"]:
		r.Quorum = func(nodes, answered int) int { return parseWhole(a.question("quorum-of", nodes, answered)) }
	case a.known["quorum"]:
		r.Quorum = func(nodes, _ int) int { return parseWhole(a.question("quorum", nodes)) }
	}
	if a.known["wins"] {
		r.Wins = func(nodes, votes int) bool { return parseYes(a.question("wins", nodes, votes)) }
	}
	if a.known["sent"] {
		r.Sent = func(ttl time.Duration) int64 { return a.time("sent", ttl).Milliseconds() }
	}
	if a.known["allowance"] {
		r.Allowance = func(ttl time.Duration) time.Duration { return a.time("allowance", ttl) }
	}
	if a.known["validity"] {
		r.Validity = func(ttl, elapsed time.Duration) time.Duration { return a.time("validity", ttl, elapsed) }
	}
	if a.known["accepts"] {
		r.Accepts = func(ttl, elapsed time.Duration) bool {
			return parseYes(a.question("accepts", ttl, elapsed))
		}
	}
	if a.known["extended"] {
		r.Extended = func(ttl, asked, answered time.Duration) time.Duration {
			return a.time("extended", ttl, asked, answered)
		}
	}
	if a.known["away"] {
		r.Away = func(ttl time.Duration) time.Duration { return a.time("away", ttl) }
	}
	return r, nil
}

type asker struct {
	ask   func(question string) (string, error)
	known map[string]bool // by function
}

// learn asks each function once, and notes those that the program has.
func (a *asker) learn(questions ...string) {
	for _, q := range questions {
		name, _, _ := strings.Cut(q, " ")
		answer := a.answer(q)
		if answer == "unknown" {
			continue
		}
		a.known[name] = true
		switch name {
		case "wins", "accepts":
			parseYes(q, answer)
		case "quorum", "quorum-of":
			parseWhole(q, answer)
		default:
			parseTime(q, answer)
		}
	}
}

func (a *asker) answer(question string) string {
	answer, err := a.ask(question)
	if err != nil {
		panic(Unanswered{fmt.Errorf("%q: %w", question, err)})
	}
	return strings.TrimSpace(answer)
}

// question asks about numbers; it sends times in milliseconds.
func (a *asker) question(name string, numbers ...any) (question, answer string) {
	question = name
	for _, n := range numbers {
		if d, is := n.(time.Duration); is {
			n = d.Milliseconds()
		}
		question += fmt.Sprint(" ", n)
	}
	return question, a.answer(question)
}

func parseWhole(question, answer string) int {
	n, err := strconv.Atoi(answer)
	if err != nil {
		nonsense(question, answer, "a whole number")
	}
	return n
}

func (a *asker) time(name string, times ...any) time.Duration {
	return parseTime(a.question(name, times...))
}

func parseYes(question, answer string) bool {
	switch strings.ToLower(answer) {
	case "yes", "true":
		return true
	case "no", "false":
		return false
	}
	nonsense(question, answer, "yes or no")
	return false
}

// parseTime reads milliseconds with up to six decimals; more are cut. A value beyond all times counts as the longest.
func parseTime(question, answer string) time.Duration {
	digits, negative := strings.CutPrefix(answer, "-")
	whole, part, _ := strings.Cut(digits, ".")
	part = (part + "000000")[:6]
	ms, err := strconv.ParseUint(whole, 10, 64)
	ns, err2 := strconv.ParseUint(part, 10, 64)
	if err2 != nil || err != nil && !isRange(err) {
		nonsense(question, answer, "milliseconds, such as 9898 or 9898.5")
	}
	d := longest
	if err == nil && ms < uint64(longest/time.Millisecond) {
		d = time.Duration(ms)*time.Millisecond + time.Duration(ns)
	}
	if negative {
		return -d
	}
	return d
}

func isRange(err error) bool { return strings.HasSuffix(err.Error(), strconv.ErrRange.Error()) }

func nonsense(question, answer, want string) {
	panic(Unanswered{fmt.Errorf("%q: the program answers %q, and it should be %s", question, answer, want)})
}
