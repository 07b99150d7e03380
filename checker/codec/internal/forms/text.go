package forms

import (
	"bytes"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// This file reads strings and characters, in both syntaxes.

func (r *Reader) text(start int) int {
	for i := start + 1; i < len(r.buf); {
		n := bytes.IndexByte(r.buf[i:], '"')
		if n < 0 {
			break
		}
		if escaped(r.buf[start+1 : i+n]) {
			i += n + 1
			continue
		}
		if !r.sound(start+1, i+n) {
			return -1
		}
		return r.atom(String, start, i+n+1)
	}
	return r.short("a quote, which closes the string at %v", r.place(start))
}

// escaped reports whether what follows the text is escaped by an odd number of backslashes at its end.
func escaped(text []byte) bool {
	return (len(text)-len(bytes.TrimRight(text, `\`)))%2 == 1
}

// sound checks the content of a string, and records what is wrong with it.
func (r *Reader) sound(start, end int) bool {
	text := r.buf[start:end]
	plain := true
	for i, c := range text {
		if c < ' ' && r.json {
			r.refuse(start+i, "found byte 0x%02x in a string; want it escaped", c)
			return false
		}
		plain = plain && c != '\\' && c < utf8.RuneSelf
	}
	if plain {
		return true
	}
	for i := 0; i < len(text); {
		if text[i] == '\\' {
			n := escape(text[i:], r.json)
			if n == 0 {
				r.refuse(start+i, "found an escape that is none: %q; want one such as \\n or \\u00e4",
					short(text[i:min(i+6, len(text))]))
				return false
			}
			i += n
			continue
		}
		c, n := utf8.DecodeRune(text[i:])
		if c == utf8.RuneError && n == 1 {
			r.refuse(start+i, "found byte 0x%02x in a string; want UTF-8", text[i])
			return false
		}
		i += n
	}
	return true
}

// escapes are the characters that a letter means after a backslash.
var escapes = [256]rune{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', '"': '"', '\\': '\\', '/': '/'}

// escape returns the length of the escape that a text begins with; 0 if it is none.
func escape(t []byte, json bool) int {
	if len(t) < 2 {
		return 0
	}
	switch c := t[1]; {
	case c == 'u':
		if len(t) >= 6 && based(t[2:6], 16) >= 0 {
			return 6
		}
		return 0
	case escapes[c] != 0 && (c != '/' || json):
		return 2
	case c >= '0' && c <= '7' && !json:
		n := 2
		for n < min(4, len(t)) && t[n] >= '0' && t[n] <= '7' {
			n++
		}
		if based(t[1:n], 8) > 0o377 {
			return 0
		}
		return n
	}
	return 0
}

// based returns the number that digits of a base mean, or -1.
func based(t []byte, base int) (v rune) {
	if !inBase(t, base) {
		return -1
	}
	for _, c := range t {
		v = v*rune(base) + rune(digitOf(c))
	}
	return v
}

// unescape appends the content of a string that is sound. Half a surrogate pair becomes U+FFFD.
func unescape(dst, t []byte) []byte {
	for len(t) > 0 {
		n := bytes.IndexByte(t, '\\')
		if n < 0 {
			break
		}
		dst, t = append(dst, t[:n]...), t[n:]
		n = escape(t, true)
		if n == 0 {
			n = escape(t, false)
		}
		c := value(t[1:n])
		if utf16.IsSurrogate(c) {
			low := rune(-1)
			if len(t) >= 12 && t[6] == '\\' && t[7] == 'u' {
				low = based(t[8:12], 16)
			}
			if c = utf16.DecodeRune(c, low); c != utf8.RuneError {
				n = 12
			}
		}
		dst, t = utf8.AppendRune(dst, c), t[n:]
	}
	return append(dst, t...)
}

// value returns the character that an escape means, without its backslash.
func value(e []byte) rune {
	switch c := escapes[e[0]]; {
	case e[0] == 'u':
		return based(e[1:], 16)
	case c != 0:
		return c
	}
	return based(e, 8)
}

// characters are the names of characters that have one.
var characters = []string{"newline", "return", "space", "tab", "formfeed", "backspace"}

// char goes over a character: a backslash, and one of any kind or a name.
func (r *Reader) char(i int) int {
	if len(r.buf) < i+1+utf8.UTFMax && !r.eof {
		return r.short("the rest of a character")
	}
	c, n := utf8.DecodeRune(r.buf[i+1:])
	switch {
	case n == 0:
		return r.short("a character after the backslash")
	case c == utf8.RuneError && n == 1:
		return r.refuse(i+1, "found byte 0x%02x in a character; want UTF-8", r.buf[i+1])
	case c <= ' ':
		return r.refuse(i+1, "found %s after a backslash; want a character, or the name of one such as \\newline",
			r.found(i+1))
	}
	end := r.token(i + 1 + n)
	if end < 0 {
		return -1
	}
	if !character(r.buf[i+1:end], n) {
		return r.refuse(i, "found %q; want a character such as \\a, \\newline or \\u00e4", short(r.buf[i:end]))
	}
	return r.atom(Char, i, end)
}

// character reports whether a token, whose first character has n bytes, is a character.
func character(t []byte, n int) bool {
	switch {
	case len(t) == n:
		return true
	case t[0] == 'u':
		return len(t) == 5 && based(t[1:], 16) >= 0 && !utf16.IsSurrogate(based(t[1:], 16))
	case t[0] == 'o':
		return len(t) <= 4 && inBase(t[1:], 8) && based(t[1:], 8) <= 0o377
	}
	return slices.Contains(characters[:], string(t))
}
