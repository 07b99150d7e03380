// Package forms reads texts of data, in EDN or JSON, one form at a time and with the place of each.
//
// # The law
//
// Reading takes time in proportion to the text and memory in proportion to one form, whatever the text. A form longer
// than limitBytes, or nested deeper than limitDepth, is rejected as soon as that is plain; so is a gap as long as that
// between two forms. An error has a line and a column, what was found there, and what would be right. Nothing panics.
//
// # Words
//
// A Form is one value: a number, a string, a map with its contents. A text holds forms one after the other, or it is
// one vector (in JSON, an array) of forms; Reader.Next returns them one by one in both cases. A Place is a line and a
// column, both from 1; columns count characters.
//
// # EDN and JSON
//
// The EDN is what Clojure prints, which is wider than the standard: ratios (22/7), symbolic values (##NaN, ##Inf,
// ##-Inf), namespaced maps (#:ns{…}), octal escapes in strings, objects (#object[a.B 0x1f "…"]) and with them integers
// in another base (0x1f, 16r1f), regular expressions (#"…"), vars (#'a/b), and metadata (^{…} a), which is dropped.
// 007, which is octal to Clojure, is rejected. The JSON follows RFC 8259. In both the text is UTF-8, perhaps after a
// byte order mark. The keys of a map may repeat.
//
// A Form points into its Reader, and is good until the next call of Next.
package forms
