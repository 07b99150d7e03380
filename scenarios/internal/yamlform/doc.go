// Package yamlform reads and writes structs as YAML files that people write.
//
// Its one idea: the tags of a struct say all of its file. A field's yaml tag is its key, its doc tag the comment on it,
// and least and most bound a number; a [Format] has the text form of each scalar type. That makes one table,
// [Format.Table]: what is read, what is written, what --set takes and what the schema and the help say are views of it,
// so they can't disagree. The package does not know what the fields mean.
//
// All that is wrong with a file is reported at once, each problem as an [Error] with line and column. A [Decoder] keeps
// the place of each value, so that whoever checks values later can report them in the same way.
//
// Text that no person would write is refused before the YAML library reads it: malformed or hostile text can make that
// slow, and some makes it panic.
package yamlform
