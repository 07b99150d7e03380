// Package need is how tests ask for what a machine may lack: a program, a system, a user other than root.
//
// A test that lacks something is skipped, and says in one form what is not tried, and why:
//
//	NOT TRIED: nothing is run live on Redis: there is no redis-server on the PATH (Debian: redis-server)
//
// .ci/run reads that form. It runs the skipped tests again once the programs are installed, and fails where a test is
// still skipped and the reason is not true. It fails too where a test is skipped in other words.
package need
