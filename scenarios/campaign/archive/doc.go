// Package archive keeps the rows of a campaign in a directory, so that long work can be interrupted and resumed, shared
// between machines, and merged.
//
// Its one idea: a campaign is a pure function of its manifest, and so is each of its blocks. Whoever makes a block writes
// the same file, byte for byte. So half a campaign is a directory with half of the files; to resume is to make those that
// are missing; and to merge is to copy files side by side.
//
// A directory holds:
//
//	manifest.json             what the campaign is: all that the files below follow from
//	scenario.yaml             the scenario, whole
//	block-000000.jsonl.zst …  the rows, a file a block
//
// A block's file is JSON lines, compressed with zstd. Its first line is a header that names the manifest by its SHA-256,
// so that a file of another archive is refused; each other line is a row:
//
//	{"seed":7,"verdict":"fail","violated":["belief"],"unknown":[],"missing":[],"struck":["pause"],"steps":123,"figures":[0,null,…]}
//
// The properties and the sometimes are named as in the manifest, the figures come in its order, and null is one that the
// run does not have. Where a campaign has several cells, "cell" comes first: its place in the manifest, from 0.
//
// Where the job has a rule by which cells may end early, the manifest has it, and an archive is whole when each cell has
// its blocks up to the one with which it ends. There is none beyond. Reading, resuming and merging follow the rule, and leave
// out what lies beyond; package campaign explains why all come to the same end.
//
// The version in the manifest names the build that made the rows; another build's rows may differ, and are not put beside
// them. Work may have been left at any block. A search that was made for a time, not for a number of runs, has a manifest of
// more runs than anybody will wait for, and the first so many of its blocks: how far it came is what is there.
//
// A file is written under another name, synced, and then renamed: there is never half a block under its name. To read is
// strict: rows that Lockstorm would not have written are refused with a [Damage], which has what is wrong, where, and which
// seeds it held. To merge is stricter: it refuses the right rows, too, if they are packed in another way, as by a bit that
// was turned in the frame around them.
//
// The caller must pass a checked [campaign.Job], and must not let two processes do the same shard of the same directory at the
// same time. Different shards may share a directory.
package archive
