// Package serve shows a store to a browser: the page that lockstorm report writes of it, and the reports and files that
// it keeps.
//
// It reads nothing outside the store. Two rules ensure that. Every file is opened through an os.Root, which leads
// nowhere else, whatever a name or a symbolic link says. Only files with names that Lockstorm writes are served, so
// serving a home directory by mistake reveals no keys.
//
// Any user may have written what it finds there. So it opens only regular files, reads no file beyond a bound, and
// escapes every text. A stored page runs only the script that this Lockstorm writes, and in a sandbox, where it can ask
// nothing of the server.
//
// [Open] returns a [Store]; its Handler answers requests about it. The caller listens and stops.
package serve
