// Package suites reports scenarios, or their mutants, that were run as tests: as lines while they run, as Markdown, as
// JSON, and as the claims that they test. Package ci has the forms that CI systems read.
package suites
