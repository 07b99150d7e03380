// Package yamlform reads and writes structs as YAML files that people write.
//
// Its one idea: the tags of a struct say all of its file. A field's yaml tag is its key and its doc tag the comment on it; a
// [Format] has the text form of each scalar type. So what is read, what is written and what the schema says can't disagree.
// The package does not know what the fields mean.
//
// All that is wrong with a file is reported at once, each problem as an [Error] with line and column. A [Decoder] keeps the
// place of each value, so that whoever checks values later can report them in the same way.
//
// Text that no person would write is refused before the YAML library reads it: malformed or hostile text can make that slow,
// and some makes it panic.
package yamlform
