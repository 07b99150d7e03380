// Package table makes a table of the rows of a campaign, for analysis in other programs: as CSV, or as JSON lines that
// are compressed with gzip. DuckDB and pandas read both.
//
// Its one idea: a table is a list of columns, each with a name and a function of a row. Both forms are the same table.
// Its rows are ordered by cell, as the campaign lists them, and by seed.
//
// The columns are: scenario, scenario_sha256; the settings in which cells differ, under their keys; seed, verdict; each
// property: holds, violated or unknown; "struck", the kinds of faults that hit, with spaces between them; steps; and
// each figure, in its unit as the manifest has it. A figure that a run does not have is empty in CSV, and null in JSON.
// A setting whose key is also the name of another column, such as steps, gets "set." before it.
package table
