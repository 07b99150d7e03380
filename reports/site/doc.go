// Package site makes a folder of pages of what is known: documents, references and a debate.
//
// It follows the law of reports: a [Site] is a pure function of its input, so the same one has the same files, byte
// for byte. Every page is a reports.Document. Documents come from Markdown, and references from the tables behind help
// and schema. So nothing is written twice, texts are escaped in one place, and one walk turns the links of all pages.
//
// A page's address is the name of its document with another ending. So links between documents stay what they are, and
// the folder can be opened from a disk as well as served. The search is a list of sections, loaded as a script: from a
// disk a page may load nothing else.
package site
