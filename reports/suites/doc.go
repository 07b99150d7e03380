// Package suites reports scenarios or mutants that were run as tests: as lines while they run, as Markdown, JSON and
// JUnit, as annotations of GitHub, and as the claims that they test.
package suites
