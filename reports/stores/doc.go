// Package stores makes the page of a store: the suites, runs and campaigns that a directory keeps, with links to their
// pages. It needs no server, so a build can keep it as an artefact. Any user may have written what it shows.
package stores
