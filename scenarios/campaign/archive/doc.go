// Package archive keeps the results of work in a directory, so that long work can be interrupted and resumed.
//
// Its one idea: work is a pure function of its manifest, and so is each part of it. Every process that does a part
// writes the same text. So half of the work is a directory with half of the files, and resuming makes the missing
// files. An [Archive] is such a directory:
//
//	manifest.json             what the work is: the files below follow from it
//	scenario.yaml             the scenario, whole
//	study.yaml                where the rows are of a study: its file, with what the command line changed in it
//	block-000000.jsonl.gz …   the rows of a campaign, a file a block
//
// A block's file is JSON lines, compressed with gzip. Its first line is a header that names the manifest by its
// SHA-256, so that a file of another archive is rejected; each other line is a row:
//
//	{"seed":7,"verdict":"fail","violated":["belief"],"unknown":[],"missing":[],"struck":["pause"],"steps":123,"figures":[0,null,…]}
//
// The properties and the sometimes are named as in the manifest, and the figures come in its order; null is a figure
// that the run lacks. Where a campaign has several cells, "cell" comes first: its place in the manifest, from 0.
//
// The version in the manifest names the build that did the work. The rows of another build may differ, and are not
// mixed with them. Work may have stopped at any block. A search for a time has a manifest of more runs than anyone will
// wait for, and their first blocks.
//
// A file is written under another name, synced, and then renamed: so a file that has its name is whole. Reading is
// strict: it rejects rows that Lockstorm would not have written with a [Damage], which says what is wrong, where, and
// which seeds the block held.
//
// Nothing hashes or compares compressed bytes, because another version of Go may compress a text differently. One build
// of Lockstorm writes the same bytes everywhere: it sets the level, and a gzip header without name and time.
//
// The caller must pass a checked [campaign.Job], and must not let two processes work in one directory at the same time.
package archive
