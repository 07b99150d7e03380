package redis

import (
	"slices"
	"strings"
)

// outline returns a script's text without what has no effect: comments, blanks, the kind of quotes, and the case of the
// commands that it calls. Two scripts with one outline do the same. It is empty for a text that needs a better reader:
// one with long brackets, with an escape in a string, or with a semicolon before a parenthesis.
func outline(text string) string {
	var words []string
	for text != "" {
		word, rest, ok := nextWord(text)
		if !ok || word == "(" && len(words) > 0 && words[len(words)-1] == ";" {
			return ""
		}
		if text = rest; word == "" {
			continue
		}
		if quoted := word[0] == '"'; quoted && called(words) {
			word = strings.ToUpper(word)
		}
		words = append(words, word)
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == ";" }), " ")
}

// called reports whether the name of a command follows these words.
func called(words []string) bool {
	n := len(words)
	return n >= 4 && strings.Join(words[n-4:], "") == "redis.call("
}

// nextWord splits off the first word of a text: a name or number, a string in double quotes, or a single character. It
// is empty for a comment and for blanks. It is not ok if the text needs a better reader.
func nextWord(text string) (word, rest string, ok bool) {
	switch c := text[0]; {
	case strings.HasPrefix(text, "--"):
		line, rest, _ := strings.Cut(text, "\n")
		return "", rest, !strings.HasPrefix(line, "--[")
	case strings.HasPrefix(text, "[[") || strings.HasPrefix(text, "[="):
		return "", "", false
	case strings.ContainsRune(" \t\r\n", rune(c)):
		return "", text[1:], true
	case c == '"' || c == '\'':
		inner, rest, closed := strings.Cut(text[1:], string(c))
		return `"` + inner + `"`, rest, closed && !strings.ContainsAny(inner, "\\\"\n")
	case inName(c):
		return run(text, inName)
	case inSign(c):
		return run(text, inSign)
	}
	return text[:1], text[1:], true
}

// run splits off characters of one sort.
func run(text string, sort func(byte) bool) (word, rest string, ok bool) {
	n := 1
	for n < len(text) && sort(text[n]) {
		n++
	}
	return text[:n], text[n:], true
}

// inSign reports whether a character may be part of a sign of several, such as == or .. .
func inSign(c byte) bool { return strings.IndexByte("=~<>.", c) >= 0 }

func inName(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
