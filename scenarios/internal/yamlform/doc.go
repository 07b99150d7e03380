// Package yamlform reads and writes structs as YAML files that people write.
//
// Its one idea: the tags of a struct describe its whole file. A field's yaml tag is its key, its doc tag the comment on
// it, and least and most bound a number; a [Format] has the text form of each scalar type. That makes one table,
// [Format.Table]. Reading, writing, --set, the schema and the help are views of it, so they can't disagree. The package
// does not know what the fields mean.
//
// All problems of a file are reported together, each as an [Error] with line and column. A [Decoder] keeps the place of
// each value, so that code that checks values later can report them in the same way.
//
// Text that no person would write is rejected before the YAML library reads it: malformed or hostile text can make that
// slow, and some makes it panic.
package yamlform
