// Package forms reads texts of data, in EDN or JSON, one form at a time and with the place of each.
//
// # The law
//
// Reading takes time in proportion to the text and memory in proportion to one form, whatever the text. A form longer than
// limitBytes, or nested deeper than limitDepth, is refused as soon as that is plain; so is a gap as long as that between
// two. Whatever is refused is refused with its line and column, what was found there, and what would be right. Nothing
// panics.
//
// # Words
//
// A Form is one value: a number, a string, a map with all that is in it. A text holds forms one after the other, or it is
// one vector (in JSON, an array) and its forms are those in it; Reader.Next returns them one by one in both cases. A Place
// is a line and a column, both from 1; columns count characters.
//
// # EDN and JSON
//
// The EDN is that of Clojure's printer, which is wider than the standard: ratios (22/7), symbolic values (##NaN, ##Inf,
// ##-Inf), namespaced maps (#:ns{…}), octal escapes in strings, objects (#object[a.B 0x1f "…"]) and with them integers in
// another base (0x1f, 16r1f), regular expressions (#"…"), vars (#'a/b), metadata (^{…} a), of which nothing is kept. 007,
// which is octal to Clojure, is refused. The JSON is that of RFC 8259. In both the text is UTF-8,
// and a byte order mark may stand before it. Whether the keys of a map differ is not looked at.
//
// A Form points into its Reader, and is good until the next call of Next.
package forms
