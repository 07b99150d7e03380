// Package site makes a folder of pages of what is known: documents, references, a debate, and the runs and campaigns of stores.
//
// Its law is that of reports: a [Site] is a pure function of what it is given, so the same one has the same files, byte for
// byte. All that stands on a page is a reports.Document, whoever made it: documents are read from Markdown, references are
// written from the tables that help and schema are made of, and what serve shows of a store comes as it is shown there. So
// nothing is written twice, texts of others are escaped in one place, and one walk turns the links of all pages.
//
// A page's address is the name of its document with another ending. So links between documents stay what they are, and the
// folder can be opened from a disk as well as served. The search is a list of sections, loaded as a script: from a disk a
// page may load nothing else.
package site
