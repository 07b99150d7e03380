// Package stores makes the page of a store: the suites, runs and campaigns that a directory keeps, with links to their pages.
// It needs no server, so a build can keep it as an artefact. What it shows was read elsewhere, and may be anybody's.
package stores
